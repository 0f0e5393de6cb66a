import pytest
from websockets.datastructures import Headers
from websockets.exceptions import NegotiationError
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from server.transport.handshake import is_origin, origin_allowed, subprotocol_selector, wants_websocket

LISTED = ["https://friends.example", "https://Cards.example/"]


@pytest.mark.parametrize(
    ("origins_sent", "allowed"),
    [
        ([], True),
        (["https://friends.example"], True),
        (["https://cards.example"], True),
        (["https://our.example:8000"], True),
        (["http://OUR.example:8000"], True),
        (["https://our.example"], False),
        (["https://friends.example.evil.example"], False),
        (["https://evil.example"], False),
        (["null"], False),
        ([""], False),
        (["https://[broken"], False),
        (["https://friends.example", "https://evil.example"], False),
    ],
)
def test_pages_of_the_same_host_and_listed_origins_may_connect(
    origins_sent: list[str], allowed: bool
) -> None:
    """So may programs, which send no Origin; an origin that cannot be parsed is refused."""
    headers = Headers([("Host", "our.example:8000"), *(("Origin", origin) for origin in origins_sent)])

    assert origin_allowed(headers, LISTED) is allowed


def test_a_star_allows_every_origin() -> None:
    assert origin_allowed(Headers(Host="our.example", Origin="https://evil.example"), ["*"])


def test_a_page_is_refused_when_the_request_names_no_host() -> None:
    assert not origin_allowed(Headers(Origin="https://evil.example"), [])


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        (["json", "msgpack"], "json"),
        (["chess", "msgpack", "json"], "msgpack"),
        ([], None),
    ],
)
def test_the_first_supported_offer_is_selected(offered: list[str], chosen: str | None) -> None:
    """In the client's order; a client that offers none gets none."""
    select = subprotocol_selector(["msgpack", "json"])

    assert select(ServerProtocol(), [Subprotocol(name) for name in offered]) == chosen


def test_unsupported_offers_are_refused_with_the_supported_ones() -> None:
    select = subprotocol_selector(["msgpack", "json"])

    with pytest.raises(NegotiationError, match="msgpack, json"):
        select(ServerProtocol(), [Subprotocol("chess")])


def test_a_server_without_subprotocols_accepts_every_offer_and_selects_none() -> None:
    assert subprotocol_selector([])(ServerProtocol(), [Subprotocol("chess")]) is None


def test_an_upgrade_to_another_protocol_does_not_ask_for_a_websocket() -> None:
    assert wants_websocket(Headers(Upgrade="WebSocket"))
    assert not wants_websocket(Headers(Upgrade="h2c"))
    assert not wants_websocket(Headers())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("*", True),
        ("null", True),
        ("https://friends.example", True),
        ("HTTPS://Friends.Example/", True),
        ("http://localhost:8000", True),
        ("http://[::1]:8000", True),
        ("chrome-extension://abcdef", True),
        ("", False),
        ("friends.example", False),
        ("localhost:8000", False),
        ("//friends.example", False),
        ("https://", False),
        ("https://friends.example/race", False),
        ("https://friends.example?", False),
        ("https://friends.example:port", False),
        ("https://[friends", False),
    ],
)
def test_an_origin_has_scheme_host_and_port_and_nothing_else(text: str, expected: bool) -> None:
    """Anything else in the list of an operator would never match, without an error."""
    assert is_origin(text) is expected

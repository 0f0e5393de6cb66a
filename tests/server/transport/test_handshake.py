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
def test_pages_of_our_own_host_and_listed_ones_may_connect(origins_sent: list[str], allowed: bool) -> None:
    """Programs, which send no Origin, may always; what we cannot read is refused."""
    headers = Headers([("Host", "our.example:8000"), *(("Origin", origin) for origin in origins_sent)])

    assert origin_allowed(headers, LISTED) is allowed


def test_a_star_lets_every_page_connect() -> None:
    assert origin_allowed(Headers(Host="our.example", Origin="https://evil.example"), ["*"])


def test_a_page_is_not_of_our_host_when_no_host_is_named() -> None:
    assert not origin_allowed(Headers(Origin="https://evil.example"), [])


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        (["json", "msgpack"], "json"),
        (["chess", "msgpack", "json"], "msgpack"),
        ([], None),
    ],
)
def test_the_first_offer_that_we_speak_is_chosen(offered: list[str], chosen: str | None) -> None:
    """The client's order counts; no offer is no fault."""
    select = subprotocol_selector(["msgpack", "json"])

    assert select(ServerProtocol(), [Subprotocol(name) for name in offered]) == chosen


def test_only_unknown_offers_are_refused_with_what_we_speak() -> None:
    select = subprotocol_selector(["msgpack", "json"])

    with pytest.raises(NegotiationError, match="msgpack, json"):
        select(ServerProtocol(), [Subprotocol("chess")])


def test_a_server_without_subprotocols_takes_every_offer_and_chooses_none() -> None:
    assert subprotocol_selector([])(ServerProtocol(), [Subprotocol("chess")]) is None


def test_an_upgrade_to_something_else_is_not_a_wish_for_a_websocket() -> None:
    assert wants_websocket(Headers(Upgrade="WebSocket"))
    assert not wants_websocket(Headers(Upgrade="h2c"))
    assert not wants_websocket(Headers())


@pytest.mark.parametrize(
    ("text", "whether"),
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
def test_an_origin_is_scheme_host_and_port_and_no_more(text: str, whether: bool) -> None:
    """Anything else in the list of an operator would never match, and nobody would hear of it."""
    assert is_origin(text) is whether

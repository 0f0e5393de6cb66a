import pytest
from websockets.datastructures import Headers
from websockets.exceptions import NegotiationError
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from server.transport.handshake import subprotocol_selector, wants_websocket


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

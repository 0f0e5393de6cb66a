"""Checks of the headers of a WebSocket handshake, as pure functions."""

from collections.abc import Callable, Sequence
from typing import Final

from websockets.datastructures import Headers
from websockets.exceptions import NegotiationError
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

WEBSOCKET_PATHS: Final = frozenset({"/", "/ws"})


def wants_websocket(headers: Headers) -> bool:
    """Return whether the request asks for an upgrade to WebSocket; its other headers are checked later."""
    return any("websocket" in value.lower() for value in headers.get_all("Upgrade"))


SelectSubprotocol = Callable[[ServerProtocol, Sequence[Subprotocol]], Subprotocol | None]


def subprotocol_selector(supported: Sequence[str]) -> SelectSubprotocol:
    """Return a function that selects the first subprotocol offered by the client that the server supports.

    A client that offers none gets none. If all offers are unsupported, the function raises NegotiationError,
    whose text is sent to the client.
    """

    def select(_: ServerProtocol, offered: Sequence[Subprotocol]) -> Subprotocol | None:
        for subprotocol in offered:
            if subprotocol in supported:
                return subprotocol
        if offered and supported:
            raise NegotiationError(f"this server supports the subprotocols {', '.join(supported)}")
        return None

    return select

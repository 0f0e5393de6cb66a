"""Checks of the headers of a WebSocket handshake, as pure functions."""

from collections.abc import Callable, Sequence
from typing import Final
from urllib.parse import urlsplit

from websockets.datastructures import Headers
from websockets.exceptions import NegotiationError
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

WEBSOCKET_PATHS: Final = frozenset({"/", "/ws"})
ANY_ORIGIN: Final = "*"


def wants_websocket(headers: Headers) -> bool:
    """Return whether the request asks for an upgrade to WebSocket; its other headers are checked later."""
    return any("websocket" in value.lower() for value in headers.get_all("Upgrade"))


def is_origin(text: str) -> bool:
    """Return whether a text has the form of an origin: scheme, host and optional port, or `null` for files.

    `*`, which allows every origin, counts as one. The form is that of RFC 6454 section 6.2; a slash at the
    end is ignored.
    """
    if text in (ANY_ORIGIN, "null"):
        return True
    origin = text.lower().rstrip("/")
    try:
        parts = urlsplit(origin)
        whole = bool(parts.scheme and parts.hostname and parts.port != 0)
    except ValueError:
        return False
    return whole and f"{parts.scheme}://{parts.netloc}" == origin


def origin_allowed(headers: Headers, origins: Sequence[str]) -> bool:
    """Return whether the page that opens the connection may do so.

    Browsers always send Origin, other programs do not. Allowed are requests without an origin, pages of this
    server's own host, and the listed origins.
    """
    claimed = headers.get_all("Origin")
    if not claimed or ANY_ORIGIN in origins:
        return True
    if len(claimed) > 1:
        return False
    origin = claimed[0].lower()
    if any(origin == listed.lower().rstrip("/") for listed in origins):
        return True
    try:
        host = urlsplit(origin).netloc
    except ValueError:
        return False
    return bool(host) and [host] == [value.lower() for value in headers.get_all("Host")]


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

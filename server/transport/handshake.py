"""What a request must say to become a WebSocket connection: pure decisions about headers."""

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
    """Tell whether the client asks for the upgrade; whether it asks rightly is for later."""
    return any("websocket" in value.lower() for value in headers.get_all("Upgrade"))


def is_origin(text: str) -> bool:
    """Tell whether a page can have this origin: scheme, host and perhaps a port, or the `null` of files.

    `*` for all counts as one. The form is that of RFC 6454 section 6.2; a slash at the end does no harm.
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
    """Tell whether the page that opens the connection, if it is one, may do so.

    Programs send no Origin; browsers always do. A page of our own host may, and those that are listed.
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
    """Choose the first of the client's offers that we speak.

    No offer is accepted without a subprotocol. Only unknown offers raise NegotiationError, whose text
    the client reads.
    """

    def select(_: ServerProtocol, offered: Sequence[Subprotocol]) -> Subprotocol | None:
        for subprotocol in offered:
            if subprotocol in supported:
                return subprotocol
        if offered and supported:
            raise NegotiationError(f"this server speaks the subprotocols {', '.join(supported)}")
        return None

    return select

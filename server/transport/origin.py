"""The origin check of a handshake: which web pages may connect, and what those that may not are answered."""

from collections.abc import Callable, Sequence
from typing import Final
from urllib.parse import urlsplit

ANY_ORIGIN: Final = "*"
NO_ORIGIN: Final = "null"
"""Origin of a page that was opened from a file."""

MOST_REPORTED: Final = 100
"""Origins that are reported in the life of a process; strangers choose what they send."""

_DEFAULT_PORTS: Final = {"http": 80, "https": 443, "ws": 80, "wss": 443}
_MOST_SHOWN: Final = 200

OnRefusedOrigin = Callable[[str, str], None]
"""What is called with the Origin and the Host of a refused handshake."""


def is_origin(text: str) -> bool:
    """Return whether a text has the form of an origin: scheme, host and optional port, or `null` for files.

    `*`, which allows every origin, counts as one. The form is that of RFC 6454 section 6.2; a slash at the
    end is ignored.
    """
    if text in (ANY_ORIGIN, NO_ORIGIN):
        return True
    origin = text.lower().rstrip("/")
    try:
        parts = urlsplit(origin)
        whole = bool(parts.scheme and parts.hostname and parts.port != 0)
    except ValueError:
        return False
    return whole and f"{parts.scheme}://{parts.netloc}" == origin


def origin_allowed(origins: Sequence[str], hosts: Sequence[str], allowed: Sequence[str]) -> bool:
    """Return whether the page that opens the connection may do so.

    `origins` and `hosts` are the values of the headers Origin and Host. Browsers always send Origin, other
    programs do not. Allowed are requests without an origin, pages of this server's own host, and the listed
    origins. A default port is the same whether it is written or not. If Host has no port, as behind a proxy
    that leaves it out, the host name alone decides.
    """
    if not origins or ANY_ORIGIN in allowed:
        return True
    if len(origins) > 1:
        return False
    origin = _normalized(origins[0])
    if any(origin == _normalized(each) for each in allowed):
        return True
    if len(hosts) != 1 or isinstance(origin, str):
        return False
    scheme, name, port = origin
    host = _normalized(f"{scheme}://{hosts[0]}")
    return not isinstance(host, str) and name == host[1] and (port == host[2] or not _has_port(hosts[0]))


def refused_origin_text(origins: Sequence[str], hosts: Sequence[str]) -> str:
    """Return the answer to a refused handshake: both values, and the setting that would allow the origin."""
    return (
        f"Pages of the origin {shown(origins)} may not connect: the request's Host is {shown(hosts)}. "
        "If the page is this server's own, the proxy in between must pass on the Host that the browser sent; "
        "otherwise the operator can allow the origin with SIMONRACE_ORIGINS."
    )


def shown(values: Sequence[str]) -> str:
    """Return the values of a header as printable ASCII, cut to 200 characters."""
    text = ", ".join(values) or "(none)"
    text = "".join(char if " " <= char <= "~" else "?" for char in text[: _MOST_SHOWN + 1])
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."


class RefusedOrigins:
    """Calls `report` once for each refused origin, for the first hundred origins."""

    def __init__(self, report: OnRefusedOrigin) -> None:
        self._report = report
        self._reported: set[str] = set()

    def add(self, origin: str, host: str) -> None:
        """Report an origin that was not reported before."""
        if origin not in self._reported and len(self._reported) < MOST_REPORTED:
            self._reported.add(origin)
            self._report(origin, host)


def _normalized(origin: str) -> str | tuple[str, str, int | None]:
    """Return scheme, host and port of an origin, or the text itself if it has none of them."""
    origin = origin.lower().rstrip("/")
    if origin == NO_ORIGIN or not is_origin(origin):
        return origin
    parts = urlsplit(origin)
    if parts.hostname is None or "@" in parts.netloc:
        return origin
    return parts.scheme, parts.hostname, parts.port or _DEFAULT_PORTS.get(parts.scheme)


def _has_port(host: str) -> bool:
    return ":" in host.rpartition("]")[2]

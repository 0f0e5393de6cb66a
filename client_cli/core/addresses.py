"""Addresses of servers and links of rooms."""

from dataclasses import dataclass
from typing import Final, Self
from urllib.parse import urlsplit

from client_cli.core.translatable import Translatable

DEFAULT_SERVER: Final = "ws://localhost:7466"
DEFAULT_PORT: Final = 7466
_SECURE_PORT: Final = 443


class InvalidAddressError(ValueError):
    """The text is not the address of a server or a room. The message says why and shows an example."""

    def __init__(self, pattern: str, text: str, **values: object) -> None:
        super().__init__(Translatable(pattern, text=text, example=DEFAULT_SERVER, **values))


@dataclass(frozen=True, slots=True)
class Server:
    """Address of a server, such as `ws://localhost:7466`."""

    url: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse an address, with or without `ws://` and port. Raises InvalidAddressError."""
        url, path = _split(text)
        if path:
            raise InvalidAddressError(
                "{text!r} has a path. Give the address of the server alone, like {example}.", text
            )
        return cls(url)

    @property
    def socket_url(self) -> str:
        """URL of the WebSocket endpoint."""
        return f"{self.url}/ws"

    def room_link(self, room: str) -> str:
        """Return the link that others join the room with."""
        return f"{self.url}/{room}"


@dataclass(frozen=True, slots=True)
class RoomAddress:
    """Address of a room: its server and its code."""

    server: Server
    room: str

    @classmethod
    def parse(cls, text: str, server: Server) -> Self:
        """Parse a link, or the code of a room on `server`. Raises InvalidAddressError."""
        text = text.strip()
        if "/" not in text:
            if not text.isascii() or not text.isalnum():
                raise InvalidAddressError(
                    "{text!r} is not a room. Give its code, like KTQMX, or its link, like {example}/KTQMX.",
                    text,
                )
            return cls(server, text.upper())
        url, room = _split(text)
        if not room.isascii() or not room.isalnum():
            raise InvalidAddressError("{text!r} names no room. A link looks like {example}/KTQMX.", text)
        return cls(Server(url), room.upper())


def _split(text: str) -> tuple[str, str]:
    """Return the address in its canonical form, and the path without slashes at its ends."""
    text = text.strip()
    try:
        parts = urlsplit(text if "://" in text else f"ws://{text}")
        host, port = parts.hostname, parts.port
    except ValueError as fault:
        raise InvalidAddressError(
            "{text!r} is not an address ({fault}). An address looks like {example}.", text, fault=fault
        ) from None
    if parts.scheme not in {"ws", "wss"}:
        raise InvalidAddressError("{text!r} must begin with ws:// or wss://, like {example}.", text)
    if not host or any(map(str.isspace, text)) or parts.username or parts.query or parts.fragment:
        raise InvalidAddressError(
            "{text!r} is not the address of a server. An address looks like {example}.", text
        )
    if port is None:
        port = _SECURE_PORT if parts.scheme == "wss" else DEFAULT_PORT
    shown = f"[{host}]" if ":" in host else host
    tail = "" if (parts.scheme, port) == ("wss", _SECURE_PORT) else f":{port}"
    return f"{parts.scheme}://{shown}{tail}", parts.path.strip("/")

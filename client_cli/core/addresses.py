"""Where a server and its rooms are: links that people pass on."""

from dataclasses import dataclass
from typing import Final, Self
from urllib.parse import urlsplit

from client_cli.core.translatable import Translatable

DEFAULT_SERVER: Final = "ws://localhost:7466"
DEFAULT_PORT: Final = 7466
_SECURE_PORT: Final = 443


class InvalidAddressError(ValueError):
    """A text that is no address of a server or room; the message says what is wrong and shows one."""

    def __init__(self, pattern: str, text: str, **values: object) -> None:
        super().__init__(Translatable(pattern, text=text, example=DEFAULT_SERVER, **values))


@dataclass(frozen=True, slots=True)
class Server:
    """A server's address, such as `ws://localhost:7466`."""

    url: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read an address, with or without `ws://` and port; InvalidAddressError if it is none."""
        url, path = _split(text)
        if path:
            raise InvalidAddressError("{text!r} has a path; a server is given as {example}", text)
        return cls(url)

    @property
    def socket_url(self) -> str:
        """Where to connect to."""
        return f"{self.url}/ws"

    def link(self, room: str) -> str:
        """Return the link of a room, for others to join."""
        return f"{self.url}/{room}"


@dataclass(frozen=True, slots=True)
class RoomAddress:
    """A room on a server."""

    server: Server
    room: str

    @classmethod
    def parse(cls, text: str, server: Server) -> Self:
        """Read a link, or a room's code alone, which is then on `server`."""
        text = text.strip()
        if "/" not in text:
            if not text.isascii() or not text.isalnum():
                raise InvalidAddressError(
                    "{text!r} is no room: give its code like KTQMX or its link like {example}/KTQMX", text
                )
            return cls(server, text.upper())
        url, room = _split(text)
        if not room.isascii() or not room.isalnum():
            raise InvalidAddressError("{text!r} names no room; a link is like {example}/KTQMX", text)
        return cls(Server(url), room.upper())


def _split(text: str) -> tuple[str, str]:
    """Return the address in its one form, and the path without slashes."""
    text = text.strip()
    try:
        parts = urlsplit(text if "://" in text else f"ws://{text}")
        host, port = parts.hostname, parts.port
    except ValueError as fault:
        raise InvalidAddressError(
            "{text!r} is no address ({fault}); one is like {example}", text, fault=fault
        ) from None
    if parts.scheme not in {"ws", "wss"}:
        raise InvalidAddressError("{text!r} must begin with ws:// or wss://, like {example}", text)
    if not host or any(map(str.isspace, text)) or parts.username or parts.query or parts.fragment:
        raise InvalidAddressError("{text!r} is no address of a server; one is like {example}", text)
    if port is None:
        port = _SECURE_PORT if parts.scheme == "wss" else DEFAULT_PORT
    shown = f"[{host}]" if ":" in host else host
    tail = "" if (parts.scheme, port) == ("wss", _SECURE_PORT) else f":{port}"
    return f"{parts.scheme}://{shown}{tail}", parts.path.strip("/")

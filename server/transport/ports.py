"""Interfaces between the transport and the application, and between files of the transport."""

from collections.abc import Callable, Mapping
from typing import Protocol

from server.transport.responses import HttpResponse

# Between the transport and the application.


class Handler(Protocol):
    """The application's side of one connection; every call must be synchronous and short."""

    def received(self, data: bytes | str) -> None:
        """Handle one complete message: str for a text message, bytes for a binary one."""

    def closed(self, code: int, reason: str) -> None:
        """Handle the end of the connection; called exactly once.

        The code and reason are those of the side that closed first. Without a close frame the code is 1006
        and the reason says what happened.
        """


class Connection(Protocol):
    """One open WebSocket connection, as the application uses it."""

    @property
    def address(self) -> str:
        """IP address of the client."""

    @property
    def subprotocol(self) -> str | None:
        """Negotiated subprotocol; None if the client offered none."""

    @property
    def user_agent(self) -> str:
        """User-Agent header of the client, cut to 200 characters."""

    @property
    def slow(self) -> bool:
        """Whether frames wait because the client does not read them."""

    @property
    def outbox_bytes(self) -> int:
        """Bytes queued for the client, here and in the event loop's write buffer."""

    def send(self, frame: bytes) -> None:
        """Send a frame made by `text_frame` or `binary_frame`, after everything sent before."""

    def send_latest(self, kind: str, frame: bytes) -> None:
        """Send a frame, replacing an older one of its kind that is still queued for a slow client."""

    def close(self, code: int, reason: str) -> None:
        """Send what is queued, then a close frame; abort if the client does not answer in time."""

    def abort(self) -> None:
        """Close the socket immediately and discard what is queued."""


Accept = Callable[[Connection], Handler]
HttpHandler = Callable[[str, Mapping[str, str]], HttpResponse | None]
OnError = Callable[[Exception], None]

# What lower files of the transport need of higher ones.


class Flushable(Protocol):
    """A connection as `WriteBatch` sees it."""

    def flush(self) -> None:
        """Write everything sent since the last flush."""

    def abort(self) -> None:
        """Close the socket immediately and discard what is queued."""


class RegisteredConnection(Connection, Protocol):
    """A WebSocket connection as `ConnectionRegistry` and the periodic checks see it."""

    def check_idle(self, now: float) -> None:
        """Ping or disconnect an idle client; `now` is in seconds of the listener's clock."""

    def check_close_deadline(self, now: float) -> None:
        """Abort the connection if its close handshake has taken too long."""


class RegisteredOpening(Protocol):
    """A TCP connection before its handshake, as `ConnectionRegistry` and the periodic checks see it."""

    @property
    def peer(self) -> str:
        """IP address of the socket's other end: the client or a proxy."""

    def check_deadline(self, now: float) -> None:
        """Abort the connection if its request, or its end, has taken too long."""

    def abort(self) -> None:
        """Close the socket immediately."""

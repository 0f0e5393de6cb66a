"""What receives the messages of a room: a connection, as the room sees it."""

from typing import Protocol

from protocol.codec import Codec
from protocol.from_server import FromServer


class FrameSink(Protocol):
    """The sending end of a connection, for frames that were encoded once for many receivers."""

    def send(self, frame: bytes) -> None:
        """Send a frame, after everything sent before."""

    def send_latest(self, kind: str, frame: bytes) -> None:
        """Send a frame in place of an older one of its kind that waits for a slow client."""


class Subscriber(Protocol):
    """A connection that is attached to a room."""

    @property
    def codec(self) -> Codec:
        """Encoding that the client reads."""

    @property
    def lang(self) -> str:
        """Language of the client's texts."""

    @property
    def connection(self) -> FrameSink:
        """Where frames that are already encoded go."""

    @property
    def gone(self) -> bool:
        """Whether the connection has ended."""

    def send(self, message: FromServer) -> None:
        """Send a message to this connection alone."""

    def charge(self, actions: int) -> None:
        """Charge this connection for reading that many actions again to answer it."""

    def replaced(self) -> None:
        """End the connection, because its player connected elsewhere."""

    def failed(self) -> None:
        """End the connection, because the room cannot answer it; the client connects again."""

    def overran(self) -> None:
        """End the connection, because it sent more than may wait for an answer."""

    def left(self) -> None:
        """Detach from the room, because the player has no seat in it any more."""

"""Subscribers and connections that keep what they receive."""

from typing import Any

from protocol.codec import JSON_CODEC, Codec
from protocol.from_server import FromServer

_SHORT, _MEDIUM = 126, 127


def _payload(frame: bytes) -> bytes:
    """Return the payload of a server's WebSocket frame."""
    length = frame[1]
    return frame[10:] if length == _MEDIUM else frame[4:] if length == _SHORT else frame[2:]


class FakeConnection:
    """The transport's side of a connection: keeps what is sent, decoded, and how it was closed."""

    def __init__(
        self, codec: Codec = JSON_CODEC, subprotocol: str | None = None, address: str = "192.0.2.1"
    ) -> None:
        self.codec = codec
        self.subprotocol = subprotocol
        self.address = address
        self.user_agent = ""
        self.slow = False
        self.outbox_bytes = 0
        self.received: list[FromServer] = []
        self.latest: dict[str, FromServer] = {}
        self.frames: list[bytes] = []
        self.close_code: int | None = None

    def send(self, frame: bytes) -> None:
        """Keep a message."""
        self.frames.append(frame)
        self.received.append(self.codec.from_server(_payload(frame)))

    def send_latest(self, kind: str, frame: bytes) -> None:
        """Keep a message in place of the one before of its kind."""
        self.latest[kind] = self.codec.from_server(_payload(frame))

    def close(self, code: int, reason: str) -> None:  # noqa: ARG002 - part of the port
        """Keep the first close code."""
        if self.close_code is None:
            self.close_code = code

    def abort(self) -> None:
        """Refuse: nothing that is tested here aborts a connection."""
        raise AssertionError("nobody aborts a connection here")


class FakeSubscriber:
    """A room's subscriber that keeps what it receives.

    `endings` says how the room ended the connection: `replaced`, `failed`, `overran` or `left`.
    """

    def __init__(self, lang: str = "en", codec: Codec = JSON_CODEC) -> None:
        self.codec = codec
        self.lang = lang
        self.gone = False
        self.connection = FakeConnection(codec)
        self.charged: list[int] = []
        self.endings: list[str] = []

    @property
    def received(self) -> list[FromServer]:
        """All messages, in order."""
        return self.connection.received

    @property
    def kinds(self) -> list[str]:
        """The names of the messages' classes, in order."""
        return [type(message).__name__ for message in self.received]

    def messages(self, *types: type) -> list[Any]:
        """Return the messages of these types."""
        return [message for message in self.received if isinstance(message, types)]

    def clear(self) -> None:
        """Forget the messages until now."""
        self.received.clear()

    def send(self, message: FromServer) -> None:
        """Keep a message."""
        self.received.append(message)

    def charge(self, actions: int) -> None:
        """Keep the price."""
        self.charged.append(actions)

    def replaced(self) -> None:
        """Keep how the connection ended."""
        self.endings.append("replaced")

    def failed(self) -> None:
        """Keep how the connection ended."""
        self.endings.append("failed")

    def overran(self) -> None:
        """Keep how the connection ended."""
        self.endings.append("overran")

    def left(self) -> None:
        """Keep that the player has no seat any more."""
        self.endings.append("left")

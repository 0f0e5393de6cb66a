"""Fan-out: send one message to many subscribers, encoded once for each encoding."""

from collections.abc import Iterable

from protocol.codec import Codec
from protocol.from_server import FromServer
from server.rooms.subscriber import Subscriber
from server.transport import message_frame


def broadcast(message: FromServer, subscribers: Iterable[Subscriber]) -> None:
    """Send a message to all subscribers."""
    frames: dict[str, bytes] = {}
    for subscriber in subscribers:
        subscriber.connection.send(_frame_for(subscriber.codec, message, frames))


def broadcast_latest(kind: str, message: FromServer, subscribers: Iterable[Subscriber]) -> None:
    """Send a message to all subscribers, in place of an older one of its kind that still waits."""
    frames: dict[str, bytes] = {}
    codec, frame = None, b""
    for subscriber in subscribers:
        if subscriber.codec is not codec:
            codec = subscriber.codec
            frame = _frame_for(codec, message, frames)
        subscriber.connection.send_latest(kind, frame)


def _frame_for(codec: Codec, message: FromServer, frames: dict[str, bytes]) -> bytes:
    frame = frames.get(codec.subprotocol)
    if frame is None:
        frame = frames[codec.subprotocol] = message_frame(codec, message)
    return frame

"""Messages as WebSocket frames, each made once for all who have the same encoding."""

from collections.abc import Iterable

from protocol.codec import Codec
from protocol.from_server import FromServer
from server.rooms.context import Ear
from server.transport import binary_frame, text_frame


def framed(codec: Codec, message: FromServer) -> bytes:
    """Return a message as one frame, ready to be written to any connection of that encoding."""
    payload = codec.encode(message)
    return binary_frame(payload) if codec.binary else text_frame(payload)


def tell_all(message: FromServer, ears: Iterable[Ear]) -> None:
    """Send a message to many."""
    frames: dict[str, bytes] = {}
    for ear in ears:
        ear.link.send(_frame_for(ear.codec, message, frames))


def tell_latest(kind: str, message: FromServer, ears: Iterable[Ear]) -> None:
    """Send a message to many, in place of an older one of its kind that still waits for a slow client."""
    frames: dict[str, bytes] = {}
    codec, frame = None, b""
    for ear in ears:
        if ear.codec is not codec:
            codec = ear.codec
            frame = _frame_for(codec, message, frames)
        ear.link.send_latest(kind, frame)


def _frame_for(codec: Codec, message: FromServer, frames: dict[str, bytes]) -> bytes:
    frame = frames.get(codec.subprotocol)
    if frame is None:
        frame = frames[codec.subprotocol] = framed(codec, message)
    return frame

"""Messages of the protocol as WebSocket frames: one encoding serves every receiver that reads it."""

from protocol.codec import Codec
from protocol.from_server import FromServer
from server.transport.frames import binary_frame, text_frame


def message_frame(codec: Codec, message: FromServer) -> bytes:
    """Return a message as one frame, ready to be written to any connection of that encoding."""
    payload = codec.encode(message)
    return binary_frame(payload) if codec.binary else text_frame(payload)

"""Messages as WebSocket frames, in the encoding of a connection."""

from protocol.codec import Codec
from protocol.from_server import FromServer
from server.transport import binary_frame, text_frame


def framed(codec: Codec, message: FromServer) -> bytes:
    """Return a message as one frame, ready to be written to any connection of that encoding."""
    payload = codec.encode(message)
    return binary_frame(payload) if codec.binary else text_frame(payload)

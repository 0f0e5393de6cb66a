import json

import msgpack  # type: ignore[import-untyped]  # it brings no types

from protocol.codec import JSON_CODEC, MSGPACK_CODEC
from protocol.from_server import Done
from server.transport import message_frame


def test_a_message_is_a_binary_frame_in_messagepack_and_a_text_frame_in_json() -> None:
    """RFC 6455: 0x82 starts a complete binary message, 0x81 a complete text message; the length follows."""
    binary, text = message_frame(MSGPACK_CODEC, Done(ref=7)), message_frame(JSON_CODEC, Done(ref=7))
    expected = {"type": "done", "ref": 7}

    assert (binary[0], binary[1], msgpack.unpackb(binary[2:])) == (0x82, len(binary) - 2, expected)
    assert (text[0], text[1], json.loads(text[2:])) == (0x81, len(text) - 2, expected)

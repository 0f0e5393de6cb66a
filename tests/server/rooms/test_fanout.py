"""Messages as frames: binary for MessagePack, text for JSON, each whole and unmasked."""

import json

import msgpack  # type: ignore[import-untyped]  # it brings no types

from protocol.codec import JSON_CODEC, MSGPACK_CODEC
from protocol.from_server import Done
from server.rooms.fanout import message_frame


def test_a_frame_is_of_the_kind_of_its_encoding() -> None:
    """RFC 6455: 0x82 is a whole binary message, 0x81 a whole text message; then the length."""
    binary, text = message_frame(MSGPACK_CODEC, Done(ref=7)), message_frame(JSON_CODEC, Done(ref=7))
    assert (binary[0], binary[1], msgpack.unpackb(binary[2:])) == (
        0x82,
        len(binary) - 2,
        {"type": "done", "ref": 7},
    )
    assert (text[0], text[1], json.loads(text[2:])) == (0x81, len(text) - 2, {"type": "done", "ref": 7})

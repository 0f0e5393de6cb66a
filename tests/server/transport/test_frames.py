import pytest
from websockets.frames import Frame, Opcode

from server.transport import binary_frame, text_frame


@pytest.mark.parametrize("length", [0, 1, 125, 126, 127, 65535, 65536])
def test_a_frame_has_the_bytes_that_the_library_writes(length: int) -> None:
    """For every form of the length field of RFC 6455; frames are unmasked and final."""
    payload = b"x" * length

    assert text_frame(payload) == Frame(Opcode.TEXT, payload).serialize(mask=False)
    assert binary_frame(payload) == Frame(Opcode.BINARY, payload).serialize(mask=False)

"""Bytes of a client in, whole messages out."""

from typing import Final, cast

from websockets.frames import CloseCode, Frame, Opcode
from websockets.server import ServerProtocol

try:
    from websockets.speedups import apply_mask
except ImportError:  # the library, too, falls back on this where it has no compiled part
    from websockets.utils import apply_mask

_FINAL_TEXT: Final = 0x81
_FINAL_BINARY: Final = 0x82
_MASKED: Final = 0x80
_HEADER_BYTES: Final = 6
"""Two bytes and the mask, for a payload of up to 125 bytes."""


class Inbound:
    """Reads frames through the protocol, except for the usual ones: short, whole and final.

    Those need none of its state and cost a tenth of the way through it (docs/decisions/0006). They may
    be taken out only where a frame begins, that is while the protocol has used up every byte it was given.
    Frames are counted by the shortest form of their headers, so a client that writes longer ones than it
    must makes us believe that bytes are left over: then everything goes through the protocol, as it may.
    """

    __slots__ = ("_fragments", "_left_over", "_opcode", "_protocol", "_short", "fruitless_frames")

    def __init__(self, protocol: ServerProtocol, max_message_bytes: int) -> None:
        self._protocol = protocol
        self._short = min(125, max_message_bytes)
        self._left_over = 0
        self._opcode: Opcode | None = None
        self._fragments: list[bytes] = []
        self.fruitless_frames = 0

    def lone(self, data: bytes) -> bytes | None:
        """Return the message of a read that is one usual binary frame and no more; None for any other.

        Such a read changes nothing here, and so do most: an acting client waits for its answer.
        """
        size = len(data)
        if (
            size < _HEADER_BYTES
            or data[0] != _FINAL_BINARY
            or data[1] - _MASKED != size - _HEADER_BYTES
            or size - _HEADER_BYTES > self._short
            or self._left_over
            or self._opcode is not None
        ):
            return None
        return apply_mask(data[_HEADER_BYTES:], data[2:_HEADER_BYTES])

    def receive(self, data: bytes) -> list[bytes | str]:
        """Return the messages that are now complete: str for text, bytes for binary.

        What else came, closing included, has changed the state of the protocol, which also holds the
        pongs and close frames to send. Text that is not UTF-8 makes it fail with 1007; nothing that comes
        after a failure is read.
        """
        messages: list[bytes | str] = []
        if not self._left_over and self._opcode is None:
            start, size = 0, len(data)
            while size - start >= _HEADER_BYTES:
                first, length = data[start], data[start + 1] - _MASKED
                body = start + _HEADER_BYTES
                end = body + length
                if length < 0 or length > self._short or end > size:
                    break
                if first == _FINAL_BINARY:
                    messages.append(apply_mask(data[body:end], data[start + 2 : body]))
                elif first == _FINAL_TEXT:
                    if not self._add_text(messages, apply_mask(data[body:end], data[start + 2 : body])):
                        return messages
                else:
                    break
                start = end
            if start == size:
                return messages
            data = data[start:]
        self._through_protocol(data, messages)
        return messages

    def _through_protocol(self, data: bytes, messages: list[bytes | str]) -> None:
        self._left_over += len(data)
        self._protocol.receive_data(data)
        for frame in cast("list[Frame]", self._protocol.events_received()):
            payload = cast("bytes", frame.data)
            self._left_over -= _shortest_form(len(payload))
            if frame.opcode is Opcode.TEXT or frame.opcode is Opcode.BINARY:
                self._opcode = frame.opcode
            elif frame.opcode is not Opcode.CONT:
                self.fruitless_frames += 1
                continue
            self._fragments.append(payload)
            if not frame.fin:
                self.fruitless_frames += 1
            elif not self._add_whole(messages):
                return

    def _add_whole(self, messages: list[bytes | str]) -> bool:
        whole = b"".join(self._fragments)
        is_text = self._opcode is Opcode.TEXT
        self._opcode = None
        self._fragments.clear()
        if is_text:
            return self._add_text(messages, whole)
        messages.append(whole)
        return True

    def _add_text(self, messages: list[bytes | str], payload: bytes) -> bool:
        try:
            messages.append(payload.decode())
        except UnicodeDecodeError as error:
            self._protocol.fail(CloseCode.INVALID_DATA, f"{error.reason} at position {error.start}")
            return False
        return True


def _shortest_form(length: int) -> int:
    """Return the bytes of a masked frame with the shortest header for its payload."""
    if length < 126:
        return _HEADER_BYTES + length
    return (8 if length < 0x10000 else 14) + length

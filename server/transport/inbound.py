"""Parser of the bytes received from a client into complete messages."""

from typing import Final, cast

from websockets.frames import CloseCode, Frame, Opcode
from websockets.server import ServerProtocol

try:
    from websockets.speedups import apply_mask
except ImportError:  # the library has the same fallback where its compiled part is missing
    from websockets.utils import apply_mask

_FINAL_TEXT: Final = 0x81
_FINAL_BINARY: Final = 0x82
_MASKED: Final = 0x80
_HEADER_BYTES: Final = 6
"""Two bytes and the mask: the header of a payload of up to 125 bytes."""


class Inbound:
    """Fast path for short, complete, final frames; all others are parsed by the `websockets` protocol.

    Short frames need no parser state, and the fast path takes a tenth of the parser's time
    (docs/decisions/0006). It may be used only at the beginning of a frame, that is while the parser has no
    unparsed bytes. The unparsed bytes are counted with the shortest possible header of each frame; a client
    that writes longer headers makes the count too large, and then all its frames go through the parser.
    """

    __slots__ = ("_fragments", "_max_short", "_opcode", "_protocol", "_unparsed", "overhead_frames")

    def __init__(self, protocol: ServerProtocol, max_message_bytes: int) -> None:
        self._protocol = protocol
        self._max_short = min(125, max_message_bytes)  # longest payload that takes the fast path
        self._unparsed = 0  # bytes that the parser has buffered; never less than it really has
        # Fragments of the unfinished message, and its type; None exactly while there are no fragments.
        self._opcode: Opcode | None = None
        self._fragments: list[bytes] = []
        self.overhead_frames = 0  # control frames and unfinished fragments since `reset_overhead`

    def reset_overhead(self) -> None:
        """Count overhead frames from 0 again."""
        self.overhead_frames = 0

    def single_message(self, data: bytes) -> bytes | None:
        """Return the message if `data` is exactly one short binary frame, otherwise None.

        Changes no state. Most reads are such a frame: a client waits for the answer to its action.
        """
        size = len(data)
        if (
            size < _HEADER_BYTES
            or data[0] != _FINAL_BINARY
            or data[1] - _MASKED != size - _HEADER_BYTES
            or size - _HEADER_BYTES > self._max_short
            or self._unparsed
            or self._opcode is not None
        ):
            return None
        return apply_mask(data[_HEADER_BYTES:], data[2:_HEADER_BYTES])

    def receive(self, data: bytes) -> list[bytes | str]:
        """Return the messages that are complete now: str for text, bytes for binary.

        Control frames change the state of the protocol, which also holds the pongs and close frames to send.
        Text that is not UTF-8 fails the protocol with 1007; data after a failure is discarded.
        """
        messages: list[bytes | str] = []
        if not self._unparsed and self._opcode is None:
            start, size = 0, len(data)
            while size - start >= _HEADER_BYTES:
                first, length = data[start], data[start + 1] - _MASKED
                body = start + _HEADER_BYTES
                end = body + length
                if length < 0 or length > self._max_short or end > size:
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
        self._parse(data, messages)
        return messages

    def _parse(self, data: bytes, messages: list[bytes | str]) -> None:
        self._unparsed += len(data)
        self._protocol.receive_data(data)
        for frame in cast("list[Frame]", self._protocol.events_received()):
            payload = cast("bytes", frame.data)
            self._unparsed -= _shortest_form(len(payload))
            if frame.opcode is Opcode.TEXT or frame.opcode is Opcode.BINARY:
                self._opcode = frame.opcode
            elif frame.opcode is not Opcode.CONT:
                self.overhead_frames += 1
                continue
            self._fragments.append(payload)
            if not frame.fin:
                self.overhead_frames += 1
            elif not self._complete_message(messages):
                return

    def _complete_message(self, messages: list[bytes | str]) -> bool:
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
    """Return the length of a masked frame with the shortest header for its payload."""
    if length < 126:
        return _HEADER_BYTES + length
    return (8 if length < 0x10000 else 14) + length

"""Minimal WebSocket client for measurements."""

import asyncio
import struct
from typing import Final, cast

MASK: Final = bytes(4)
"""A mask of zeros: the server unmasks as always, and the client need not mask."""

_BINARY: Final = 0x82
_PING: Final = 0x89


def masked(payload: bytes) -> bytes:
    """Return a message as a frame of a client."""
    size = len(payload)
    if size < 126:
        return bytes((_BINARY, 0x80 | size)) + MASK + payload
    return struct.pack("!BBH", _BINARY, 0xFE, size) + MASK + payload


class Socket(asyncio.Protocol):
    """A connection; subclasses override `opened` and `received`."""

    def __init__(self, path: str, subprotocol: str = "") -> None:
        self.bytes_in = 0
        self.bytes_out = 0
        self.lost = False
        self._buffer = b""
        self._open = False
        named = f"Sec-WebSocket-Protocol: {subprotocol}\r\n" if subprotocol else ""
        self._request = (
            f"GET {path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n{named}\r\n"
        ).encode()

    def opened(self) -> None:
        """Handle the end of the handshake."""

    def received(self, payload: bytes) -> None:
        """Handle a message."""

    def send(self, frame: bytes) -> None:
        """Send a frame made by `masked`."""
        self.bytes_out += len(frame)
        self._transport.write(frame)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Request the upgrade."""
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(self._request)

    def connection_lost(self, _: Exception | None) -> None:
        """Record the loss, which makes a measurement void."""
        self.lost = True

    def data_received(self, data: bytes) -> None:
        """Split the bytes into frames."""
        self.bytes_in += len(data)
        if self._buffer:
            data = self._buffer + data
        if not self._open:
            end = data.find(b"\r\n\r\n")
            if end < 0:
                self._buffer = data
                return
            if not data.startswith(b"HTTP/1.1 101"):
                raise ConnectionError(data[:200].decode(errors="replace"))
            self._open = True
            data = data[end + 4 :]
            self.opened()
        at, size = 0, len(data)
        while size - at >= 2:
            length, start = data[at + 1], at + 2
            if length == 126:
                length, start = int.from_bytes(data[at + 2 : at + 4]), at + 4
            elif length == 127:
                length, start = int.from_bytes(data[at + 2 : at + 10]), at + 10
            end = start + length
            if end > size:
                break
            if data[at] == _BINARY:
                self.received(data[start:end])
            elif data[at] == _PING:
                self._transport.write(bytes((0x8A, 0x80 | length)) + MASK + data[start:end])
            at = end
        self._buffer = data[at:]

"""A WebSocket client of a hundred lines, so that one process can be a thousand of them.

It speaks MessagePack only, to servers only that keep to what PROTOCOL.md says: whole, unmasked frames.
"""

import asyncio
import base64
import socket
import struct
from collections.abc import Callable
from typing import Any, Final, cast

import msgpack  # type: ignore[import-untyped]  # it brings no types

Message = dict[str, Any]

ABNORMAL: Final = 1006
_STANDINGS: Final = b"standings"
_BINARY, _CLOSE, _PING, _PONG = 0x2, 0x8, 0x9, 0xA


class Wire(asyncio.Protocol):
    """One connection. `on_message` gets what comes, `on_end` the close code, once.

    Standings come by the thousand and the latest counts: the last is kept as it came, in `standings`.
    """

    def __init__(self, on_message: Callable[[Message], None], on_end: Callable[[int], None]) -> None:
        self.standings = b""
        self._on_message = on_message
        self._on_end = on_end
        self._buffer = bytearray()
        self._open: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._code = ABNORMAL
        self._transport: asyncio.Transport | None = None

    @classmethod
    async def connect(
        cls,
        address: tuple[str, int],
        on_message: Callable[[Message], None],
        on_end: Callable[[int], None],
        receive_buffer: int | None = None,
    ) -> "Wire":
        """Open a connection. Raises OSError; `on_end` is not called then.

        `receive_buffer` is how much the kernel may hold of what is not read, in bytes.
        """
        loop = asyncio.get_running_loop()
        plug = socket.socket()
        plug.setblocking(False)
        if receive_buffer is not None:
            plug.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        try:
            await loop.sock_connect(plug, address)
        except BaseException:
            plug.close()
            raise
        transport, wire = await loop.create_connection(lambda: cls(on_message, on_end), sock=plug)
        try:
            await wire._open
        except BaseException:
            transport.abort()
            raise
        return wire

    def send(self, message: Message) -> None:
        """Send a message; nothing happens on a connection that has ended."""
        self._frame(_BINARY, msgpack.packb(message))

    def close(self) -> None:
        """Take leave."""
        self._frame(_CLOSE, struct.pack("!H", 1000))

    def abort(self) -> None:
        """Break the connection without a word."""
        if self._transport is not None:
            self._transport.abort()

    def stop_reading(self) -> None:
        """Read nothing more, for ever."""
        if self._transport is not None:
            self._transport.pause_reading()

    # What the event loop calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for a WebSocket."""
        self._transport = cast("asyncio.Transport", transport)
        key = base64.b64encode(b"0123456789abcdef").decode()
        self._transport.write(
            b"GET / HTTP/1.1\r\nHost: race\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: simonrace.v1.msgpack\r\n"
            b"Sec-WebSocket-Key: %b\r\n\r\n" % key.encode()
        )

    def data_received(self, data: bytes) -> None:
        """Take frames apart."""
        self._buffer += data
        if not self._open.done() and not self._handshake():
            return
        while (frame := self._next_frame()) is not None:
            self._frame_came(*frame)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - why does not matter here
        """Tell of the end."""
        self._transport = None
        if not self._open.done():
            self._open.set_exception(ConnectionResetError("lost before the handshake was answered"))
        elif not self._open.cancelled() and self._open.exception() is None:
            self._on_end(self._code)

    # Inside.

    def _handshake(self) -> bool:
        head, found, rest = self._buffer.partition(b"\r\n\r\n")
        if not found:
            return False
        if b" 101 " not in head.split(b"\r\n")[0]:
            self._open.set_exception(ConnectionRefusedError(head.decode()))
            self.abort()
            return False
        self._buffer = rest
        self._open.set_result(None)
        return True

    def _next_frame(self) -> tuple[int, bytes] | None:
        buffer = self._buffer
        if len(buffer) < 2:
            return None
        size, at = buffer[1], 2
        if size == 126:
            if len(buffer) < 4:
                return None
            size, at = struct.unpack_from("!H", buffer, 2)[0], 4
        elif size == 127:
            if len(buffer) < 10:
                return None
            size, at = struct.unpack_from("!Q", buffer, 2)[0], 10
        if len(buffer) < at + size:
            return None
        first, payload = buffer[0], bytes(buffer[at : at + size])
        del buffer[: at + size]
        return first, payload

    def _frame_came(self, first: int, payload: bytes) -> None:
        assert first & 0x80, "the server sends no fragments"
        match first & 0x0F:
            case 0x2 if payload.find(_STANDINGS, 0, 20) > 0:
                self.standings = payload
            case 0x2:
                self._on_message(msgpack.unpackb(payload))
            case 0x9:
                self._frame(_PONG, payload)
            case 0x8:
                self._code = struct.unpack_from("!H", payload)[0] if payload else 1005
                self._frame(_CLOSE, payload[:2])
                if self._transport is not None:
                    self._transport.close()
            case opcode:
                raise AssertionError(f"a frame of kind {opcode} came")

    def _frame(self, opcode: int, payload: bytes) -> None:
        transport = self._transport
        if transport is None or transport.is_closing():
            return
        size = len(payload)
        # Masked with zeros, which is a mask like any other and leaves the payload as it is.
        head = (
            struct.pack("!BB", 0x80 | opcode, 0x80 | size)
            if size < 126
            else struct.pack("!BBH", 0x80 | opcode, 0x80 | 126, size)
        )
        transport.write(head + bytes(4) + payload)

"""A client of a server under attack, small enough that one process can be a thousand of them.

It speaks MessagePack only. Frames and the handshake are those of the Sans-I/O layer of `websockets`.
"""

import asyncio
import socket
from collections.abc import Callable
from typing import Any, Final, cast

import msgpack  # type: ignore[import-untyped]  # it brings no types
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import OPEN
from websockets.typing import Subprotocol
from websockets.uri import parse_uri

Message = dict[str, Any]

ABNORMAL: Final = 1006
_STANDINGS: Final = b"standings"
_URI: Final = parse_uri("ws://race/")
_SUBPROTOCOL: Final = Subprotocol("simonrace.v1.msgpack")


class Wire(asyncio.Protocol):
    """One connection. `on_message` gets what comes, `on_end` the close code, once.

    Standings come by the thousand and the latest counts: the last is kept as it came, in `standings`.
    """

    def __init__(self, on_message: Callable[[Message], None], on_end: Callable[[int], None]) -> None:
        self.standings = b""
        self._on_message = on_message
        self._on_end = on_end
        self._protocol = ClientProtocol(_URI, subprotocols=[_SUBPROTOCOL], max_size=None)
        self._open: asyncio.Future[None] = asyncio.get_running_loop().create_future()
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
        if self._protocol.state is OPEN:
            self._protocol.send_binary(msgpack.packb(message))
            self._write()

    def close(self) -> None:
        """Take leave."""
        if self._protocol.state is OPEN:
            self._protocol.send_close(1000)
            self._write()

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
        self._protocol.send_request(self._protocol.connect())
        self._write()

    def data_received(self, data: bytes) -> None:
        """Hand on the messages, and answer pings and a close."""
        self._protocol.receive_data(data)
        assert self._protocol.parser_exc is None, "the server keeps to RFC 6455"
        for event in self._protocol.events_received():
            if isinstance(event, Frame):
                self._frame_came(event)
            elif self._protocol.handshake_exc is None:
                self._open.set_result(None)
        if self._protocol.handshake_exc is not None and not self._open.done():
            self._open.set_exception(ConnectionRefusedError(str(self._protocol.handshake_exc)))
            self.abort()
            return
        self._write()
        if self._protocol.close_rcvd is not None and self._transport is not None:
            self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - why does not matter here
        """Tell of the end."""
        self._transport = None
        self._protocol.receive_eof()
        if not self._open.done():
            self._open.set_exception(ConnectionResetError("lost before the handshake was answered"))
        elif not self._open.cancelled() and self._open.exception() is None:
            self._on_end(self._protocol.close_code or ABNORMAL)

    # Inside.

    def _frame_came(self, frame: Frame) -> None:
        match frame.opcode:
            case Opcode.BINARY:
                assert frame.fin, "the server sends no fragments"
                payload = bytes(frame.data)
                if payload.find(_STANDINGS, 0, 20) > 0:
                    self.standings = payload
                else:
                    self._on_message(msgpack.unpackb(payload))
            case Opcode.PING | Opcode.CLOSE:
                pass  # answered by the protocol
            case opcode:
                raise AssertionError(f"a frame of kind {opcode} came")

    def _write(self) -> None:
        transport = self._transport
        for data in self._protocol.data_to_send():
            if data and transport is not None and not transport.is_closing():
                transport.write(data)

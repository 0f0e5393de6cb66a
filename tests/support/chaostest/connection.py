"""A client connection, small enough that one process can have a thousand of them.

It supports MessagePack only. The Sans-I/O layer of `websockets` makes the frames and the handshake.
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


class Connection(asyncio.Protocol):
    """One connection. `on_message` gets each message, `on_end` the close code, once.

    There are thousands of `standings`, so they are not decoded: `standings` is the latest, undecoded.
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
    ) -> "Connection":
        """Open a connection. Raises OSError; `on_end` is not called then.

        `receive_buffer` is the size of the kernel's receive buffer in bytes.
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
        transport, connection = await loop.create_connection(lambda: cls(on_message, on_end), sock=plug)
        try:
            await connection._open
        except BaseException:
            transport.abort()
            raise
        return connection

    def send(self, message: Message) -> None:
        """Send a message. On a closed connection, do nothing."""
        if self._protocol.state is OPEN:
            self._protocol.send_binary(msgpack.packb(message))
            self._write()

    def close(self) -> None:
        """Close the connection."""
        if self._protocol.state is OPEN:
            self._protocol.send_close(1000)
            self._write()

    def abort(self) -> None:
        """Cut the connection without a close frame."""
        if self._transport is not None:
            self._transport.abort()

    def stop_reading(self) -> None:
        """Stop reading."""
        if self._transport is not None:
            self._transport.pause_reading()

    # What the event loop calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the handshake."""
        self._transport = cast("asyncio.Transport", transport)
        self._protocol.send_request(self._protocol.connect())
        self._write()

    def data_received(self, data: bytes) -> None:
        """Deliver the messages, and answer pings and a close frame."""
        self._protocol.receive_data(data)
        assert self._protocol.parser_exc is None, "the server follows RFC 6455"
        for event in self._protocol.events_received():
            if isinstance(event, Frame):
                self._frame_received(event)
            elif self._protocol.handshake_exc is None:
                self._open.set_result(None)
        if self._protocol.handshake_exc is not None and not self._open.done():
            self._open.set_exception(ConnectionRefusedError(str(self._protocol.handshake_exc)))
            self.abort()
            return
        self._write()
        if self._protocol.close_rcvd is not None and self._transport is not None:
            self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the reason does not matter here
        """Report the end of the connection."""
        self._transport = None
        self._protocol.receive_eof()
        if not self._open.done():
            self._open.set_exception(ConnectionResetError("lost before the handshake was answered"))
        elif not self._open.cancelled() and self._open.exception() is None:
            self._on_end(self._protocol.close_code or ABNORMAL)

    def _frame_received(self, frame: Frame) -> None:
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

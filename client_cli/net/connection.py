"""Connection to a server: carries a conversation over WebSockets, and reconnects when it is lost."""

import asyncio
import random
import time
from contextlib import suppress
from typing import Final, Protocol

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Subprotocol

from client_cli.core.addresses import Server
from client_cli.core.connection_end import ConnectionEnd
from client_cli.core.conversation import Conversation
from client_cli.core.translatable import Translatable
from client_cli.net.connect_errors import connect_error
from protocol.backoff import delay
from protocol.codec import MSGPACK_CODEC, BadInputError, Codec
from protocol.errors import ErrorCode
from protocol.from_server import FromServer
from protocol.rate_limit import RateLimit

OPEN_SECONDS: Final = 10.0
CLOSE_SECONDS: Final = 2.0
PING_SECONDS: Final = 10.0
"""Interval of the pings, and how long to wait for the answer to one."""

MESSAGE_BYTES: Final = 16 * 1024 * 1024
"""Largest message accepted from a server: the record of a long race of many racers."""


class ConnectionListener(Protocol):
    """Receiver of what happens on a connection."""

    def message_received(self, message: FromServer) -> None:
        """Called with each message, after the conversation has processed it."""

    def connection_lost(self, why: str) -> None:
        """Called when the connection is lost and before another one is tried."""

    def connection_restored(self) -> None:
        """Called when the conversation goes on over a new connection."""


class UnreachableError(Exception):
    """The server cannot be used. The message is a sentence: why, and what to do."""


def now_ms() -> int:
    """Return the client's own clock in ms; only differences have a meaning."""
    return int(time.monotonic() * 1000)


class Connection:
    """Carries one conversation with one server until it ends."""

    def __init__(
        self,
        server: Server,
        conversation: Conversation,
        listener: ConnectionListener,
        codec: Codec = MSGPACK_CODEC,
    ) -> None:
        self.conversation = conversation
        self._server, self._listener, self._codec = server, listener, codec
        self._wake = asyncio.Event()  # set when the conversation may have something to send
        self._rate_limit = RateLimit()
        self._lost = False  # a lost connection was reported, and no new one yet

    def nudge(self) -> None:
        """Send what the conversation has queued."""
        self._wake.set()

    async def run(self) -> ConnectionEnd:
        """Run until the conversation ends or the server wants no reconnect; return why it ended.

        Raises UnreachableError if the first connection cannot be made.
        """
        attempt = 0
        reached = False
        while True:
            end = ConnectionEnd(True, Translatable("Cannot connect to the server."))
            try:
                async with await self._open() as socket:
                    reached = True
                    code = await self._converse(socket)
                    if self.conversation.live:
                        attempt = 0
                    end = self.conversation.connection_closed(code)
            except (OSError, WebSocketException, ImportError) as fault:
                if not reached:
                    raise UnreachableError(connect_error(fault, self._server.url)) from None
            if self.conversation.ended is not None or not end.reconnect:
                return end
            if not self._lost:
                self._lost = True
                self._listener.connection_lost(end.sentence)
            wait = max(delay(attempt, random.random()), self.conversation.reconnect_delay_s)  # noqa: S311
            self.conversation.reconnect_delay_s = 0.0
            attempt += 1
            await asyncio.sleep(wait)

    async def _open(self) -> ClientConnection:
        return await connect(
            self._server.socket_url,
            subprotocols=[Subprotocol(self._codec.subprotocol)],
            compression=None,
            open_timeout=OPEN_SECONDS,
            ping_interval=PING_SECONDS,
            ping_timeout=PING_SECONDS,
            close_timeout=CLOSE_SECONDS,
            max_size=MESSAGE_BYTES,
        )

    async def _converse(self, socket: ClientConnection) -> int | None:
        """Carry the conversation over one connection; return the close code, None without one."""
        self._rate_limit = RateLimit(at=time.monotonic())
        self.conversation.connection_opened()
        self.nudge()
        sender = asyncio.create_task(self._send(socket))
        try:
            while self.conversation.ended is None and not self.conversation.must_reconnect:
                self._receive(await socket.recv())
            await socket.close()
        except ConnectionClosed:
            pass  # the close code is read below
        finally:
            sender.cancel()
            await asyncio.gather(sender, return_exceptions=True)
        received = socket.protocol.close_rcvd
        return received.code if received else None

    def _receive(self, data: bytes | str) -> None:
        try:
            message = self._codec.from_server(data)
        except BadInputError as fault:
            if fault.code is ErrorCode.UNKNOWN_TYPE:
                return  # a message of a newer server
            why = Translatable(
                "The server sent a message that this client cannot read: {fault}", fault=fault.text
            )
            raise UnreachableError(why) from None
        self.conversation.message_received(message, now_ms())
        if self._lost and self.conversation.live:
            self._lost = False
            self._listener.connection_restored()
        self._listener.message_received(message)
        self.nudge()

    async def _send(self, socket: ClientConnection) -> None:
        while True:
            wait_ms = self.conversation.release_held(now_ms())
            with suppress(TimeoutError):
                async with asyncio.timeout(None if wait_ms is None else wait_ms / 1000):
                    await self._wake.wait()
            self._wake.clear()
            self.conversation.release_held(now_ms())
            while (message := self.conversation.next_message()) is not None:
                self._rate_limit.charge(self.conversation.take_extra_cost())
                await asyncio.sleep(self._rate_limit.wait(time.monotonic()))
                data = self._codec.encode(message)
                await socket.send(data, text=not self._codec.binary)

"""Connection that carries commits, and the one that carries an inbox.

Of all commands only a commit is on the path of every move. Its cost for this process is mostly that of
writing one command to the socket and reading one reply, and on a bare `asyncio.Protocol` that is half of what
it is on the streams of redis-py (decision 0005). It also gives two guarantees: no command is sent twice, and
no subscription is renewed without the caller's knowledge.
"""

import asyncio
import ssl
from collections import deque
from dataclasses import dataclass
from typing import Any, Final, cast

import hiredis

from server.store.redis.errors import error_of_reply, not_redis, unreachable

CONNECT_S: Final = 5.0
"""Time limit for connecting, including the lookup of the server's name. It exceeds the time that a slow name
server needs: with a shorter limit, each attempt would end before the answer, and the next one would start the
lookup over, so that no connection would ever be made (decision 0008)."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Address and credentials of a server."""

    address: str  # without secrets, for messages
    host: str = ""
    port: int = 0
    path: str = ""  # of a unix socket; then host and port are not used
    tls: ssl.SSLContext | None = None
    user: str | None = None
    password: str | None = None
    database: int = 0


class RedisConnection:
    """One connection that executes commands in turn, or receives the messages of its subscriptions.

    It connects on first use, and again after a failure. A command that failed may have been executed.
    """

    def __init__(self, endpoint: Endpoint, timeout: float) -> None:
        self._endpoint = endpoint
        self._timeout = timeout  # seconds for the reply to one command
        self._replies: _ReplyProtocol | None = None  # None before the first use and after a failure

    @property
    def connected(self) -> bool:
        """Whether there is a connection that has not ended."""
        return self._replies is not None and self._replies.ended is None

    async def execute(self, *words: str | bytes | int) -> Any:
        """Execute one command and return its reply."""
        return await self.execute_packed(_pack(*words))

    async def execute_packed(self, packed: bytes) -> Any:
        """Execute one command that is in wire form already."""
        try:
            replies = self._replies
            if replies is None or replies.ended:
                async with asyncio.timeout(CONNECT_S):
                    replies = await self._connect()
            reply = await replies.execute(packed, self._timeout)
        except OSError as fault:  # TimeoutError is a subclass
            self._drop()
            raise unreachable(fault, self._endpoint.address) from fault
        except hiredis.ProtocolError as fault:
            self._drop()
            raise not_redis(self._endpoint.address) from fault
        except asyncio.CancelledError:
            self._drop()  # its reply would otherwise be taken for that of the next command
            raise
        return self._checked(reply)

    async def receive(self) -> Any:
        """Wait, without a time limit, for the next message that the server pushes."""
        if self._replies is None:
            raise unreachable(ConnectionError("not connected"), self._endpoint.address)
        try:
            return self._checked(await self._replies.next())
        except OSError as fault:
            self._drop()
            raise unreachable(fault, self._endpoint.address) from fault

    async def aclose(self) -> None:
        """Close the connection without waiting for the other side."""
        self._drop()
        await asyncio.sleep(0)  # the loop releases the socket in its next turn, before it may be closed

    async def _connect(self) -> "_ReplyProtocol":
        endpoint, loop = self._endpoint, asyncio.get_running_loop()
        if endpoint.path:
            _, replies = await loop.create_unix_connection(lambda: _ReplyProtocol(loop), endpoint.path)
        else:
            _, replies = await loop.create_connection(
                lambda: _ReplyProtocol(loop), endpoint.host, endpoint.port, ssl=endpoint.tls
            )
        try:
            if endpoint.password is not None:
                user = [] if endpoint.user is None else [endpoint.user]
                self._checked(await replies.execute(_pack("AUTH", *user, endpoint.password), self._timeout))
            if endpoint.database:
                self._checked(await replies.execute(_pack("SELECT", endpoint.database), self._timeout))
        except BaseException:
            replies.drop()
            raise
        self._replies = replies
        return replies

    def _checked(self, reply: Any) -> Any:
        if isinstance(reply, hiredis.ReplyError):
            raise error_of_reply(str(reply), self._endpoint.address)
        return reply

    def _drop(self) -> None:
        if self._replies is not None:
            self._replies.drop()
            self._replies = None


def _pack(*words: str | bytes | int) -> bytes:
    packed: bytes = hiredis.pack_command(words)  # type: ignore[arg-type]  # the stub lacks the variable length
    return packed


class _ReplyProtocol(asyncio.Protocol):
    """Receiving half of a connection: parses replies and passes them on one by one.

    At most one caller waits. A reply goes to `_waiter` if it is pending and to `_arrived` otherwise, so
    `_arrived` is empty whenever a waiter is pending.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.ended: Exception | None = None  # why the connection ended; None while it is open
        self._loop = loop
        self._reader = hiredis.Reader()
        self._arrived: deque[Any] = deque()  # replies that no call of `next` has taken yet
        self._waiter: asyncio.Future[Any] | None = None  # of the latest call of `next`
        self._timer: asyncio.TimerHandle | None = None  # fires at or before the deadline
        self._deadline: float | None = None  # of the reply that is awaited; None for no limit
        self._transport: asyncio.Transport

    def execute(self, packed: bytes, timeout: float) -> asyncio.Future[Any]:
        """Send a command; if its reply does not arrive within the timeout, the connection ends."""
        self._transport.write(packed)
        waiter = self.next()
        # One timer for many commands: setting and cancelling one for each would cost as much as the rest.
        self._deadline = self._loop.time() + timeout
        if self._timer is None:
            self._timer = self._loop.call_at(self._deadline, self._check_deadline)
        return waiter

    def next(self) -> asyncio.Future[Any]:
        """Return a future of the next reply, without a time limit; it fails when the connection ends."""
        self._deadline = None
        waiter = self._waiter = self._loop.create_future()
        if self._arrived:
            waiter.set_result(self._arrived.popleft())
        elif self.ended is not None:
            waiter.set_exception(self.ended)
        return waiter

    def drop(self) -> None:
        """Close the connection at once."""
        self._end(ConnectionError("closed"))
        self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport for sending."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Parse the received bytes."""
        try:
            self._reader.feed(data)
            while (reply := self._reader.gets()) is not False:
                if self._waiter is None or self._waiter.done():
                    self._arrived.append(reply)
                else:
                    self._waiter.set_result(reply)
        except hiredis.ProtocolError as fault:
            self._end(fault)

    def connection_lost(self, exc: Exception | None) -> None:
        """Fail the waiter, if there is one."""
        self._end(exc or ConnectionError("the connection was closed by the server"))

    def _check_deadline(self) -> None:
        self._timer = None
        if self._deadline is None or self._waiter is None or self._waiter.done():
            return
        if self._loop.time() < self._deadline:
            self._timer = self._loop.call_at(self._deadline, self._check_deadline)
        else:
            self._end(TimeoutError())

    def _end(self, fault: Exception) -> None:
        if self.ended is None:
            self.ended = fault
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_exception(self.ended)

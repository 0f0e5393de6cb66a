"""The connection that carries commits, and the one that carries an inbox.

Of all that is kept in Redis only a commit is on the path of every move. What a commit costs this process is
mostly the way of one command to the socket and back, and that costs half on a bare `asyncio.Protocol` of what
it costs through the streams of redis-py (decision 0005). It also leaves no doubt about what is never done
here: nothing is sent twice, and nothing is subscribed to again behind anybody's back.
"""

import asyncio
import ssl
from collections import deque
from dataclasses import dataclass
from typing import Any, Final, cast

import hiredis

from server.store.redis.errors import meaning, not_redis, unreachable

CONNECT_S: Final = 5.0
"""Time to connect. The name of the server is looked up in it: where a name server is slow, one that gives up
sooner than the answer comes, and asks anew, never connects at all (decision 0008)."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where a server is and how it lets us in."""

    address: str  # without secrets, for people
    host: str = ""
    port: int = 0
    path: str = ""
    tls: ssl.SSLContext | None = None
    user: str | None = None
    password: str | None = None
    database: int = 0


class Wire:
    """One connection that answers commands in turn, or receives what it subscribed to.

    It connects when it is first used, and again after a failure; a failed command may have run.
    """

    def __init__(self, target: Target, timeout: float) -> None:
        self._target = target
        self._timeout = timeout
        self._replies: _Replies | None = None

    @property
    def connected(self) -> bool:
        """Whether there is a connection that has not ended."""
        return self._replies is not None and self._replies.ended is None

    async def call(self, *words: str | bytes | int) -> Any:
        """Run one command and return its answer."""
        return await self.send(_packed(*words))

    async def send(self, packed: bytes) -> Any:
        """Run one command that is in its wire form already."""
        try:
            replies = self._replies
            if replies is None or replies.ended:
                async with asyncio.timeout(CONNECT_S):
                    replies = await self._connect()
            reply = await replies.ask(packed, self._timeout)
        except OSError as fault:  # TimeoutError is one
            self._drop()
            raise unreachable(fault, self._target.address) from fault
        except hiredis.ProtocolError as fault:
            self._drop()
            raise not_redis(self._target.address) from fault
        except asyncio.CancelledError:
            self._drop()  # or the answer would be taken for that of the next command
            raise
        return self._sense(reply)

    async def receive(self) -> Any:
        """Wait, for ever if need be, for the next thing that the server sends by itself."""
        if self._replies is None:
            raise unreachable(ConnectionError("not connected"), self._target.address)
        try:
            return self._sense(await self._replies.next())
        except OSError as fault:
            self._drop()
            raise unreachable(fault, self._target.address) from fault

    async def aclose(self) -> None:
        """Close the connection without waiting for the other side."""
        self._drop()
        await asyncio.sleep(0)  # so that the loop lets go of the socket before it is closed itself

    async def _connect(self) -> "_Replies":
        target, loop = self._target, asyncio.get_running_loop()
        if target.path:
            _, replies = await loop.create_unix_connection(lambda: _Replies(loop), target.path)
        else:
            _, replies = await loop.create_connection(
                lambda: _Replies(loop), target.host, target.port, ssl=target.tls
            )
        try:
            if target.password is not None:
                user = [] if target.user is None else [target.user]
                self._sense(await replies.ask(_packed("AUTH", *user, target.password), self._timeout))
            if target.database:
                self._sense(await replies.ask(_packed("SELECT", target.database), self._timeout))
        except BaseException:
            replies.drop()
            raise
        self._replies = replies
        return replies

    def _sense(self, reply: Any) -> Any:
        if isinstance(reply, hiredis.ReplyError):
            raise meaning(str(reply), self._target.address)
        return reply

    def _drop(self) -> None:
        if self._replies is not None:
            self._replies.drop()
            self._replies = None


def _packed(*words: str | bytes | int) -> bytes:
    packed: bytes = hiredis.pack_command(words)  # type: ignore[arg-type]  # its stub forgot the dots
    return packed


class _Replies(asyncio.Protocol):
    """The receiving end: takes replies apart and hands them on, one by one, to the one who waits."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.ended: Exception | None = None
        self._loop = loop
        self._reader = hiredis.Reader()
        self._arrived: deque[Any] = deque()
        self._waiter: asyncio.Future[Any] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._deadline: float | None = None
        self._transport: asyncio.Transport

    def ask(self, packed: bytes, patience: float) -> asyncio.Future[Any]:
        """Send a command; the answer comes within so many seconds, or the connection ends."""
        self._transport.write(packed)
        waiter = self.next()
        # One timer for many commands: to set and cancel one for each would cost as much as the rest.
        self._deadline = self._loop.time() + patience
        if self._timer is None:
            self._timer = self._loop.call_at(self._deadline, self._look_at_the_clock)
        return waiter

    def next(self) -> asyncio.Future[Any]:
        """Wait for the next reply, for ever; the future has the reason when there will be none."""
        self._deadline = None
        waiter = self._waiter = self._loop.create_future()
        if self._arrived:
            waiter.set_result(self._arrived.popleft())
        elif self.ended is not None:
            waiter.set_exception(self.ended)
        return waiter

    def drop(self) -> None:
        """Close at once."""
        self._end(ConnectionError("closed"))
        self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the way back."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Take apart what came."""
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
        """Tell the one who waits."""
        self._end(exc or ConnectionError("the connection was closed by the server"))

    def _look_at_the_clock(self) -> None:
        self._timer = None
        if self._deadline is None or self._waiter is None or self._waiter.done():
            return
        if self._loop.time() < self._deadline:
            self._timer = self._loop.call_at(self._deadline, self._look_at_the_clock)
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

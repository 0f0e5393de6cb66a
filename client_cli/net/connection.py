"""The connection: carries a link's conversation over WebSockets, and connects again when it is lost."""

import asyncio
import random
import time
from contextlib import suppress
from http import HTTPStatus
from typing import Final, Protocol

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import (
    ConnectionClosed,
    InvalidHandshake,
    InvalidStatus,
    InvalidURI,
    ProxyError,
    WebSocketException,
)
from websockets.typing import Subprotocol

from client_cli.core.addresses import Server
from client_cli.core.conversation import Link, Verdict
from client_cli.core.translatable import Told
from protocol.backoff import delay
from protocol.codec import MSGPACK_CODEC, BadInputError, Codec
from protocol.errors import ErrorCode
from protocol.from_server import FromServer
from protocol.rate_limit import RateLimit

OPEN_SECONDS: Final = 10.0
CLOSE_SECONDS: Final = 2.0
PING_SECONDS: Final = 10.0
"""How often we ask whether the server is there, and how long we wait for the answer."""

_NO_MORE: Final = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
"""Answers of a server, or of a proxy before it, that has no room for a connection now."""

MESSAGE_BYTES: Final = 16 * 1024 * 1024
"""Largest message that we take from a server: the record of a long race of many people."""


class Watcher(Protocol):
    """Who is told what happens on a connection."""

    def heard(self, message: FromServer) -> None:
        """A message came, and the link knows it."""

    def lost(self, why: str) -> None:
        """The connection is lost; another one is being tried."""

    def back(self) -> None:
        """A connection is there again."""


class UnreachableError(Exception):
    """No conversation with the server is possible; the message says in a sentence why and what to do."""


def now_ms() -> int:
    """Return the client's own clock in ms; only differences mean something."""
    return int(time.monotonic() * 1000)


class Connection:
    """Keeps one link talking to one server until it is over."""

    def __init__(self, server: Server, link: Link, watcher: Watcher, codec: Codec = MSGPACK_CODEC) -> None:
        self.link = link
        self._server, self._watcher, self._codec = server, watcher, codec
        self._something = asyncio.Event()
        self._rate_limit = RateLimit()
        self._lost = False

    def nudge(self) -> None:
        """Send what the link has to say."""
        self._something.set()

    async def run(self) -> Verdict:
        """Talk until the link is over or the server wants no more; return why it ended.

        Raises UnreachableError when the first connection cannot be made.
        """
        attempt = 0
        reached = False
        while True:
            verdict = Verdict(True, Told("The server cannot be reached."))
            try:
                async with await self._open() as socket:
                    reached = True
                    code = await self._talk(socket)
                    if self.link.live:
                        attempt = 0
                    verdict = self.link.closed(code)
            except (OSError, WebSocketException, ImportError) as fault:
                if not reached:
                    raise UnreachableError(self._why(fault)) from None
            if self.link.over is not None or not verdict.reconnect:
                return verdict
            if not self._lost:
                self._lost = True
                self._watcher.lost(verdict.sentence)
            wait = max(delay(attempt, random.random()), self.link.hold_seconds)  # noqa: S311
            self.link.hold_seconds = 0.0
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

    async def _talk(self, socket: ClientConnection) -> int | None:
        """Carry the conversation over one connection; return the close code, None if there was none."""
        self._rate_limit = RateLimit(at=time.monotonic())
        self.link.opened()
        self.nudge()
        sender = asyncio.create_task(self._send(socket))
        try:
            while self.link.over is None and not self.link.stuck:
                self._take(await socket.recv())
            await socket.close()
        except ConnectionClosed:
            pass  # what it was closed with is told below
        finally:
            sender.cancel()
            await asyncio.gather(sender, return_exceptions=True)
        received = socket.protocol.close_rcvd
        return received.code if received else None

    def _take(self, data: bytes | str) -> None:
        try:
            message = self._codec.from_server(data)
        except BadInputError as fault:
            if fault.code is ErrorCode.UNKNOWN_TYPE:
                return  # a newer server has more to say than we understand
            why = Told("This is no Simon Race server that we understand: {fault}", fault=fault.text)
            raise UnreachableError(why) from None
        self.link.received(message, now_ms())
        if self._lost and self.link.live:
            self._lost = False
            self._watcher.back()
        self._watcher.heard(message)
        self.nudge()

    async def _send(self, socket: ClientConnection) -> None:
        while True:
            wait_ms = self.link.release(now_ms())
            with suppress(TimeoutError):
                async with asyncio.timeout(None if wait_ms is None else wait_ms / 1000):
                    await self._something.wait()
            self._something.clear()
            self.link.release(now_ms())
            while (message := self.link.to_send()) is not None:
                self._rate_limit.charge(self.link.take_owed())
                await asyncio.sleep(self._rate_limit.wait(time.monotonic()))
                data = self._codec.encode(message)
                await socket.send(data, text=not self._codec.binary)

    def _why(self, fault: Exception) -> str:
        where = self._server.url
        if isinstance(fault, TimeoutError):
            return Told(
                "The server at {where} does not answer; is it running, and is the address right?", where=where
            )
        if isinstance(fault, InvalidURI):
            return Told("{where} is no address of a server.", where=where)
        if isinstance(fault, (ProxyError, ImportError)):
            return Told(
                "The proxy that the environment names does not lead to {where} ({fault}).",
                where=where,
                fault=fault,
            )
        if isinstance(fault, InvalidStatus) and b"subprotocol" in (fault.response.body or b""):
            return Told(
                "The server at {where} speaks another version of the protocol: "
                "this client or that server is too old.",
                where=where,
            )
        if isinstance(fault, InvalidStatus) and fault.response.status_code in _NO_MORE:
            return Told("The server at {where} takes no more connections now; try again later.", where=where)
        if isinstance(fault, InvalidHandshake):
            return Told(
                "What answers at {where} is no Simon Race server ({fault}).", where=where, fault=fault
            )
        if isinstance(fault, ConnectionClosed):
            return Told("The server at {where} hung up.", where=where)
        refused = isinstance(fault, ConnectionRefusedError) or "Connect call failed" in str(fault)
        reason = "" if refused else f" ({getattr(fault, 'strerror', None) or fault})"
        return Told(
            "There is no server at {where}{reason}. "
            "Start one with simonrace-server, or give another address with --server.",
            where=where,
            reason=reason,
        )

"""Raw WebSockets for conformance runs, from both ends. Nothing here knows the protocol.

Beside the client's own connection this is the one file that imports `websockets`.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Final, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, WebSocketException
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

OPEN_SECONDS: Final = 10.0
NO_CODE: Final = 1006
"""What a connection ended with that ended without a close frame."""


class RefusedError(Exception):
    """The server answered the handshake with this HTTP status and not with a WebSocket."""

    def __init__(self, status: int) -> None:
        self.status = status
        super().__init__(f"HTTP {status}")


class NoServerError(Exception):
    """Nobody answers at this address, or nobody who speaks WebSocket."""


class HungUpError(Exception):
    """The other side ended the connection with this code."""

    def __init__(self, code: int, reason: str) -> None:
        self.code, self.reason = code, reason
        super().__init__(f"closed with {code} {reason}".rstrip())


class _End:
    """Either end of a connection."""

    def __init__(self, socket: ClientConnection | ServerConnection) -> None:
        self._socket = socket

    async def send(self, data: str | bytes) -> None:
        """Send one message. Raises HungUpError."""
        try:
            await self._socket.send(data)
        except ConnectionClosed as closed:
            raise _hung_up(closed) from None

    async def receive(self) -> str | bytes:
        """Return the next message. Raises HungUpError."""
        try:
            return await self._socket.recv()
        except ConnectionClosed as closed:
            raise _hung_up(closed) from None

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """Close with a code; nothing happens if it is closed already."""
        await self._socket.close(code, reason)

    def cut(self) -> None:
        """Break the connection without a word."""
        self._socket.transport.abort()


class Caller(_End):
    """A connection to a server under test. `extensions` is what the server said to them in the handshake."""

    def __init__(self, socket: ClientConnection) -> None:
        super().__init__(socket)
        self.subprotocol = socket.subprotocol
        headers = socket.response.headers if socket.response else {}
        self.extensions = headers.get("Sec-WebSocket-Extensions")

    @classmethod
    async def open(cls, url: str, *subprotocols: str) -> Self:
        """Connect, and offer these. Raises RefusedError, NoServerError."""
        try:
            return cls(
                await connect(
                    url,
                    subprotocols=[Subprotocol(each) for each in subprotocols] or None,
                    open_timeout=OPEN_SECONDS,
                    ping_interval=None,
                    close_timeout=2,
                    max_size=None,
                    max_queue=None,
                )
            )
        except InvalidStatus as refused:
            raise RefusedError(refused.response.status_code) from None
        except InvalidHandshake as fault:
            raise NoServerError(f"{url} does not complete the handshake: {fault}") from None
        except (OSError, WebSocketException) as fault:
            raise NoServerError(f"Nobody answers at {url}: {fault}") from None


class Guest(_End):
    """A client under test that has connected; `at` is when, in seconds of `now`."""

    def __init__(self, socket: ServerConnection, at: float) -> None:
        super().__init__(socket)
        self.subprotocol = socket.subprotocol
        self.at = at

    async def gone(self) -> None:
        """Wait until the connection has ended."""
        await self._socket.wait_closed()


def now() -> float:
    """Return the time in seconds; only differences mean something."""
    return time.monotonic()


class Door:
    """Where clients under test come in, each to `welcome`. While `shut`, they get HTTP 503."""

    def __init__(self, server: Server, knocks: list[float]) -> None:
        self._server = server
        self.knocks = knocks
        self.shut = False

    @classmethod
    async def open(
        cls, host: str, port: int, subprotocols: list[str], welcome: Callable[[Guest], Awaitable[None]]
    ) -> Self:
        """Listen; port 0 is a free one. `knocks` has when each attempt came, in seconds of `now`."""
        knocks: list[float] = []

        async def handle(socket: ServerConnection) -> None:
            guest = Guest(socket, knocks[-1])
            await welcome(guest)
            await guest.gone()

        def knock(connection: ServerConnection, _: Request) -> Response | None:
            knocks.append(now())
            return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, "later\n") if door.shut else None

        server = await serve(
            handle,
            host,
            port,
            subprotocols=[Subprotocol(each) for each in subprotocols],
            process_request=knock,
            compression=None,
            ping_interval=None,
            close_timeout=2,
        )
        door = cls(server, knocks)
        return door

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(next(iter(self._server.sockets)).getsockname()[1])

    async def close(self) -> None:
        """Let nobody in any more, and send everybody away."""
        self._server.close()
        await self._server.wait_closed()


def _hung_up(closed: ConnectionClosed) -> HungUpError:
    if closed.rcvd is None:
        return HungUpError(NO_CODE, "")
    return HungUpError(closed.rcvd.code, closed.rcvd.reason)


async def within(seconds: float, work: Awaitable[object]) -> bool:
    """Wait for something at most so long; return whether it was done."""
    try:
        async with asyncio.timeout(seconds):
            await work
    except TimeoutError:
        return False
    return True

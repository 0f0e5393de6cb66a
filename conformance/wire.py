"""Raw WebSockets for conformance runs, outgoing and incoming, without the protocol of the game.

No other module of this package imports `websockets`.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from http import HTTPStatus
from typing import Final, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, WebSocketException
from websockets.http11 import Request, Response
from websockets.typing import Origin, Subprotocol

OPEN_SECONDS: Final = 10.0
NO_CODE: Final = 1006
"""Close code of a connection that ended without a close frame."""


class HandshakeRefusedError(Exception):
    """The server refused the handshake with this HTTP status."""

    def __init__(self, status: int) -> None:
        self.status = status
        super().__init__(f"HTTP {status}")


class CannotConnectError(Exception):
    """No WebSocket server answers at this address."""


class ConnectionClosedError(Exception):
    """The other side closed the connection with this code."""

    def __init__(self, code: int, reason: str) -> None:
        self.code, self.reason = code, reason
        super().__init__(f"closed with {code} {reason}".rstrip())


class _End:
    """One end of a connection."""

    def __init__(self, socket: ClientConnection | ServerConnection) -> None:
        self._socket = socket

    async def send(self, data: str | bytes) -> None:
        """Send one message. Raises ConnectionClosedError."""
        try:
            await self._socket.send(data)
        except ConnectionClosed as closed:
            raise _closed_error(closed) from None

    async def receive(self) -> str | bytes:
        """Return the next message. Raises ConnectionClosedError."""
        try:
            return await self._socket.recv()
        except ConnectionClosed as closed:
            raise _closed_error(closed) from None

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """Close with a code. On a closed connection, do nothing."""
        await self._socket.close(code, reason)

    def cut(self) -> None:
        """Cut the connection without a close frame."""
        self._socket.transport.abort()


class OutgoingConnection(_End):
    """A connection to a server under test. `extensions` is the header of the server's handshake."""

    def __init__(self, socket: ClientConnection) -> None:
        super().__init__(socket)
        self.subprotocol = socket.subprotocol
        headers = socket.response.headers if socket.response else {}
        self.extensions = headers.get("Sec-WebSocket-Extensions")

    @classmethod
    async def open(cls, url: str, *subprotocols: str, origin: str | None = None) -> Self:
        """Connect and offer subprotocols. Raises HandshakeRefusedError or CannotConnectError."""
        try:
            return cls(
                await connect(
                    url,
                    origin=None if origin is None else Origin(origin),
                    subprotocols=[Subprotocol(each) for each in subprotocols] or None,
                    open_timeout=OPEN_SECONDS,
                    ping_interval=None,
                    close_timeout=2,
                    max_size=None,
                    max_queue=None,
                )
            )
        except InvalidStatus as refused:
            raise HandshakeRefusedError(refused.response.status_code) from None
        except InvalidHandshake as fault:
            raise CannotConnectError(f"{url} does not complete the handshake: {fault}") from None
        except (OSError, WebSocketException) as fault:
            raise CannotConnectError(f"Cannot connect to {url}: {fault}") from None


class IncomingConnection(_End):
    """A connection of a client under test. `at` is when it was opened, in seconds of `now`."""

    def __init__(self, socket: ServerConnection, at: float) -> None:
        super().__init__(socket)
        self.subprotocol = socket.subprotocol
        self.at = at

    async def wait_until_read(self, timeout_s: float) -> bool:
        """Send a ping; return whether a pong comes in time. Then the client has read what was sent before."""
        with suppress(ConnectionClosed, TimeoutError):
            async with asyncio.timeout(timeout_s):
                await (await self._socket.ping())
                return True
        return False

    def stop_reading(self) -> None:
        """Stop reading, and so answer nothing, not even pings."""
        self._socket.transport.pause_reading()

    async def wait_closed(self) -> None:
        """Wait until the connection is closed."""
        await self._socket.wait_closed()


def now() -> float:
    """Return the time in seconds. Only differences have a meaning."""
    return time.monotonic()


class Listener:
    """Listener for clients under test."""

    def __init__(self, host: str) -> None:
        self._host = host
        self._server: Server | None = None
        self._refuses = False
        self._last = 0.0
        self._refused_attempts: asyncio.Queue[float] = asyncio.Queue()

    @classmethod
    async def open(
        cls,
        host: str,
        port: int,
        subprotocols: list[str],
        on_connection: Callable[[IncomingConnection], Awaitable[None]],
    ) -> Self:
        """Listen, and call `on_connection` for each connection. Port 0 is a free port."""
        listener = cls(host)

        async def handle(socket: ServerConnection) -> None:
            connection = IncomingConnection(socket, listener._last)
            await on_connection(connection)
            await connection.wait_closed()

        def on_request(connection: ServerConnection, _: Request) -> Response | None:
            listener._last = now()
            if not listener._refuses:
                return None
            listener._refused_attempts.put_nowait(listener._last)
            return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, "later\n")

        listener._server = await serve(
            handle,
            host,
            port,
            subprotocols=[Subprotocol(each) for each in subprotocols],
            process_request=on_request,
            compression=None,
            ping_interval=None,
            close_timeout=2,
        )
        return listener

    def refuse_connections(self) -> None:
        """Refuse every handshake with HTTP 503."""
        self._refuses = True

    def accept_connections(self) -> None:
        """Accept connections again."""
        self._refuses = False

    async def next_refused_attempt(self) -> float:
        """Wait for the next refused handshake; return its time in seconds of `now`."""
        return await self._refused_attempts.get()

    @property
    def port(self) -> int:
        """Port that it listens on."""
        if self._server is None:
            raise ValueError("the listener is not open")
        return int(next(iter(self._server.sockets)).getsockname()[1])

    @property
    def url(self) -> str:
        """Address that clients connect to."""
        return f"ws://{self._host}:{self.port}"

    async def close(self) -> None:
        """Stop listening and close every connection."""
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()


def _closed_error(closed: ConnectionClosed) -> ConnectionClosedError:
    if closed.rcvd is None:
        return ConnectionClosedError(NO_CODE, "")
    return ConnectionClosedError(closed.rcvd.code, closed.rcvd.reason)

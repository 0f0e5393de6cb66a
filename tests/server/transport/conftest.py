"""Fixtures: a listener on both event loops, a recording application, and well- and ill-behaved clients."""

import asyncio
import socket
import ssl
import struct
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import uvloop
import websockets

from server.transport import (
    Connection,
    HttpResponse,
    Listener,
    Refused,
    TransportLimits,
    TransportStats,
    binary_frame,
    serve,
    text_frame,
)

TIMEOUT_S = 10.0
"""Limit for every wait; a test that reaches it fails."""

REQUEST = (
    b"GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


def pytest_asyncio_loop_factories(config: Any, item: Any) -> Mapping[str, Callable[[], Any]]:  # noqa: ARG001
    """Run every asynchronous test of this folder on both loops."""
    return {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop}


def client_frame(
    opcode: int, payload: bytes = b"", *, fin: bool = True, masked: bool = True, reserved: int = 0
) -> bytes:
    """Return a frame of a client, correct or not."""
    first = (0x80 if fin else 0) | reserved | opcode
    bit = 0x80 if masked else 0
    if len(payload) < 126:
        header = bytes([first, bit | len(payload)])
    elif len(payload) < 0x10000:
        header = struct.pack("!BBH", first, bit | 126, len(payload))
    else:
        header = struct.pack("!BBQ", first, bit | 127, len(payload))
    if not masked:
        return header + payload
    mask = b"\x37\xfa\x21\x3d"
    return header + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))


class FakeClock:
    """A clock moved by the test."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.readings = 0

    def __call__(self) -> float:
        self.readings += 1
        return self.now


class RecordingHandler:
    """An application that records and echoes messages; `fail` raises, `close me` closes with 4001."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.messages: list[bytes | str] = []
        self.closes: list[tuple[int, str]] = []
        self.closed_event = asyncio.Event()

    def received(self, data: bytes | str) -> None:
        self.messages.append(data)
        if data == "fail":
            raise RuntimeError("the handler failed")
        if data == "close me":
            self.connection.close(4001, "as requested")
        frame = text_frame(data.encode()) if isinstance(data, str) else binary_frame(data)
        self.connection.send(frame)

    def closed(self, code: int, reason: str) -> None:
        self.closes.append((code, reason))
        self.closed_event.set()

    async def wait_closed(self) -> None:
        """Wait until `closed` was called."""
        async with asyncio.timeout(TIMEOUT_S):
            await self.closed_event.wait()


class RawClient:
    """A client that sends any bytes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def send(self, data: bytes) -> None:
        self.writer.write(data)

    async def frame(self) -> tuple[int, bytes]:
        """Read one frame, final and unmasked as all of the server are; return opcode and payload."""
        async with asyncio.timeout(TIMEOUT_S):
            first, length = await self.reader.readexactly(2)
            if length == 126:
                (length,) = struct.unpack("!H", await self.reader.readexactly(2))
            elif length == 127:
                (length,) = struct.unpack("!Q", await self.reader.readexactly(8))
            return first & 0x0F, await self.reader.readexactly(length)

    async def answer_close(self) -> tuple[int, str]:
        """Read a close frame, answer it, wait for the end of the connection; return code and reason."""
        opcode, payload = await self.frame()
        assert opcode == 8
        self.send(client_frame(8, payload))
        assert await self.read_to_end() == b""
        return struct.unpack("!H", payload[:2])[0], payload[2:].decode()

    async def read_to_end(self) -> bytes:
        """Return everything up to the end of the connection, orderly or not."""
        async with asyncio.timeout(TIMEOUT_S):
            try:
                return await self.reader.read()
            except ConnectionError:
                return b""

    def reset(self) -> None:
        """Reset the connection: RST without FIN, as after a crash of the client's machine."""
        sock = self.writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()


@dataclass
class RunningListener:
    """A listener with its counters, clock, handlers and reported errors."""

    listener: Listener
    stats: TransportStats
    clock: FakeClock
    handlers: list[RecordingHandler]
    errors: list[Exception]
    raw_clients: list[RawClient] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.listener.address[1]}/ws"

    @property
    def refused(self) -> dict[Refused, int]:
        """Reasons for which clients were refused, with their numbers."""
        return {reason: count for reason, count in self.stats.refused.items() if count}

    def connect(self, **options: Any) -> Any:
        """Connect the client of the `websockets` library; over TLS if `ssl` is given."""
        url = self.url.replace("ws:", "wss:") if "ssl" in options else self.url
        return websockets.connect(url, **{"compression": None, **options})

    async def connect_tcp(self, *, small_buffers: bool = False) -> RawClient:
        """Open a TCP connection and send nothing."""
        sock = socket.socket()
        if small_buffers:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.setblocking(False)
        await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", self.listener.address[1]))
        # With the smallest limit, the stream stops reading from the socket after two unread bytes.
        limit = 1 if small_buffers else 2**16
        client = RawClient(*await asyncio.open_connection(sock=sock, limit=limit))
        self.raw_clients.append(client)
        return client

    async def connect_raw(self, *, small_buffers: bool = False) -> RawClient:
        """Connect with a handshake of raw bytes."""
        client = await self.connect_tcp(small_buffers=small_buffers)
        client.send(REQUEST)
        async with asyncio.timeout(TIMEOUT_S):
            head = b""
            while not head.endswith(b"\r\n\r\n"):
                head += await client.reader.readexactly(1)
        assert head.startswith(b"HTTP/1.1 101 ")
        return client

    async def request(self, request: bytes) -> tuple[int, str, bytes]:
        """Send one request; return status, headers and body of the response."""
        client = await self.connect_tcp()
        client.send(request)
        head, _, body = (await client.read_to_end()).partition(b"\r\n\r\n")
        status_line, _, headers = head.decode().partition("\r\n")
        return int(status_line.split()[1]), headers, body

    async def sweep(self) -> None:
        """Advance the clock by one sweep and wait for the check that finishes it; each check reads the clock.

        Connections that came after the sweep had begun are in the next one.
        """
        self.clock.now += TransportLimits().sweep_seconds
        before = self.clock.readings
        await self.until(lambda: self.clock.readings >= before + 2)

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until a condition holds."""
        async with asyncio.timeout(TIMEOUT_S):
            while not condition():  # noqa: ASYNC110 - there is no event to wait for
                await asyncio.sleep(0.002)


Start = Callable[..., Any]


def http_handler(path: str, headers: Mapping[str, str]) -> HttpResponse | None:
    """Serve a health check and a page that fails."""
    if path == "/healthz":
        return HttpResponse(200, f"ok, {headers['host']}\n".encode())
    if path == "/broken":
        raise RuntimeError("the page failed")
    return None


@pytest.fixture
async def start() -> AsyncIterator[Start]:
    """Start listeners; afterwards check that nothing of them is left and that no error was missed."""
    servers: list[RunningListener] = []
    loop_errors: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: loop_errors.append(context))

    async def start_one(**options: Any) -> RunningListener:
        # A short close limit makes the checks frequent; with the fake clock nothing is due in them.
        limits = TransportLimits(**{"close_seconds": 0.04, **options.pop("limits", {})})
        handlers: list[RecordingHandler] = []
        errors: list[Exception] = []
        clock = FakeClock()

        def accept(connection: Connection) -> RecordingHandler:
            handlers.append(RecordingHandler(connection))
            return handlers[-1]

        defaults: dict[str, Any] = {
            "accept": accept,
            "host": "127.0.0.1",
            "port": 0,
            "http": http_handler,
            "subprotocols": ("simonrace.msgpack", "simonrace.json"),
            "origins": ("https://friends.example",),
            "on_error": errors.append,
            "clock": clock,
        }
        options = defaults | options
        stats = TransportStats()
        listener = await serve(options.pop("accept"), limits=limits, stats=stats, **options)
        server = RunningListener(listener, stats, clock, handlers, errors)
        servers.append(server)
        return server

    yield start_one

    for server in servers:
        await server.listener.aclose()
        for client in server.raw_clients:
            client.writer.transport.abort()
        assert (server.stats.open, server.stats.handshakes) == (0, 0)
        assert server.errors == []
        assert [len(handler.closes) for handler in server.handlers] == [1] * len(server.handlers)
    assert loop_errors == []
    assert asyncio.all_tasks() == {asyncio.current_task()}


@pytest.fixture
def frame_of_client() -> Callable[..., bytes]:
    """Return the function that makes a frame of a client."""
    return client_frame


@pytest.fixture
def upgrade_request() -> bytes:
    """The smallest request that opens a WebSocket."""
    return REQUEST


@pytest.fixture(scope="session")
def certificate() -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """TLS contexts of the server and of its clients."""
    pem = Path(__file__).with_name("localhost.pem")
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(pem)
    return server, ssl.create_default_context(cafile=pem)

"""A listener on both event loops, an application that remembers, and clients that may misbehave."""

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
    HttpAnswer,
    Listener,
    TransportLimits,
    TransportStats,
    binary_frame,
    serve,
    text_frame,
)

PATIENCE = 10.0
"""Seconds after which a wait has failed; no test comes near them."""

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
    """Frame as a client does, or as a bad one would."""
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


class Clock:
    """A clock that a test moves; it starts where the loop's would never be compared with it."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.readings = 0

    def __call__(self) -> float:
        self.readings += 1
        return self.now


class Remembering:
    """An application that keeps what it hears, echoes, and knows two spells."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.received_messages: list[bytes | str] = []
        self.ends: list[tuple[int, str]] = []
        self.over = asyncio.Event()
        self.echoes = True

    def received(self, data: bytes | str) -> None:
        self.received_messages.append(data)
        if data == "fail":
            raise RuntimeError("the application is broken")
        if data == "close me":
            self.connection.close(4001, "as you wish")
        if self.echoes:
            frame = text_frame(data.encode()) if isinstance(data, str) else binary_frame(data)
            self.connection.send(frame)

    def closed(self, code: int, reason: str) -> None:
        self.ends.append((code, reason))
        self.over.set()

    async def end(self) -> None:
        """Wait until the connection is over."""
        async with asyncio.timeout(PATIENCE):
            await self.over.wait()


class RawClient:
    """A client that sends what a test likes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def send(self, data: bytes) -> None:
        self.writer.write(data)

    async def frame(self) -> tuple[int, bytes]:
        """Read one frame of the server: opcode and payload. All of ours are final and unmasked."""
        async with asyncio.timeout(PATIENCE):
            first, length = await self.reader.readexactly(2)
            if length == 126:
                (length,) = struct.unpack("!H", await self.reader.readexactly(2))
            elif length == 127:
                (length,) = struct.unpack("!Q", await self.reader.readexactly(8))
            return first & 0x0F, await self.reader.readexactly(length)

    async def closing(self) -> tuple[int, str]:
        """Read a close frame, answer it as a good client does, see the end: code and reason."""
        opcode, payload = await self.frame()
        assert opcode == 8
        self.send(client_frame(8, payload))
        assert await self.rest() == b""
        return struct.unpack("!H", payload[:2])[0], payload[2:].decode()

    async def rest(self) -> bytes:
        """Read to the end, however it comes."""
        async with asyncio.timeout(PATIENCE):
            try:
                return await self.reader.read()
            except ConnectionError:
                return b""

    def reset(self) -> None:
        """Vanish as a crashed machine does when it comes up again: with RST, without FIN."""
        sock = self.writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()


@dataclass
class Place:
    """A listener with all that a test wants to look at."""

    listener: Listener
    stats: TransportStats
    clock: Clock
    handlers: list[Remembering]
    errors: list[Exception]
    raw_clients: list[RawClient] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.listener.address[1]}/ws"

    def connect(self, **options: Any) -> Any:
        """Connect the real client of the `websockets` library; over TLS if it gets a context for it."""
        url = self.url.replace("ws:", "wss:") if "ssl" in options else self.url
        return websockets.connect(url, **{"compression": None, **options})

    async def tcp(self, *, small_buffers: bool = False) -> RawClient:
        """Connect without saying anything."""
        sock = socket.socket()
        if small_buffers:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.setblocking(False)
        await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", self.listener.address[1]))
        # With the smallest limit, the stream stops reading from the socket after two bytes of arrears.
        limit = 1 if small_buffers else 2**16
        client = RawClient(*await asyncio.open_connection(sock=sock, limit=limit))
        self.raw_clients.append(client)
        return client

    async def raw(self, *, small_buffers: bool = False) -> RawClient:
        """Connect and shake hands by hand."""
        client = await self.tcp(small_buffers=small_buffers)
        client.send(REQUEST)
        async with asyncio.timeout(PATIENCE):
            head = b""
            while not head.endswith(b"\r\n\r\n"):
                head += await client.reader.readexactly(1)
        assert head.startswith(b"HTTP/1.1 101 ")
        return client

    async def ask(self, request: bytes) -> tuple[int, str, bytes]:
        """Send one request: the status, the headers and the body of the answer."""
        client = await self.tcp()
        client.send(request)
        head, _, body = (await client.rest()).partition(b"\r\n\r\n")
        status_line, _, headers = head.decode().partition("\r\n")
        return int(status_line.split()[1]), headers, body

    async def sweeps(self) -> None:
        """Let a round pass, and wait until every connection was looked at; each sweep reads the clock."""
        self.clock.now += TransportLimits().round_seconds
        before = self.clock.readings
        await self.until(lambda: self.clock.readings >= before + 2)

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until something is so; fail if it never is."""
        async with asyncio.timeout(PATIENCE):
            while not condition():  # noqa: ASYNC110 - what is waited for sets no event of ours
                await asyncio.sleep(0.002)


Start = Callable[..., Any]


def pages(path: str, headers: Mapping[str, str]) -> HttpAnswer | None:
    """Answer as a server with one health check and one broken page would."""
    if path == "/healthz":
        return HttpAnswer(200, f"fine, {headers['host']}\n".encode())
    if path == "/broken":
        raise RuntimeError("the page is broken")
    return None


@pytest.fixture
async def start() -> AsyncIterator[Start]:
    """Start listeners; at the end nothing may be left of them, and no error unseen."""
    places: list[Place] = []
    loop_errors: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: loop_errors.append(context))

    async def start_one(*, real_time: bool = False, **options: Any) -> Place:
        # A short close limit makes the sweeps frequent; with a clock of its own nothing is due in them.
        limits = TransportLimits(**{"close_seconds": 0.04, **options.pop("limits", {})})
        handlers: list[Remembering] = []
        errors: list[Exception] = []
        clock = Clock()

        def accept(connection: Connection) -> Remembering:
            handlers.append(Remembering(connection))
            return handlers[-1]

        defaults: dict[str, Any] = {
            "accept": accept,
            "host": "127.0.0.1",
            "port": 0,
            "http": pages,
            "subprotocols": ("simonrace.msgpack", "simonrace.json"),
            "origins": ("https://friends.example",),
            "on_error": errors.append,
            "clock_ms": None if real_time else clock,
        }
        options = defaults | options
        stats = TransportStats()
        listener = await serve(options.pop("accept"), limits=limits, stats=stats, **options)
        place = Place(listener, stats, clock, handlers, errors)
        places.append(place)
        return place

    yield start_one

    for place in places:
        await place.listener.aclose()
        for client in place.raw_clients:
            client.writer.transport.abort()
        assert (place.stats.open, place.stats.handshakes) == (0, 0)
        assert place.errors == []
        assert [len(handler.ends) for handler in place.handlers] == [1] * len(place.handlers)
    assert loop_errors == []
    assert asyncio.all_tasks() == {asyncio.current_task()}


@pytest.fixture
def frame_of_client() -> Callable[..., bytes]:
    """Frame as a client does, or as a bad one would."""
    return client_frame


@pytest.fixture
def upgrade_request() -> bytes:
    """The least that opens a WebSocket."""
    return REQUEST


@pytest.fixture(scope="session")
def certificate() -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """The server's side and the client's side of TLS on this machine."""
    pem = Path(__file__).with_name("localhost.pem")
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(pem)
    return server, ssl.create_default_context(cafile=pem)

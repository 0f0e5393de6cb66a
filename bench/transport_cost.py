"""Compare the CPU time of an echoed message: our transport and high-level `websockets`, both on uvloop.

    python -m bench.transport_cost [--rounds 5] [--messages 100000] [--connections 64]

The server runs in its own process, and only its user and system time counts; a second process keeps one small
masked message in flight on every connection. All servers run once in each round, so that other load on the
machine affects all of them; the output has medians and ranges. `tcp` echoes raw bytes without a WebSocket: no
server can be faster.
"""

import argparse
import asyncio
import contextlib
import resource
import statistics
import subprocess
import sys
from collections.abc import Mapping
from typing import IO, cast

import uvloop
from websockets.asyncio.server import ServerConnection
from websockets.asyncio.server import serve as websockets_serve
from websockets.exceptions import ConnectionClosed

from server.transport import Connection, HttpResponse, TransportLimits, TransportStats, binary_frame, serve

SUBJECTS = ("ours", "websockets", "tcp")
PAYLOAD = b'{"move":[3,7,2]}'
MASK = b"\x11\x22\x33\x44"
REQUEST = (
    b"GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
MASKED = bytes([0x82, 0x80 | len(PAYLOAD)]) + MASK + bytes(b ^ MASK[i % 4] for i, b in enumerate(PAYLOAD))


class Echo:
    """The smallest application of our transport: an echo."""

    def __init__(self, connection: Connection) -> None:
        self.send = connection.send

    def received(self, data: bytes | str) -> None:
        """Send the message back."""
        self.send(binary_frame(data if isinstance(data, bytes) else data.encode()))

    def closed(self, code: int, reason: str) -> None:
        """Do nothing."""


class RawEcho(asyncio.Protocol):
    """An echo of bytes, without a WebSocket."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self.write = cast("asyncio.Transport", transport).write

    def data_received(self, data: bytes) -> None:
        """Send the bytes back."""
        self.write(data)


async def start(subject: str) -> int:
    """Start one subject on a free port and return the port."""
    loop = asyncio.get_running_loop()
    if subject == "ours":
        listener = await serve(
            Echo,
            host="127.0.0.1",
            port=0,
            limits=TransportLimits(connections_per_address=10_000),
            stats=TransportStats(),
            http=no_pages,
            subprotocols=(),
            origins=None,
        )
        return listener.address[1]
    if subject == "websockets":
        server = await websockets_serve(echo, "127.0.0.1", 0, compression=None)
        return int(next(iter(server.sockets)).getsockname()[1])
    raw = await loop.create_server(RawEcho, "127.0.0.1", 0)
    return int(raw.sockets[0].getsockname()[1])


def no_pages(_: str, __: Mapping[str, str]) -> HttpResponse | None:
    """Answer no plain HTTP request."""
    return None


async def echo(connection: ServerConnection) -> None:
    """Echo as the manual of `websockets` does it."""
    with contextlib.suppress(ConnectionClosed):
        async for message in connection:
            await connection.send(message)


async def serve_and_report(subject: str) -> None:
    """Print the port, then the processor seconds used so far for every line that comes in."""
    loop = asyncio.get_running_loop()
    done = asyncio.Event()

    def report() -> None:
        if not sys.stdin.readline():
            done.set()
            return
        usage = resource.getrusage(resource.RUSAGE_SELF)
        print(usage.ru_utime + usage.ru_stime, flush=True)

    print(await start(subject), flush=True)
    loop.add_reader(sys.stdin.fileno(), report)
    await done.wait()


class Client(asyncio.Protocol):
    """A client with one message in flight; it counts answers by their bytes."""

    def __init__(self, *, websocket: bool, messages: int, done: asyncio.Future[None]) -> None:
        self._shaking = websocket
        self._answer_bytes = 2 + len(PAYLOAD) if websocket else len(MASKED)
        self._left = messages
        self._pending = 0
        self._done = done

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Request the upgrade, or send the first message."""
        self._write = cast("asyncio.Transport", transport).write
        self._write(REQUEST if self._shaking else MASKED)

    def data_received(self, data: bytes) -> None:
        """Send the next message when the answer is complete."""
        if self._shaking:
            if not data.startswith(b"HTTP/1.1 101"):
                raise ConnectionError(data.decode())
            self._shaking = False
            self._write(MASKED)
            return
        self._pending += len(data)
        if self._pending < self._answer_bytes:
            return
        self._pending -= self._answer_bytes
        self._left -= 1
        if self._left:
            self._write(MASKED)
        elif not self._done.done():
            self._done.set_result(None)


async def drive(subject: str, port: int, connections: int, messages: int) -> None:
    """Send `messages` messages over all connections together."""
    loop = asyncio.get_running_loop()
    done: list[asyncio.Future[None]] = [loop.create_future() for _ in range(connections)]
    for future in done:
        client = Client(websocket=subject != "tcp", messages=messages // connections, done=future)
        await loop.create_connection(lambda client=client: client, "127.0.0.1", port)  # type: ignore[misc]
    await asyncio.gather(*done)


def measure(subject: str, connections: int, messages: int) -> float:
    """Return microseconds of the server's CPU time for one message, handshakes included."""
    me = [sys.executable, "-m", "bench.transport_cost"]
    with subprocess.Popen(
        [*me, "--serve", subject], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        ask, answer = cast("IO[str]", server.stdin), cast("IO[str]", server.stdout)
        driver = [*me, "--drive", subject, "--port", answer.readline().strip()]
        driver += ["--connections", str(connections), "--messages"]

        def used() -> float:
            print(file=ask, flush=True)
            return float(answer.readline())

        subprocess.run([*driver, str(messages // 10)], check=True)
        before = used()
        subprocess.run([*driver, str(messages)], check=True)
        cost = (used() - before) / messages
        ask.close()
    return cost * 1e6


def main() -> None:
    """Run the command line; the hidden options are for the child processes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--serve", choices=SUBJECTS, help=argparse.SUPPRESS)
    parser.add_argument("--drive", choices=SUBJECTS, help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        uvloop.run(serve_and_report(options.serve))
    elif options.drive:
        uvloop.run(drive(options.drive, options.port, options.connections, options.messages))
    else:
        report(options.rounds, options.connections, options.messages)


def report(rounds: int, connections: int, messages: int) -> None:
    """Measure all servers in turns and print the cost of a message for each."""
    costs: dict[str, list[float]] = {subject: [] for subject in SUBJECTS}
    for _ in range(rounds):
        for subject, seen in costs.items():
            seen.append(measure(subject, connections, messages))
    print(f"CPU time of the server for one echoed message, {connections} connections, {rounds} rounds:")
    for subject, seen in costs.items():
        print(f"  {subject:<11}{statistics.median(seen):6.2f} µs   ({min(seen):.2f} to {max(seen):.2f})")


if __name__ == "__main__":
    main()

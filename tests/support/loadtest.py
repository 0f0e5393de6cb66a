"""Helpers for tests of the load generator: a transport that keeps its output, a clock, a plain racer."""

import asyncio
from typing import Final, TypeVar

from bench.load.meter import Meter
from bench.load.racer import Racer
from bench.load.wire import Socket, masked

UPGRADED: Final = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n"

AnySocket = TypeVar("AnySocket", bound=Socket)


class Wire(asyncio.Transport):
    """A transport that keeps each write."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written.append(bytes(data))


def wired(socket: AnySocket) -> tuple[AnySocket, Wire]:
    """Connect a socket to a wire and complete the handshake."""
    wire = Wire()
    socket.connection_made(wire)
    socket.data_received(UPGRADED)
    wire.written.clear()
    return socket, wire


class Clock:
    """A clock that shows the time it was set to."""

    def __init__(self, time: float = 0.0) -> None:
        self.time = time

    def __call__(self) -> float:
        return self.time


class Numbered(Racer):
    """A racer whose frames are the numbers of its actions; `dues` are the times when they were due."""

    def __init__(self, meter: Meter) -> None:
        super().__init__(meter, "/")
        self.dues: list[float] = []

    def act(self, due: float) -> None:
        self.dues.append(due)
        super().act(due)

    def action(self, number: int) -> bytes:
        return masked(bytes((number,)))


def numbers(wire: Wire) -> list[int]:
    """Return the numbers of the actions that a `Numbered` racer has sent."""
    return [frame[-1] for frame in wire.written]

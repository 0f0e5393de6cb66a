"""Workers of one server: their shared port and their supervision."""

import asyncio
import socket

import pytest
from racetest import Ledger

from server.config import Config
from server.workers import Workers, shared_port


def test_a_port_is_reserved_for_several_workers() -> None:
    """No other process can take it between the start of the server and that of its workers."""
    with shared_port("127.0.0.1", 0) as port:
        for _ in "12":
            with socket.socket() as worker:
                worker.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
                worker.bind(("127.0.0.1", port))
        with socket.socket() as stranger, pytest.raises(OSError, match="in use"):
            stranger.bind(("127.0.0.1", port))


async def test_an_exception_while_watching_is_raised(ledger: Ledger) -> None:
    """A service manager must see that the server failed, so that it restarts the server."""
    workers = Workers(Config(workers=2), "redis://nowhere", 0, ledger)
    with pytest.raises(KeyError):
        await workers.watch(asyncio.Event())  # none of them was started


async def test_watching_ends_when_the_server_stops(ledger: Ledger) -> None:
    """Stopping without started workers does nothing."""
    workers = Workers(Config(workers=0), "redis://nowhere", 0, ledger)
    stopped = asyncio.Event()
    stopped.set()
    await workers.watch(stopped)
    await workers.stop()

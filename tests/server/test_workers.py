"""Workers of one server: the port that they share, and the task that watches them."""

import asyncio
import socket

import pytest
from racetest import Ledger

from server.config import Config
from server.workers import Workers, shared_port


def test_a_port_is_held_for_workers_that_listen_on_it_together() -> None:
    """Nobody else gets it between the start of the server and that of its workers."""
    with shared_port("127.0.0.1", 0) as port:
        for _ in "12":
            with socket.socket() as worker:
                worker.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
                worker.bind(("127.0.0.1", port))
        with socket.socket() as stranger, pytest.raises(OSError, match="in use"):
            stranger.bind(("127.0.0.1", port))


async def test_a_bug_in_watching_the_workers_is_not_the_orderly_end_of_the_server(ledger: Ledger) -> None:
    """What started the server must see that it failed: a service manager then starts it again."""
    workers = Workers(Config(workers=2), "redis://nowhere", 0, ledger)
    with pytest.raises(KeyError):
        await workers.watch(asyncio.Event())  # none of them was started


async def test_watching_ends_when_the_server_is_to_stop(ledger: Ledger) -> None:
    """And there is nobody to be stopped where nobody was started."""
    workers = Workers(Config(workers=0), "redis://nowhere", 0, ledger)
    stopped = asyncio.Event()
    stopped.set()
    await workers.watch(stopped)
    await workers.stop()

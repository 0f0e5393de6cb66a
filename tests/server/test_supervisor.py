"""A server from start to stop, with a private store that it keeps alive."""

import asyncio
import json
import os
import signal
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from racetest import PATIENCE_S, Client, Ledger, Process, fetch, until

from server.store.embedded import EmbeddedRedis
from server.supervisor import keep_alive

pytestmark = pytest.mark.usefixtures("_service")


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Process]:
    """A server with a private store."""
    server = await Process.serving("--data", tmp_path / "data", "--log-format", "json")
    yield server
    await server.close()


async def test_a_store_that_cannot_be_started_again_is_tried_again(server: Process, tmp_path: Path) -> None:
    """The operator frees the disk or corrects the permission: then the server continues."""
    ada = await Client(server.url, "Ada").open()
    await ada.hello()
    log = tmp_path / "data" / "store.log"
    log.unlink()
    log.mkdir()  # so that the store cannot write there
    os.kill(int((tmp_path / "data" / "store.pid").read_text()), signal.SIGKILL)
    await until(lambda: server.errors.count("cannot be run") >= 2)
    assert (await fetch(f"{server.url.replace('ws:', 'http:')}/healthz"))[0] == 200
    log.rmdir()
    await ada.create()
    await ada.close()
    server.terminate()
    assert await server.ended() == 0
    logged = [json.loads(line) for line in server.errors.splitlines()]
    assert [line for line in logged if "exception" in line] == []


async def test_a_connection_waits_while_the_store_starts_again(server: Process, tmp_path: Path) -> None:
    """What was asked in between is answered when it runs."""
    ada = await Client(server.url, "Ada").open()
    os.kill(int((tmp_path / "data" / "store.pid").read_text()), signal.SIGKILL)
    assert (await ada.hello())["type"] == "welcome"
    await ada.close()


class Dying(EmbeddedRedis):
    """A private store that is dead, and takes until `may_live` to start again."""

    def __init__(self) -> None:
        self.starts = threading.Event()
        self.may_live = threading.Event()

    @property
    def running(self) -> bool:
        """Whether the server process lives."""
        return False

    def revive(self) -> bool:
        """Start the server again."""
        self.starts.set()
        return self.may_live.wait(PATIENCE_S)


async def test_a_server_that_stops_waits_until_its_store_is_not_being_started_any_more(
    ledger: Ledger,
) -> None:
    """A stop that did not wait would leave behind a store that has just been started."""
    store = Dying()
    keeper = asyncio.create_task(keep_alive(store, ledger))
    await asyncio.to_thread(store.starts.wait, PATIENCE_S)
    keeper.cancel()
    for _ in range(10):
        await asyncio.sleep(0)
    assert not keeper.done()
    store.may_live.set()
    await asyncio.wait([keeper])
    assert keeper.cancelled()

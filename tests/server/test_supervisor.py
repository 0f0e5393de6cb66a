"""Supervisor of a server: the private store and its restarts."""

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


async def test_a_restart_of_the_store_that_fails_is_retried(server: Process, tmp_path: Path) -> None:
    """When the operator has repaired a full disk or a wrong permission, the server continues."""
    ada = await Client(server.url, "Ada").open()
    await ada.hello()
    log = tmp_path / "data" / "store.log"
    log.unlink()
    log.mkdir()  # the store cannot write there
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


async def test_a_request_waits_while_the_store_restarts(server: Process, tmp_path: Path) -> None:
    """It is answered when the store is available."""
    ada = await Client(server.url, "Ada").open()
    os.kill(int((tmp_path / "data" / "store.pid").read_text()), signal.SIGKILL)
    assert (await ada.hello())["type"] == "welcome"
    await ada.close()


class Dying(EmbeddedRedis):
    """A private store that is dead. Its restart takes until `may_live` is set."""

    def __init__(self) -> None:
        self.starts = threading.Event()
        self.may_live = threading.Event()

    @property
    def running(self) -> bool:
        """Whether the server process runs."""
        return False

    def revive(self) -> bool:
        """Restart the server process."""
        self.starts.set()
        return self.may_live.wait(PATIENCE_S)


async def test_a_stopping_server_waits_for_a_running_restart_of_its_store(
    ledger: Ledger,
) -> None:
    """Stopping the store during its restart would leave a started process behind."""
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


@pytest.mark.parametrize("workers", [1, 2])
async def test_an_address_that_only_this_machine_reaches_is_logged_once(tmp_path: Path, workers: int) -> None:
    """Friends cannot use a link with it. The announced line stays as it is."""
    server = await Process.serving(
        "--data", tmp_path / "data", "--log-format", "json", "--workers", str(workers)
    )
    await until(lambda: '"ready"' in server.errors)
    server.terminate()
    assert await server.ended() == 0
    logged = [json.loads(line) for line in server.errors.splitlines()]
    found = [(line["level"], line["host"]) for line in logged if "can connect" in line["event"]]
    assert found == [("info", "127.0.0.1")]
    await server.close()

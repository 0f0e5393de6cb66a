"""Stores of both kinds, and a proxy that loses commands or answers."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Literal

import pytest
import uvloop

from server.store.embedded import EmbeddedRedis
from server.store.memory import MemoryStore
from server.store.redis.client import RedisClient
from server.store.redis.store import RedisStore

Loses = Literal["nothing", "commands", "answers", "all answers"]


def pytest_asyncio_loop_factories() -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Use the event loop of the server."""
    return {"uvloop": uvloop.new_event_loop}


@pytest.fixture
async def redis_store(redis_server: EmbeddedRedis, prefix: str) -> AsyncIterator[RedisStore]:
    """A store on the shared server."""
    store = await RedisStore.open(redis_server.url, prefix)
    yield store
    await store.aclose()


@pytest.fixture
async def open_store() -> AsyncIterator[Callable[..., Awaitable[RedisStore]]]:
    """Open stores that are closed after the test."""
    opened: list[RedisStore] = []

    async def open_one(url: str, prefix: str = "", timeout: float = 2.0) -> RedisStore:  # noqa: ASYNC109
        opened.append(await RedisStore.open(url, prefix, timeout))
        return opened[-1]

    yield open_one
    for store in opened:
        await store.aclose()


@pytest.fixture
async def memory_store() -> MemoryStore:
    """A store in memory, on the clock of the machine."""
    return MemoryStore(lambda: time.time_ns() // 1_000_000)


@pytest.fixture(autouse=True)
async def nothing_left_behind(caplog: pytest.LogCaptureFixture) -> AsyncIterator[None]:
    """Fail a test that leaves a task running, or an error in `caplog`."""
    yield
    left = asyncio.all_tasks() - {asyncio.current_task()}
    assert not left
    assert [record.message for record in caplog.records if record.levelno >= logging.ERROR] == []


class Proxy:
    """Proxy between a store and its server that loses commands before, or answers after, their execution.

    A lost command or answer breaks its connection and is the only one; all answers are lost without a sign.
    """

    def __init__(self, target: EmbeddedRedis, path: Path) -> None:
        self.url = f"unix://{path}"
        self.loses: Loses = "nothing"
        self.lost = asyncio.Event()
        self._target = target
        self._path = path
        self._listening: asyncio.Server | None = None
        self._pairs: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Accept connections."""
        self._listening = await asyncio.start_unix_server(self._accept, self._path)

    async def aclose(self) -> None:
        """Refuse new connections and break the old ones."""
        if self._listening is not None:
            self._listening.close()
        for pair in list(self._pairs):
            pair.cancel()
        if self._pairs:
            await asyncio.wait(self._pairs)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._pairs.add(task)
        try:
            with suppress(OSError, asyncio.CancelledError):
                await self._join(reader, writer)
        finally:
            writer.close()
            self._pairs.discard(task)

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answers, commands = await asyncio.open_unix_connection(self._target.address.path)
        ways = [
            asyncio.create_task(self._carry(reader, commands, "commands")),
            asyncio.create_task(self._carry(answers, writer, "answers")),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            commands.close()
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)

    async def _carry(
        self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, what: Literal["commands", "answers"]
    ) -> None:
        while data := await source.read(1 << 16):
            if self.loses == what:
                self.loses = "nothing"
                self.lost.set()
                return
            if self.loses == "all answers" and what == "answers":
                continue
            sink.write(data)


@pytest.fixture
async def proxy(redis_server: EmbeddedRedis, tmp_path: Path) -> AsyncIterator[Proxy]:
    """A proxy before the shared server."""
    proxy = Proxy(redis_server, tmp_path / "proxy.sock")
    await proxy.open()
    yield proxy
    await proxy.aclose()


FakeServer = Callable[[bytes], Awaitable[str]]


@pytest.fixture
async def fake_server() -> AsyncIterator[FakeServer]:
    """Start servers that give the same answer to every command; return the address."""
    servers: list[asyncio.Server] = []

    async def serve(answer: bytes) -> str:
        async def answer_all(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            while await reader.read(1 << 16):
                writer.write(answer)
            writer.close()

        servers.append(await asyncio.start_server(answer_all, "127.0.0.1", 0))
        return f"redis://127.0.0.1:{servers[-1].sockets[0].getsockname()[1]}/0"

    yield serve
    for server in servers:
        server.close()
    await asyncio.sleep(0)


@pytest.fixture
async def command(redis_server: EmbeddedRedis) -> AsyncIterator[Callable[..., Awaitable[object]]]:
    """Execute commands on the shared server directly, bypassing the store under test."""
    client = RedisClient(redis_server.url, 5.0)
    yield client.execute
    await client.aclose()

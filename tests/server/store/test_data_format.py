"""Data format: a server starts on data of its own format or on none, and changes nothing otherwise."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from racetest import Process
from redis import Redis

from server.store import keys
from server.store.data_format import DATA_FORMAT, require_format
from server.store.embedded import EmbeddedRedis
from server.store.memory import MemoryStore
from server.store.port import Append, Commit, StoreRefused
from server.store.redis.cluster import open_store

Command = Callable[..., Awaitable[object]]


def refusal_of(address: str, found: int) -> str:
    return (
        f"The store at {address} has data of format {found}, but this server reads and writes format "
        f"{DATA_FORMAT}: start the version of Simon Race that wrote it, or use an empty folder (--data) "
        "or database (--redis, --redis-prefix)."
    )


async def test_an_empty_store_is_claimed_and_accepted_again(memory_store: MemoryStore) -> None:
    await require_format(memory_store, "memory")
    await memory_store.commit([Commit((Append(keys.player_log("p"), 0, (b"x",)),))])
    await require_format(memory_store, "memory")
    assert await memory_store.claim_format(DATA_FORMAT + 1) == DATA_FORMAT


@pytest.mark.parametrize("found", [DATA_FORMAT - 1, DATA_FORMAT + 1])
async def test_a_store_of_another_format_is_refused_with_a_sentence(
    memory_store: MemoryStore, found: int
) -> None:
    """Older or newer: the message names what was found, what is written, and what to do."""
    await memory_store.claim_format(found)
    with pytest.raises(StoreRefused) as raised:
        await require_format(memory_store, "memory")
    assert str(raised.value) == refusal_of("memory", found)


async def test_opening_a_store_checks_the_format(
    redis_server: EmbeddedRedis, prefix: str, command: Command
) -> None:
    """A store that is opened by its address has the format of this server, or is not opened."""
    store = await open_store(redis_server.url, prefix)
    await store.aclose()
    assert await command("GET", f"{prefix}format") == b"%d" % DATA_FORMAT
    await command("SET", f"{prefix}format", DATA_FORMAT + 1)
    with pytest.raises(StoreRefused) as raised:
        await open_store(redis_server.url, prefix)
    assert str(raised.value) == refusal_of(redis_server.url, DATA_FORMAT + 1)


async def ended(*words: str | Path) -> tuple[int, str]:
    """Start a server that cannot start; return its exit code and the last line of its output."""
    server = await Process.start("--port", "0", *words)
    code = await server.ended()
    assert "Traceback" not in server.errors
    return code, server.errors.splitlines()[-1]


def contents(redis: Redis, pattern: str) -> dict[bytes, bytes | None]:
    """Return every key of a pattern with its serialized value."""
    return {key: redis.dump(key) for key in redis.scan_iter(pattern)}


@pytest.mark.parametrize("workers", ["1", "2"])
async def test_a_server_does_not_start_on_data_without_a_number_and_leaves_it_unchanged(
    redis_server: EmbeddedRedis, prefix: str, workers: str
) -> None:
    with Redis.from_url(redis_server.url) as redis:
        redis.rpush(f"{prefix}player:p", "entry")
        redis.zadd(f"{prefix}agenda:rooms", {"BCDFG": 1})
        before = contents(redis, f"{prefix}*")
        words = ("--redis", redis_server.url, "--redis-prefix", prefix, "--workers", workers)
        code, last = await ended(*words)
        assert (code, last) == (1, f"simonrace-server: {refusal_of(redis_server.url, 1)}")
        assert contents(redis, f"{prefix}*") == before


@pytest.mark.usefixtures("_service")
async def test_a_server_does_not_start_in_a_folder_of_another_format(tmp_path: Path) -> None:
    """The data is unchanged afterwards, and the same server starts in an empty folder."""
    folder = tmp_path / "data"
    for name in ("data", "empty"):
        server = await Process.serving("--data", tmp_path / name)
        server.terminate()
        assert await server.ended() == 0
    with EmbeddedRedis.start(folder) as embedded, Redis.from_url(embedded.url) as redis:
        redis.set("simonrace:format", DATA_FORMAT + 1)
        before = contents(redis, "*")
    code, last = await ended("--data", folder)
    refused = refusal_of(f"unix://{folder}/store.sock", DATA_FORMAT + 1)
    assert (code, last) == (1, f"simonrace-server: {refused}")
    with EmbeddedRedis.start(folder) as embedded, Redis.from_url(embedded.url) as redis:
        assert contents(redis, "*") == before
    server = await Process.serving("--data", tmp_path / "empty")
    server.terminate()
    assert await server.ended() == 0

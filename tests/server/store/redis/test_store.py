"""Redis store, beyond the contract: checks of the server, outages, prefixes, the data format."""

import os
import signal
from collections.abc import Awaitable, Callable

import pytest
from racetest import until

from server.store import keys
from server.store.embedded import EmbeddedRedis
from server.store.port import Append, Commit, Committed, StoreRefused, StoreUnavailable
from server.store.redis.client import RedisClient
from server.store.redis.store import RedisStore

FakeServer = Callable[[bytes], Awaitable[str]]
OpenStore = Callable[..., Awaitable[RedisStore]]

COMMIT = Commit((Append("a", 0, (b"x",)),))


def info(**fields: str) -> bytes:
    text = "# Server\r\n" + "".join(f"{name}:{value}\r\n" for name, value in fields.items())
    return f"${len(text)}\r\n{text}\r\n".encode()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"redis_version": "6.0.16"}, "is version 6.0.16: Redis or Valkey 6.2 or newer is needed."),
        ({"redis_version": "5"}, "is version 5: Redis or Valkey 6.2 or newer is needed."),
        (
            {"redis_version": "7.2.4", "role": "slave"},
            "is a read-only replica: give the address of its primary.",
        ),
    ],
)
async def test_an_unsuitable_server_is_refused_when_it_is_opened(
    fields: dict[str, str], words: str, fake_server: FakeServer
) -> None:
    with pytest.raises(StoreRefused, match=words):
        await RedisStore.open(await fake_server(info(**fields)))


async def test_an_unreachable_server_is_reported_when_it_is_opened() -> None:
    with pytest.raises(StoreUnavailable, match="check the address and that it runs"):
        await RedisStore.open("redis://127.0.0.1:1")


async def test_a_store_says_whether_its_server_keeps_an_append_only_file(
    own_server: EmbeddedRedis, open_store: OpenStore
) -> None:
    assert (await open_store(own_server.url)).durable
    await send(own_server, "CONFIG", "SET", "appendonly", "no")
    assert not (await open_store(own_server.url)).durable


async def send(server: EmbeddedRedis, *words: str | int | bytes) -> None:
    client = RedisClient(server.url, 5.0)
    await client.execute(*words)
    await client.aclose()


async def test_stores_with_different_prefixes_on_one_server_are_separate(
    redis_server: EmbeddedRedis, prefix: str, open_store: OpenStore
) -> None:
    ours, theirs = [await open_store(redis_server.url, f"{prefix}{name}:") for name in ("ours", "theirs")]
    await ours.commit([COMMIT])
    await ours.heartbeat("n", 60_000)
    await ours.schedule("schedule:rooms", "x", 1)
    await ours.post("leaderboard", "ann", 1, "lowest", b"", max_rows=9, ttl_s=60)
    assert await theirs.read("a") == []
    assert await theirs.alive(["n"]) == set()
    assert await theirs.due("schedule:rooms", 9, 9) == []
    assert await theirs.top("leaderboard", 9, "lowest") == []


async def test_the_script_is_loaded_again_after_the_server_has_lost_it(
    own_server: EmbeddedRedis, open_store: OpenStore
) -> None:
    store = await open_store(own_server.url)
    await send(own_server, "SCRIPT", "FLUSH")
    assert [type(outcome) for outcome in await store.commit([COMMIT])] == [Committed]
    assert await store.read("a") == [b"x"]


async def test_answered_commits_survive_a_killed_server(
    own_server: EmbeddedRedis, open_store: OpenStore
) -> None:
    """The server is killed right after the answer, ten times."""
    store = await open_store(own_server.url)
    for number in range(10):
        entry = b"%d" % number
        [outcome] = await store.commit(
            [Commit((Append("a", number, (entry,)), Append(f"b{number}", 0, (entry,))))]
        )
        os.kill(own_server.pid, signal.SIGKILL)
        assert isinstance(outcome, Committed)
        await until(lambda: not own_server.running)
        assert own_server.revive()
        assert await store.read("a") == [b"%d" % each for each in range(number + 1)]
        assert await store.read(f"b{number}") == [entry]


async def test_a_full_server_and_a_replica_refuse_commits_and_write_nothing(
    own_server: EmbeddedRedis, open_store: OpenStore
) -> None:
    store = await open_store(own_server.url)
    await send(own_server, "CONFIG", "SET", "maxmemory", "1")
    with pytest.raises(StoreRefused, match="raise its maxmemory"):
        await store.commit([COMMIT])
    await send(own_server, "CONFIG", "SET", "maxmemory", "0")
    await send(own_server, "REPLICAOF", "127.0.0.1", "1")
    with pytest.raises(StoreRefused, match="give the address of its primary"):
        await store.commit([COMMIT])
    await send(own_server, "REPLICAOF", "NO", "ONE")
    assert await store.read("a") == []
    assert [type(outcome) for outcome in await store.commit([COMMIT])] == [Committed]


async def test_foreign_keys_do_not_count_as_data(own_server: EmbeddedRedis, open_store: OpenStore) -> None:
    """Neither keys of other programs, nor those that match our prefix only as a pattern."""
    await send(own_server, "MSET", "session:x", "1", "a*b:player:p", "2", "axb:player:p", "3")
    await send(own_server, "SET", b"p:\xff", "4")
    other = await open_store(own_server.url, "p:other:")
    await other.commit([Commit((Append(keys.player_log("p"), 0, (b"x",)),))])
    for prefix, found in (("", 7), ("p:", 7), ("a*b:", 1), ("a?b:", 7), ("p:other:", 1)):
        assert await (await open_store(own_server.url, prefix)).claim_format(7) == found


async def test_a_store_emptied_under_a_running_node_gets_its_number_again(
    own_server: EmbeddedRedis, open_store: OpenStore
) -> None:
    """Otherwise the data that the node writes from then on would count as format 1."""
    store = await open_store(own_server.url)
    assert await store.claim_format(7) == 7
    await send(own_server, "FLUSHALL")
    await store.heartbeat("n", 60_000)
    assert await (await open_store(own_server.url)).claim_format(8) == 7


async def test_a_refused_node_records_no_number(own_server: EmbeddedRedis, open_store: OpenStore) -> None:
    store = await open_store(own_server.url)
    await store.commit([Commit((Append(keys.player_log("p"), 0, (b"x",)),))])
    assert await store.claim_format(7) == 1
    await store.heartbeat("n", 60_000)
    assert await store.claim_format(7) == 1


async def test_a_format_that_is_no_number_is_refused(
    own_server: EmbeddedRedis, open_store: OpenStore
) -> None:
    store = await open_store(own_server.url, "p:")
    await send(own_server, "SET", "p:format", "something else")
    with pytest.raises(StoreRefused, match="does not contain the number of a data format: choose"):
        await store.claim_format(7)


async def test_a_key_of_another_type_is_reported(own_server: EmbeddedRedis, open_store: OpenStore) -> None:
    store = await open_store(own_server.url, "p:")
    await send(own_server, "SET", "p:a", "something else")
    with pytest.raises(StoreRefused, match="choose another prefix or database number"):
        await store.commit([COMMIT])

"""Redis Cluster: commits go to the servers that have their keys, and keys may move."""

import asyncio
import subprocess
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from chaostest import LocalCluster
from chaostest.cluster import free_ports
from racetest import until
from redis import Redis
from redis.exceptions import RedisError

from server.store import keys
from server.store.embedded import EmbeddedRedis
from server.store.embedded.setup import find_binary
from server.store.journal import Journal
from server.store.port import (
    Append,
    Commit,
    Committed,
    Conflict,
    Outcome,
    Publish,
    RankedMember,
    StoreRefused,
    StoreUnavailable,
)
from server.store.redis.client import slot_of
from server.store.redis.cluster import RedisClusterStore, open_store
from server.store.redis.store import RedisStore

ROOMS = ("BCDFG", "HJKMN", "PQRTV", "WXYBC", "DFGHJ", "KMNPQ")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory, _service: None) -> Iterator[LocalCluster]:
    """A cluster of three servers, shared by all tests of this file."""
    with LocalCluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture
async def store(cluster: LocalCluster, prefix: str) -> AsyncIterator[RedisClusterStore]:
    store = await RedisClusterStore.open(cluster.url, prefix)
    yield store
    await store.aclose()


def room_commit(room: str, expected: int = 0) -> Commit:
    """Return a commit of an entry in a room's log and one in a game's."""
    game = keys.game_log(room, 1, "player")
    return Commit((Append(keys.room_log(room), expected, (b"r",)), Append(game, expected, (b"g",))))


@contextmanager
def replica_of(cluster: LocalCluster, number: int, folder: Path) -> Iterator[Redis]:
    """Run a replica of one server."""
    port, bus = free_ports(2)
    settings = f"--port {port} --cluster-port {bus} --bind 127.0.0.1 --cluster-enabled yes --logfile log"
    durable = "--appendonly yes --appendfsync always"
    process = subprocess.Popen([find_binary(), *settings.split(), *durable.split(), "--dir", str(folder)])
    try:
        with Redis(port=port) as replica, Redis.from_url(cluster.urls[number]) as primary:
            wait_for(replica.ping)
            primary.config_set("repl-diskless-sync-delay", 0)
            for at, url in enumerate(cluster.urls):  # each, so that none waits for gossip
                host, known = url.removeprefix("redis://").removesuffix("/0").split(":")
                replica.execute_command("CLUSTER", "MEET", host, known, cluster.bus(at))
            name = primary.execute_command("CLUSTER", "MYID")
            wait_for(lambda: replica.execute_command("CLUSTER", "REPLICATE", name))
            wait_for(lambda: replica.info("replication")["master_link_status"] == "up")
            for url in cluster.urls:
                with Redis.from_url(url) as each:
                    wait_for(lambda each=each: "slave" in str(each.execute_command("CLUSTER", "NODES")))  # type: ignore[misc]
            yield replica
    finally:
        process.kill()
        process.wait()


def first_slots(url: str) -> str:
    """Return which servers have the first slots, by the word of one server; the first serves them."""
    with Redis.from_url(url) as client:
        ranges = client.execute_command("CLUSTER", "SLOTS")
        return str(min(ranges)[2][1])


def wait_for(condition: Callable[[], object]) -> None:
    """Wait until a condition holds and Redis answers it."""
    deadline = time.monotonic() + 20
    while True:
        try:
            if condition():
                return
        except RedisError:
            assert time.monotonic() < deadline
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_all_keys_of_a_room_are_in_one_slot_and_rooms_in_many() -> None:
    slots = {slot_of(keys.room_log(room)) for room in ROOMS}
    assert len(slots) == len(ROOMS)
    assert {slot_of(keys.game_log(room, 2, "p")) for room in ROOMS} == slots
    assert slot_of(keys.leaderboard("C", "time")) == slot_of(keys.leaderboard("C", "time") + ":details")


async def test_the_address_of_one_server_opens_the_whole_cluster(
    cluster: LocalCluster, redis_server: EmbeddedRedis, prefix: str
) -> None:
    for url, kind in ((cluster.url, RedisClusterStore), (redis_server.url, RedisStore)):
        store = await open_store(url, prefix)
        assert (type(store), store.durable) == (kind, True)
        await store.aclose()


async def test_one_of_several_addresses_may_be_down(cluster: LocalCluster, prefix: str) -> None:
    """At the start, and while slots are read again; the credentials and the database are those of all."""
    down, *up = [url.removeprefix("redis://").removesuffix("/0") for url in cluster.urls]
    (unused,) = free_ports(1)
    for hosts in ([f"127.0.0.1:{unused}", *up], [f"127.0.0.1:{unused}", down], [down, f"127.0.0.1:{unused}"]):
        store = await open_store(f"redis://{','.join(hosts)}/0", f"{prefix}{hosts}:")
        assert type(store) is RedisClusterStore
        assert store.durable
        outcomes = await store.commit([room_commit(room) for room in ROOMS])
        assert {type(outcome) for outcome in outcomes} == {Committed}
        await store.aclose()


@pytest.mark.usefixtures("_service")
async def test_a_server_starts_while_the_first_address_is_down_and_its_replica_serves(
    tmp_path: Path, prefix: str
) -> None:
    """A server that restarts during a fail-over must not wait for the repair of the primary."""
    with LocalCluster(tmp_path) as cluster, replica_of(cluster, 0, tmp_path) as replica:
        cluster.kill(0)
        replica.execute_command("CLUSTER", "FAILOVER", "TAKEOVER")  # type: ignore[no-untyped-call]
        url = f"{cluster.urls[0].removesuffix('/0')},{cluster.urls[1].removeprefix('redis://')}"

        taken_over = str(replica.connection_pool.connection_kwargs["port"])
        wait_for(lambda: taken_over == first_slots(cluster.urls[1]))
        store = await open_store(url, prefix)
        outcomes = await store.commit([room_commit(room) for room in ROOMS])
        assert {type(outcome) for outcome in outcomes} == {Committed}
        await store.aclose()
        with pytest.raises(StoreUnavailable):
            await open_store(cluster.urls[0], prefix)


async def test_several_addresses_that_are_all_down_are_all_named(prefix: str) -> None:
    first, second = free_ports(2)
    with pytest.raises(StoreUnavailable, match=f":{first}.*:{second}"):
        await open_store(f"redis://127.0.0.1:{first},127.0.0.1:{second}/0", prefix)


async def test_several_addresses_without_a_cluster_are_refused(
    own_server: EmbeddedRedis, prefix: str
) -> None:
    """Two single servers would be two stores, of which a server chooses one by chance."""
    with Redis.from_url(own_server.url) as redis:
        redis.config_set("bind", "127.0.0.1")
        (port,) = free_ports(1)
        redis.config_set("port", port)
    with pytest.raises(StoreRefused, match="is not a server of a cluster: give --redis one address"):
        await open_store(f"redis://127.0.0.1:{port},127.0.0.1:{port}/0", prefix)


async def test_a_batch_over_many_rooms_is_made_as_on_one_server(store: RedisClusterStore) -> None:
    """Each commit is made as a whole or refused, later ones see earlier ones, and outcomes are in order."""
    await store.commit([room_commit(ROOMS[0])])
    again = [room_commit(room) for room in ROOMS] + [room_commit(room, 1) for room in ROOMS]
    outcomes = await store.commit([*again, Commit((Append(keys.player_log("p"), 0, (b"p",), ttl_s=60),))])
    refused = Conflict(keys.room_log(ROOMS[0]), 1)
    assert [outcome for outcome in outcomes if isinstance(outcome, Conflict)] == [refused, refused]
    assert [at for at, outcome in enumerate(outcomes) if outcome == refused] == [0, len(ROOMS)]
    for room in ROOMS[1:]:
        assert await store.read(keys.room_log(room)) == [b"r", b"r"]
        assert await store.length(keys.game_log(room, 1, "player")) == 2
    assert await store.read(keys.player_log("p")) == [b"p"]


async def test_the_format_is_claimed_once_for_the_whole_cluster(
    cluster: LocalCluster, store: RedisClusterStore, prefix: str
) -> None:
    """Data on any of the servers counts, and nodes that start at once agree."""
    for number, room in enumerate(ROOMS):
        old = await RedisClusterStore.open(cluster.url, f"{prefix}{number}:")
        await old.commit([room_commit(room)])
        assert await old.claim_format(7) == 1
        await old.aclose()
    other = await RedisClusterStore.open(cluster.url, prefix)
    first, second = await asyncio.gather(store.claim_format(7), other.claim_format(8))
    assert first == second
    assert first in (7, 8)
    await other.aclose()


async def test_there_is_one_clock(store: RedisClusterStore) -> None:
    before = await store.now_ms()
    outcomes = await store.commit([room_commit(room) for room in ROOMS])
    times = {outcome.at_ms for outcome in outcomes if isinstance(outcome, Committed)}
    assert len(times) == 1
    assert before <= times.pop() <= await store.now_ms()


async def test_schedules_leaderboards_and_heartbeats_are_found_on_their_servers(
    store: RedisClusterStore,
) -> None:
    await store.schedule(keys.rooms_schedule(), "ROOM", 5)
    assert await store.due(keys.rooms_schedule(), 9, 10) == ["ROOM"]
    assert await store.unschedule(keys.rooms_schedule(), "ROOM", 9)
    leaderboard = keys.leaderboard("SS1-S1-AAAAABD", "time")
    assert await store.post(leaderboard, "ann", 7, "lowest", b"detail", max_rows=9, ttl_s=60)
    assert await store.top(leaderboard, 3, "lowest") == [RankedMember("ann", 7, b"detail")]
    for node in "abc":
        await store.heartbeat(node, 60_000)
    assert await store.alive("abcd") == set("abc")


async def test_messages_reach_an_inbox_from_every_server(store: RedisClusterStore) -> None:
    received: list[bytes] = []
    subscriber = store.subscribe("inbox:a", received.append, lambda: None)
    await subscriber.subscribed()
    commits = [Commit(room_commit(room).appends, (Publish("inbox:a", room.encode()),)) for room in ROOMS]
    await store.commit([*commits, Commit((), (Publish("inbox:a", b"alone"),))])
    await until(lambda: len(received) == len(ROOMS) + 1)
    assert set(received) == {room.encode() for room in ROOMS} | {b"alone"}
    await subscriber.aclose()


async def test_keys_that_have_moved_are_found_again(
    cluster: LocalCluster, store: RedisClusterStore, prefix: str
) -> None:
    """The old server refuses the command without executing it; the journal then sends the commit again."""
    room = "NOKEY"  # a slot without keys can be moved without migration
    await store.length(keys.room_log(room))
    move_slot(cluster, slot_of(prefix + keys.room_log(room)))
    with pytest.raises(StoreUnavailable, match="has given its keys away"):
        await store.length(keys.room_log(room))
    assert await store.length(keys.room_log(room)) == 0
    move_slot(cluster, slot_of(prefix + keys.room_log(room)))  # again without the knowledge of the store
    journal = Journal(store)
    await journal.start()
    made: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
    journal.submit(room_commit(room), made.set_result)
    async with asyncio.timeout(10):
        assert isinstance(await made, Committed)
    await journal.aclose()
    assert await store.read(keys.room_log(room)) == [b"r"]


def move_slot(cluster: LocalCluster, slot: int) -> None:
    """Move an empty slot from its server to the next one."""
    clients = [Redis.from_url(url) for url in cluster.urls]
    names = [run(client, "CLUSTER", "MYID").decode() for client in clients]
    owner = next(
        third[0].decode()
        for first, last, (_, _, *third), *_ in run(clients[0], "CLUSTER", "SLOTS")
        if first <= slot <= last
    )
    new = names[(names.index(owner) + 1) % len(names)]
    order = sorted(range(len(names)), key=lambda at: names[at] != new)  # the new owner is informed first
    for at in order:
        run(clients[at], "CLUSTER", "SETSLOT", slot, "NODE", new)
        clients[at].close()


def run(client: Redis, *words: str | int) -> Any:
    return client.execute_command(*words)  # type: ignore[no-untyped-call]

"""What is particular about a Redis Cluster: commits go where their keys are, and keys may move."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from ordeal import LocalCluster
from racetest import until
from redis import Redis

from server.store import keys
from server.store.embedded import EmbeddedRedis
from server.store.journal import Journal
from server.store.port import Append, Commit, Committed, Conflict, Notice, Outcome, Ranked, StoreAway
from server.store.redis_cluster import RedisClusterStore, open_store
from server.store.redis_link import slot_of
from server.store.redis_store import RedisStore

ROOMS = ("BCDFG", "HJKMN", "PQRTV", "WXYBC", "DFGHJ", "KMNPQ")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory, _service: None) -> Iterator[LocalCluster]:
    """Three servers, which all tests of this file share."""
    with LocalCluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture
async def store(cluster: LocalCluster, prefix: str) -> AsyncIterator[RedisClusterStore]:
    store = await RedisClusterStore.open(cluster.url, prefix)
    yield store
    await store.aclose()


def room_commit(room: str, expected: int = 0) -> Commit:
    """Make an entry in a room's log and one in a game's, all or nothing."""
    game = keys.game_log(room, 1, "player")
    return Commit((Append(keys.room_log(room), expected, (b"r",)), Append(game, expected, (b"g",))))


def test_all_keys_of_a_room_are_in_one_slot_and_rooms_in_many() -> None:
    slots = {slot_of(keys.room_log(room)) for room in ROOMS}
    assert len(slots) == len(ROOMS)
    assert {slot_of(keys.game_log(room, 2, "p")) for room in ROOMS} == slots
    assert slot_of(keys.board("C", "time")) == slot_of(keys.board("C", "time") + ":details")


async def test_an_address_of_a_cluster_opens_the_whole_of_it(
    cluster: LocalCluster, redis_server: EmbeddedRedis, prefix: str
) -> None:
    for url, kind in ((cluster.url, RedisClusterStore), (redis_server.url, RedisStore)):
        store = await open_store(url, prefix)
        assert (type(store), store.durable) == (kind, True)
        await store.aclose()


async def test_a_batch_over_many_rooms_is_made_as_on_one_server(store: RedisClusterStore) -> None:
    """Each commit all or nothing, later ones see earlier ones, the answers in order."""
    await store.commit([room_commit(ROOMS[0])])
    again = [room_commit(room) for room in ROOMS] + [room_commit(room, 1) for room in ROOMS]
    outcomes = await store.commit([*again, Commit((Append(keys.player_log("p"), 0, (b"p",), keep_s=60),))])
    refused = Conflict(keys.room_log(ROOMS[0]), 1)
    assert [outcome for outcome in outcomes if isinstance(outcome, Conflict)] == [refused, refused]
    assert [at for at, outcome in enumerate(outcomes) if outcome == refused] == [0, len(ROOMS)]
    for room in ROOMS[1:]:
        assert await store.read(keys.room_log(room)) == [b"r", b"r"]
        assert await store.length(keys.game_log(room, 1, "player")) == 2
    assert await store.read(keys.player_log("p")) == [b"p"]


async def test_there_is_one_clock(store: RedisClusterStore) -> None:
    before = await store.now_ms()
    outcomes = await store.commit([room_commit(room) for room in ROOMS])
    times = {outcome.at_ms for outcome in outcomes if isinstance(outcome, Committed)}
    assert len(times) == 1
    assert before <= times.pop() <= await store.now_ms()


async def test_everything_else_is_found_where_it_is(store: RedisClusterStore) -> None:
    await store.schedule(keys.rooms_agenda(), "ROOM", 5)
    assert await store.due(keys.rooms_agenda(), 9, 10) == ["ROOM"]
    assert await store.unschedule(keys.rooms_agenda(), "ROOM", 9)
    board = keys.board("SS1-S1-AAAAABD", "time")
    assert await store.post(board, "ann", 7, "lowest", b"detail", most=9, keep_s=60)
    assert await store.top(board, 3, "lowest") == [Ranked("ann", 7, b"detail")]
    for node in "abc":
        await store.beat(node, 60_000)
    assert await store.alive("abcd") == set("abc")


async def test_news_comes_to_an_inbox_from_whichever_server(store: RedisClusterStore) -> None:
    heard: list[bytes] = []
    listener = store.listen("inbox:a", heard.append, lambda: None)
    await listener.opened()
    told = [Commit(room_commit(room).appends, (Notice("inbox:a", room.encode()),)) for room in ROOMS]
    await store.commit([*told, Commit((), (Notice("inbox:a", b"alone"),))])
    await until(lambda: len(heard) == len(ROOMS) + 1)
    assert set(heard) == {room.encode() for room in ROOMS} | {b"alone"}
    await listener.aclose()


async def test_keys_that_have_moved_are_found_again(
    cluster: LocalCluster, store: RedisClusterStore, prefix: str
) -> None:
    """Whoever asks the old server is told so, and nothing ran; the journal then sends again."""
    room = "NOKEY"  # only a slot without keys can be given away just like that
    await store.length(keys.room_log(room))
    move_slot(cluster, slot_of(prefix + keys.room_log(room)))
    with pytest.raises(StoreAway, match="has given its keys away"):
        await store.length(keys.room_log(room))
    assert await store.length(keys.room_log(room)) == 0
    move_slot(cluster, slot_of(prefix + keys.room_log(room)))  # the store does not know that either
    journal = Journal(store)
    await journal.start()
    made: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
    journal.submit(room_commit(room), made.set_result)
    async with asyncio.timeout(10):
        assert isinstance(await made, Committed)
    await journal.aclose()
    assert await store.read(keys.room_log(room)) == [b"r"]


def move_slot(cluster: LocalCluster, slot: int) -> None:
    """Give an empty slot to the server behind the one that has it."""
    clients = [Redis.from_url(url) for url in cluster.urls]
    names = [run(client, "CLUSTER", "MYID").decode() for client in clients]
    owner = next(
        third[0].decode()
        for first, last, (_, _, *third), *_ in run(clients[0], "CLUSTER", "SLOTS")
        if first <= slot <= last
    )
    new = names[(names.index(owner) + 1) % len(names)]
    order = sorted(range(len(names)), key=lambda at: names[at] != new)  # the new owner hears of it first
    for at in order:
        run(clients[at], "CLUSTER", "SETSLOT", slot, "NODE", new)
        clients[at].close()


def run(client: Redis, *words: str | int) -> Any:
    return client.execute_command(*words)  # type: ignore[no-untyped-call]

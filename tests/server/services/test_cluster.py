"""Nodes that know of each other by their signs of life, and when these can be believed."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeAlias

import pytest
from racetest import until

from server.services.cluster import BEAT_S, LIFE_MS, Cluster
from server.store import keys
from server.store.journal import Journal
from server.store.memory import MemoryStore

LIFE_S = LIFE_MS / 1000


class Clock:
    """The one time of the store and of all nodes, in seconds."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


StartPeers: TypeAlias = Callable[[str], Awaitable[Cluster]]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(clock: Clock) -> MemoryStore:
    return MemoryStore(lambda: int(1000 * clock.now))


@pytest.fixture
async def peers(store: MemoryStore, clock: Clock) -> AsyncIterator[StartPeers]:
    """Make nodes that have shown their first sign."""
    journals: list[Journal] = []

    async def start(node: str) -> Cluster:
        journals.append(Journal(store, monotonic=clock))
        await journals[-1].start()
        made = Cluster(store, journals[-1], node, clock)
        await made.beat()
        return made

    yield start
    for journal in journals:
        await journal.aclose()


async def live_room(clock: Clock, seconds: float, *nodes: Cluster) -> None:
    """Let time pass, in which these nodes show their signs of life."""
    until_then = clock.now + seconds
    while clock.now < until_then:
        clock.now += BEAT_S
        for node in nodes:
            await node.beat()


async def test_a_node_without_a_heartbeat_for_long_is_dead(peers: StartPeers, clock: Clock) -> None:
    a = await peers("a")
    await peers("b")
    await live_room(clock, LIFE_S - BEAT_S, a)
    await live_room(clock, 2 * BEAT_S, a)
    assert await a.dead({"a", "b"}) == {"b"}


async def test_a_node_that_has_just_started_does_not_know_who_is_dead(
    peers: StartPeers, clock: Clock
) -> None:
    """The store may have been away until now, and all signs have run out."""
    a = await peers("a")
    assert await a.dead({"b"}) is None
    await live_room(clock, LIFE_S, a)
    assert await a.dead({"b"}) == {"b"}


async def test_a_node_whose_own_heartbeat_was_late_does_not_know_for_a_lifetime(
    peers: StartPeers, clock: Clock
) -> None:
    """It stood still, or the store was away; the others get the time to show that they live."""
    a, b = await peers("a"), await peers("b")
    await live_room(clock, 2 * LIFE_S, a, b)
    clock.now += 2 * LIFE_S
    assert await a.dead({"b"}) is None
    await a.beat()
    assert await a.dead({"b"}) is None
    await live_room(clock, LIFE_S, a, b)
    assert await a.dead({"b"}) == set()


async def test_a_node_that_leaves_is_dead_at_once_and_stays_dead(
    peers: StartPeers, store: MemoryStore, clock: Clock
) -> None:
    """A sign of life that was under way when the node left does not bring it back."""
    a, b = await peers("a"), await peers("b")
    await live_room(clock, LIFE_S, a, b)
    await b.leave()
    clock.now += 0.001
    await b.beat()
    assert await a.dead({"b"}) == {"b"}
    assert await store.due(keys.nodes_agenda(), int(1000 * (clock.now + 10 * LIFE_S)), 10) == ["a"]


async def test_a_broadcast_reaches_every_other_node(peers: StartPeers, store: MemoryStore) -> None:
    heard: dict[str, list[bytes]] = {}
    listeners = [
        store.listen(keys.inbox(node), heard.setdefault(node, []).append, lambda: None)
        for node in ("a", "b", "c")
    ]
    a, *_ = [await peers(node) for node in ("a", "b", "c")]
    await a.beat()
    a.broadcast(b"news")
    await until(lambda: heard["b"] and heard["c"])
    assert heard == {"a": [], "b": [b"news"], "c": [b"news"]}
    for listener in listeners:
        await listener.aclose()

"""Nodes on one store: heartbeats, and when they prove that a node is dead."""

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
    """The clock of the store and of all nodes, in seconds."""

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
    """Create nodes that have sent their first heartbeat."""
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


async def let_time_pass(clock: Clock, seconds: float, *nodes: Cluster) -> None:
    """Advance the clock, while these nodes send their heartbeats."""
    until_then = clock.now + seconds
    while clock.now < until_then:
        clock.now += BEAT_S
        for node in nodes:
            await node.beat()


async def test_a_node_without_a_heartbeat_for_ten_seconds_is_dead(peers: StartPeers, clock: Clock) -> None:
    a = await peers("a")
    await peers("b")
    await let_time_pass(clock, LIFE_S - BEAT_S, a)
    await let_time_pass(clock, 2 * BEAT_S, a)
    assert await a.dead({"a", "b"}) == {"b"}


async def test_a_node_that_has_just_started_does_not_know(peers: StartPeers, clock: Clock) -> None:
    """The store may have been unavailable until now, so that all heartbeats have expired."""
    a = await peers("a")
    assert await a.dead({"b"}) is None
    await let_time_pass(clock, LIFE_S, a)
    assert await a.dead({"b"}) == {"b"}


async def test_a_node_whose_own_heartbeat_was_late_does_not_know_for_ten_seconds(
    peers: StartPeers, clock: Clock
) -> None:
    """It was paused, or the store was unavailable; the other nodes get the time to send their heartbeats."""
    a, b = await peers("a"), await peers("b")
    await let_time_pass(clock, 2 * LIFE_S, a, b)
    clock.now += 2 * LIFE_S
    assert await a.dead({"b"}) is None
    await a.beat()
    assert await a.dead({"b"}) is None
    await let_time_pass(clock, LIFE_S, a, b)
    assert await a.dead({"b"}) == set()


async def test_a_node_that_leaves_is_dead_at_once_and_stays_dead(
    peers: StartPeers, store: MemoryStore, clock: Clock
) -> None:
    """A heartbeat that was under way when the node left does not bring it back."""
    a, b = await peers("a"), await peers("b")
    await let_time_pass(clock, LIFE_S, a, b)
    await b.leave()
    clock.now += 0.001
    await b.beat()
    assert await a.dead({"b"}) == {"b"}
    assert await store.due(keys.nodes_schedule(), int(1000 * (clock.now + 10 * LIFE_S)), 10) == ["a"]


async def test_a_broadcast_reaches_every_other_node(peers: StartPeers, store: MemoryStore) -> None:
    received: dict[str, list[bytes]] = {}
    listeners = [
        store.subscribe(keys.inbox(node), received.setdefault(node, []).append, lambda: None)
        for node in ("a", "b", "c")
    ]
    a, *_ = [await peers(node) for node in ("a", "b", "c")]
    await a.beat()
    a.broadcast(b"news")
    await until(lambda: received["b"] and received["c"])
    assert received == {"a": [], "b": [b"news"], "c": [b"news"]}
    for listener in listeners:
        await listener.aclose()

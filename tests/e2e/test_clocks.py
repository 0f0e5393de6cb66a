"""A race on a server whose store's clock is set while it runs."""

import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

import pytest
from racetest import CODE, Client, Ledger, solution, url_of

from server.config import Config
from server.node import Node
from server.store.memory import MemoryStore


@dataclass
class Clock:
    """The clock of a store's machine, which somebody may set."""

    set_by_ms: int = 0

    def __call__(self) -> int:
        return int(time.time() * 1000) + self.set_by_ms


@pytest.fixture
async def start() -> AsyncIterator[Callable[[MemoryStore], object]]:
    """Start nodes on a store, and stop them in the end."""
    nodes: list[Node] = []

    async def started(store: MemoryStore) -> Node:
        nodes.append(await Node.start(Config(port=0, drain_seconds=1.0), store, Ledger()))
        return nodes[-1]

    yield started
    for node in nodes:
        await node.stop()


@pytest.mark.parametrize("set_by_ms", [24 * 3_600_000, -24 * 3_600_000])
async def test_a_race_goes_on_when_the_store_s_clock_is_set(start: Callable, set_by_ms: int) -> None:  # type: ignore[type-arg]
    """No move is refused, times go on, the race ends, and its record says what happened."""
    clock = Clock()
    node = await start(MemoryStore(clock))
    ada = await Client(url_of(node), "Ada").open()
    await ada.hello()
    await ada.create(CODE)
    await ada.ready()
    await ada.start()
    await ada.racing()
    steps = solution()
    before = [(await ada.act("move", **step))["at_ms"] for step in steps[:5]][-1]
    clock.set_by_ms = set_by_ms
    await node.journal.sync()
    times = [(await ada.act("move", **step))["at_ms"] for step in steps[5:]]
    assert before <= times[0] <= times[-1] < before + 60_000
    assert times == sorted(times)
    (result,) = (await ada.expect("race_ended"))["results"]
    assert (result["state"], result["reached_ms"]) == ("won", times[-1])
    record = (await ada.ask("get_record", race=1))["record"]
    assert record["clock_jumped"] is True
    assert node.not_ready() is None
    await ada.close()

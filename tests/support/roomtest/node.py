"""The services of one node for its rooms, in memory and in virtual time."""

import asyncio
from collections.abc import Collection
from random import Random
from typing import Any, Final, Self

from racetest import Ledger

from roomtest.loop import advance, loop_time
from roomtest.store import GatedMemoryStore
from server.core.rules import Rules
from server.rooms.context import RoomContext
from server.rooms.counters import RoomCounters
from server.rooms.node_messages import LeaderboardChanged, from_bytes
from server.rooms.registry import RoomRegistry
from server.store import keys
from server.store.journal import Journal, JournalFull, OutcomeCallback
from server.store.port import Commit
from server.tasks import Tasks

EPOCH_MS: Final = 1_700_000_000_000
"""What the clock that all nodes share shows at loop time 0."""


class FakeDeals:
    """Source of deals that a test names."""

    def __init__(self) -> None:
        self.code = "SS1-S4-AAAAABD"
        self.drawn: list[tuple[int, bool]] = []
        self.held: asyncio.Event | None = None

    async def draw(self, suits: int, winnable: bool) -> str:
        """Return the code, once `held` is set if there is such an event."""
        self.drawn.append((suits, winnable))
        if self.held is not None:
            await self.held.wait()
        return self.code


class FakeFinishedRaces:
    """Keeps the races that are expected and projected."""

    def __init__(self) -> None:
        self.expected: list[tuple[str, int]] = []
        self.projected: list[tuple[str, int]] = []

    async def expect(self, room: str, number: int) -> None:
        """Keep a race that is about to end."""
        self.expected.append((room, number))

    async def project(self, room: str, number: int) -> None:
        """Keep a race that has ended."""
        self.projected.append((room, number))


class FullJournal(Journal):
    """A journal that takes nothing while it is `full`."""

    full = False

    def submit(self, commit: Commit, done: OutcomeCallback = lambda _: None) -> None:
        """Take a commit unless the journal is full."""
        if self.full:
            raise JournalFull("full")
        super().submit(commit, done)


class RoomNode:
    """One node: its context, its registry of rooms and the inbox that feeds it.

    `faults` are the exceptions of its background tasks, `loop_errors` what was reported to the event loop; a
    test that causes one takes it out. `clock_skew_ms` moves the node's clock.
    """

    def __init__(self, node: str, store: GatedMemoryStore, rules: Rules | None = None) -> None:
        self.store = store
        self.journal = FullJournal(store, monotonic=loop_time)
        self.clock_skew_ms = 0
        self.faults: list[BaseException] = []
        self.loop_errors: list[dict[str, Any]] = []
        self.tasks = Tasks(self.faults.append)
        self.deals = FakeDeals()
        self.finished_races = FakeFinishedRaces()
        self.log = Ledger()
        self.dead_nodes: set[str] | None = set()
        self._random = Random(node)
        self.drawn_codes: list[int] = []  # what the random source returns first
        self.context = RoomContext(
            node,
            store,
            self.journal,
            rules or Rules(),
            RoomCounters(),
            self.deals,
            self.now_ms,
            self.tasks.spawn,
            self.finished_races,
            self._dead,
            self.log,
        )
        self.rooms = RoomRegistry(self.context, self._below, max_rooms=100, keep_ms=3_600_000)
        self.deaf = False
        self._inbox = store.subscribe(keys.inbox(node), self._receive, self.rooms.read_again)

    @classmethod
    async def start(cls, node: str, store: GatedMemoryStore, rules: Rules | None = None) -> Self:
        """Make a node whose journal works."""
        made = cls(node, store, rules)
        await made.journal.start()
        return made

    @property
    def counters(self) -> RoomCounters:
        """The node's counters."""
        return self.context.counters

    def now_ms(self) -> int:
        """Return the time of the clock that all nodes share."""
        return shared_clock_ms() + self.clock_skew_ms

    async def tick(self) -> None:
        """Let the timers that are due now run, with all that they cause."""
        await advance(0.1)

    async def stop(self) -> None:
        """Stop as a killed process does: nothing is written any more."""
        self.rooms.close()
        await self.tasks.aclose()
        await self._inbox.aclose()
        await self.journal.aclose()

    def _receive(self, payload: bytes) -> None:
        message = from_bytes(payload)
        if not self.deaf and not isinstance(message, LeaderboardChanged):
            self.rooms.receive(message)

    def _below(self, bound: int) -> int:
        return self.drawn_codes.pop(0) if self.drawn_codes else self._random.randrange(bound)

    async def _dead(self, nodes: Collection[str]) -> set[str] | None:
        return None if self.dead_nodes is None else self.dead_nodes & set(nodes)


def shared_clock_ms() -> int:
    """Return the time of the clock that the store and all nodes share."""
    return EPOCH_MS + round(1000 * loop_time())

"""The nodes on one store: heartbeats, which nodes are dead, and messages to all of them."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Collection
from typing import Final

from server.store import keys
from server.store.journal import Journal, JournalFull
from server.store.port import Commit, Publish, Store
from server.tasks import repeat_every

BEAT_S: Final = 2.0
"""Interval of the heartbeats."""

LIFE_MS: Final = 10_000
"""A node counts as alive for this long after its last heartbeat: five intervals."""

_LATE_S: Final = 2 * BEAT_S
_MOST: Final = 1000
"""Most nodes that are looked at in one heartbeat."""


class Cluster:
    """Heartbeats of this node, and the other nodes whose heartbeats it sees."""

    def __init__(
        self, store: Store, journal: Journal, node: str, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._store = store
        self._journal = journal
        self._node = node
        self._monotonic = monotonic
        self._others: list[str] = []  # the other nodes at the last heartbeat
        self._turn = asyncio.Lock()  # held by the heartbeat or the leave that is under way
        self._left = False
        self._beaten_at = self._steady_since = monotonic()  # last heartbeat; since when none was late

    async def beat(self) -> None:
        """Send a heartbeat, and read which other nodes are alive. Raises StoreError."""
        async with self._turn:
            if not self._left:
                await self._beat()

    async def run(self) -> None:
        """Send heartbeats until cancelled."""
        await repeat_every(self.beat, BEAT_S)

    async def leave(self) -> None:
        """Stop the heartbeats, so that other nodes see at once that this one is gone. Raises StoreError."""
        async with self._turn:
            self._left = True
            await self._store.heartbeat(self._node, 1)
            now = await self._store.now_ms()
            await self._store.unschedule(keys.nodes_schedule(), self._node, now + LIFE_MS)

    async def dead(self, nodes: Collection[str]) -> set[str] | None:
        """Return those of these nodes that are dead, or None while that is unknown. Raises StoreError.

        Heartbeats expire when nodes die, but also while the store is unavailable or this node is paused. So
        the answer is known only after this node has sent its own heartbeats in time for `LIFE_MS`.
        """
        if self._is_late() or 1000 * (self._monotonic() - self._steady_since) < LIFE_MS:
            return None
        return set(nodes) - await self._store.alive(list(nodes))

    def broadcast(self, payload: bytes) -> None:
        """Send a message to the inboxes of all other nodes; it may be lost."""
        if self._others:
            messages = tuple(Publish(keys.inbox(node), payload) for node in self._others)
            with contextlib.suppress(JournalFull):
                self._journal.submit(Commit((), messages))

    async def _beat(self) -> None:
        store, schedule, now = self._store, keys.nodes_schedule(), await self._store.now_ms()
        await store.heartbeat(self._node, LIFE_MS)
        await store.schedule(schedule, self._node, now + LIFE_MS)
        for gone in await store.due(schedule, now, _MOST):
            await store.unschedule(schedule, gone, now)
        known = await store.due(schedule, now + 2 * LIFE_MS, _MOST)
        self._others = [node for node in known if node != self._node]
        if self._is_late():
            self._steady_since = self._monotonic()
        self._beaten_at = self._monotonic()

    def _is_late(self) -> bool:
        return self._monotonic() - self._beaten_at > _LATE_S

"""The other nodes on the same store: which live, which are dead, and telling all of them something."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Collection
from typing import Final

from server.store import keys
from server.store.journal import Journal, JournalFull
from server.store.port import Commit, Notice, Store
from server.tasks import repeat_every

BEAT_S: Final = 2.0
LIFE_MS: Final = 10_000
"""How long a node that shows no sign of life is taken to live: five beats."""

_LATE_S: Final = 2 * BEAT_S
_MOST: Final = 1000


class Peers:
    """The signs of life of this node, and the nodes whose signs it sees."""

    def __init__(
        self, store: Store, journal: Journal, node: str, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._store = store
        self._journal = journal
        self._node = node
        self._monotonic = monotonic
        self._others: list[str] = []
        self._turn = asyncio.Lock()
        self._left = False
        self._beaten_at = self._steady_since = monotonic()

    async def beat(self) -> None:
        """Show that this node lives, and learn which others do. Raises StoreTrouble."""
        async with self._turn:
            if not self._left:
                await self._beat()

    async def run(self) -> None:
        """Beat for ever."""
        await repeat_every(self.beat, BEAT_S)

    async def leave(self) -> None:
        """Let the others see that this node is gone, for ever. Raises StoreTrouble."""
        async with self._turn:
            self._left = True
            await self._store.beat(self._node, 1)
            now = await self._store.now_ms()
            await self._store.unschedule(keys.nodes_agenda(), self._node, now + LIFE_MS)

    async def dead(self, nodes: Collection[str]) -> set[str] | None:
        """Return those of these nodes that are dead, or None when nobody can tell. Raises StoreTrouble.

        Signs of life run out when their nodes die, but also while the store is away or while this node stands
        still: only who has shown its own in time for a whole life can tell.
        """
        if self._is_late() or 1000 * (self._monotonic() - self._steady_since) < LIFE_MS:
            return None
        return set(nodes) - await self._store.alive(list(nodes))

    def tell(self, payload: bytes) -> None:
        """Send something to every other node's inbox; what gets lost is lost."""
        if self._others:
            notices = tuple(Notice(keys.inbox(node), payload) for node in self._others)
            with contextlib.suppress(JournalFull):
                self._journal.submit(Commit((), notices))

    async def _beat(self) -> None:
        store, agenda, now = self._store, keys.nodes_agenda(), await self._store.now_ms()
        await store.beat(self._node, LIFE_MS)
        await store.schedule(agenda, self._node, now + LIFE_MS)
        for gone in await store.due(agenda, now, _MOST):
            await store.unschedule(agenda, gone, now)
        known = await store.due(agenda, now + 2 * LIFE_MS, _MOST)
        self._others = [node for node in known if node != self._node]
        if self._is_late():
            self._steady_since = self._monotonic()
        self._beaten_at = self._monotonic()

    def _is_late(self) -> bool:
        return self._monotonic() - self._beaten_at > _LATE_S

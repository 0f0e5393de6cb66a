"""The other nodes on the same store: which there are, and telling all of them something."""

import asyncio
import contextlib
from typing import Final

from server.store import keys
from server.store.port import Store, StoreTrouble

BEAT_S: Final = 2.0
LIFE_MS: Final = 10_000
"""How long a node that shows no sign of life is taken to live: five beats."""

_MOST: Final = 1000


class Peers:
    """The signs of life of this node, and the nodes whose signs it sees."""

    def __init__(self, store: Store, node: str) -> None:
        self._store = store
        self._node = node
        self._others: list[str] = []
        self._telling: set[asyncio.Task[None]] = set()

    async def beat(self) -> None:
        """Show that this node lives, and learn which others do. Raises StoreTrouble."""
        store, agenda, now = self._store, keys.nodes_agenda(), await self._store.now_ms()
        await store.beat(self._node, LIFE_MS)
        await store.schedule(agenda, self._node, now + LIFE_MS)
        for gone in await store.due(agenda, now, _MOST):
            await store.unschedule(agenda, gone, now)
        known = await store.due(agenda, now + 2 * LIFE_MS, _MOST)
        self._others = [node for node in known if node != self._node]

    async def run(self) -> None:
        """Beat for ever."""
        while True:
            await asyncio.sleep(BEAT_S)
            with contextlib.suppress(StoreTrouble):
                await self.beat()

    def tell(self, payload: bytes) -> None:
        """Send something to every other node's inbox; what gets lost is lost."""
        for node in self._others:
            task = asyncio.get_running_loop().create_task(self._send(node, payload))
            self._telling.add(task)
            task.add_done_callback(self._telling.discard)

    async def _send(self, node: str, payload: bytes) -> None:
        with contextlib.suppress(StoreTrouble):
            await self._store.publish(keys.inbox(node), payload)

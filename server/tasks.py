"""Tasks that nobody waits for, looked after: none is lost, and a fault in one is heard of."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from server.store.ending import end


class Tasks:
    """The background tasks of a node. `on_fault` gets what one of them raised."""

    def __init__(self, on_fault: Callable[[BaseException], None]) -> None:
        self._running: set[asyncio.Task[None]] = set()
        self._on_fault = on_fault
        self._closed = False

    def spawn(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine in the background; after the end nothing runs any more."""
        if self._closed:
            coroutine.close()
            return
        task = asyncio.get_running_loop().create_task(coroutine)
        self._running.add(task)
        task.add_done_callback(self._ended)

    def __len__(self) -> int:
        return len(self._running)

    async def aclose(self) -> None:
        """Cancel what still runs, and wait until it has ended."""
        self._closed = True
        await end(*self._running)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            self._on_fault(fault)

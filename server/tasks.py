"""Tasks that nobody waits for, looked after: none is lost, and a fault in one is heard of."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final

_INSIST_S: Final = 0.2


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
        """Cancel what still runs, and wait until it has ended.

        A task is cancelled again until it ends: a library that turns a cancellation into an error of its own
        would otherwise let a loop go on, and the server never stop.
        """
        self._closed = True
        while self._running:
            for task in tuple(self._running):
                task.cancel()
            await asyncio.wait(self._running, timeout=_INSIST_S)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            self._on_fault(fault)

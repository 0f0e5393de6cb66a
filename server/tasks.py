"""Background tasks: kept referenced, cancelled on close, exceptions reported."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from typing import Any

from server.store.ending import end
from server.store.port import StoreTrouble


class Tasks:
    """The background tasks of a node. `on_fault` is called with each exception that a task raised."""

    def __init__(self, on_fault: Callable[[BaseException], None]) -> None:
        self._running: set[asyncio.Task[None]] = set()
        self._on_fault = on_fault
        self._closed = False  # whether `spawn` ignores further tasks

    def spawn(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine in the background. After `aclose` it is closed without running."""
        if self._closed:
            coroutine.close()
            return
        task = asyncio.get_running_loop().create_task(coroutine)
        self._running.add(task)
        task.add_done_callback(self._ended)

    def __len__(self) -> int:
        return len(self._running)

    async def aclose(self) -> None:
        """Cancel all running tasks and wait until they have ended."""
        self._closed = True
        await end(*self._running)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            self._on_fault(fault)


async def repeat_every(work: Callable[[], Awaitable[object]], pause_s: float) -> None:
    """Run `work` every `pause_s` seconds until cancelled, also after an exception."""
    while True:
        with contextlib.suppress(StoreTrouble), report_exceptions():  # the journal reports the store
            await work()
        await asyncio.sleep(pause_s)


@contextlib.contextmanager
def report_exceptions() -> Iterator[None]:
    """Report an exception to the event loop and continue after the block. Raises StoreTrouble."""
    try:
        yield
    except StoreTrouble:
        raise
    except Exception as bug:
        asyncio.get_running_loop().call_exception_handler({"message": "upkeep failed", "exception": bug})

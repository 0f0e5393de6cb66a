"""Tasks that nobody waits for, looked after: none is lost, and a fault in one is heard of."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from typing import Any

from server.store.ending import end
from server.store.port import StoreTrouble


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


async def repeat_every(work: Callable[[], Awaitable[object]], pause_s: float) -> None:
    """Do a piece of work for ever; neither a bug in it nor a store that is away is the end of it."""
    while True:
        with contextlib.suppress(StoreTrouble), report_exceptions():  # the journal tells of the store
            await work()
        await asyncio.sleep(pause_s)


@contextlib.contextmanager
def report_exceptions() -> Iterator[None]:
    """Tell the loop of a bug and go on: what cannot be done must not cost what comes after it."""
    try:
        yield
    except StoreTrouble:
        raise
    except Exception as bug:
        asyncio.get_running_loop().call_exception_handler({"message": "upkeep failed", "exception": bug})

"""Background tasks: kept referenced, cancelled on close, exceptions reported."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from typing import Any

from server.store.cancellation import cancel_and_wait
from server.store.port import StoreError


class Tasks:
    """The background tasks of a node. `on_fault` receives every exception raised by one of them."""

    def __init__(self, on_fault: Callable[[BaseException], None]) -> None:
        self._running: set[asyncio.Task[None]] = set()  # the event loop keeps only weak references
        self._on_fault = on_fault
        self._closed = False

    def spawn(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine in the background; discard it if the tasks are closed."""
        if self._closed:
            coroutine.close()
            return
        task = asyncio.get_running_loop().create_task(coroutine)
        self._running.add(task)
        task.add_done_callback(self._ended)

    def __len__(self) -> int:
        return len(self._running)

    async def aclose(self) -> None:
        """Cancel the running tasks and wait until they have ended."""
        self._closed = True
        await cancel_and_wait(*self._running)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            self._on_fault(fault)


async def repeat_every(work: Callable[[], Awaitable[object]], pause_s: float) -> None:
    """Run `work` until cancelled, with a pause of `pause_s` seconds after each run.

    Bugs are reported and do not end the repetition; nor does an unavailable store, which the journal reports.
    """
    while True:
        with contextlib.suppress(StoreError), report_exceptions():
            await work()
        await asyncio.sleep(pause_s)


@contextlib.contextmanager
def report_exceptions() -> Iterator[None]:
    """Report exceptions of the block to the event loop's exception handler and suppress them.

    StoreError is not a bug and is raised again.
    """
    try:
        yield
    except StoreError:
        raise
    except Exception as bug:
        context = {"message": "background work failed", "exception": bug}
        asyncio.get_running_loop().call_exception_handler(context)

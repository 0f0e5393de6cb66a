"""Event loop whose time passes only when nothing else is left to do, and then at once.

A test that waits for 60 s takes no time, and what happens in which order does not depend on the machine.
"""

import asyncio
import selectors
from typing import Final

START_S: Final = 1_000.0
"""Time of a new loop."""

STUCK_S: Final = 5.0
"""Real seconds after which a loop in which nothing can happen any more fails the test."""


class _Selector(selectors.SelectSelector):
    """Selector that lets virtual time pass instead of waiting."""

    def __init__(self) -> None:
        super().__init__()
        self.now = START_S
        self.idle: list[asyncio.Future[None]] = []

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if ready or (timeout is not None and timeout <= 0):
            return ready
        if self.idle:
            waiting = self.idle.pop()
            if not waiting.done():
                waiting.set_result(None)
        elif timeout is not None:
            self.now += timeout
        elif not (ready := super().select(STUCK_S)):
            raise RuntimeError("the test waits for something that cannot happen any more")
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """Event loop in virtual time."""

    def __init__(self) -> None:
        self.virtual = _Selector()
        super().__init__(self.virtual)

    def time(self) -> float:
        """Return the virtual time, in seconds."""
        return self.virtual.now


def _running() -> VirtualLoop:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    return loop


def loop_time() -> float:
    """Return the time of the running loop, in seconds."""
    return asyncio.get_running_loop().time()


async def idle() -> None:
    """Return once everything that can happen at this time has happened."""
    waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    _running().virtual.idle.append(waiting)
    await waiting


async def advance(seconds: float) -> None:
    """Let time pass, with everything that happens meanwhile."""
    await asyncio.sleep(seconds)
    await idle()


def stand_still(seconds: float) -> None:
    """Let time pass in which the loop does nothing: the process was busy or stopped."""
    _running().virtual.now += seconds

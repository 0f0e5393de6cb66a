"""The end of a task that may lose its cancellation."""

import asyncio
from typing import Any, Final

_INSIST_S: Final = 0.2


async def end(*tasks: asyncio.Task[Any]) -> None:
    """Cancel tasks, and again, until they have ended; what they raise is theirs to tell.

    A library that turns a cancellation into an error of its own would otherwise let a loop go on for ever.
    """
    running = {task for task in tasks if not task.done()}
    while running:
        for task in running:
            task.cancel()
        _, running = await asyncio.wait(running, timeout=_INSIST_S)

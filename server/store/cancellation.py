"""Cancellation of tasks that may swallow it."""

import asyncio
from typing import Any, Final

_REPEAT_S: Final = 0.2


async def cancel_and_wait(*tasks: asyncio.Task[Any]) -> None:
    """Cancel tasks, repeatedly if necessary, and return when all of them have ended.

    A library may turn a cancellation into an error of its own; a loop that retries after errors would then
    keep running after a single `cancel()`. Exceptions of the tasks are not raised here.
    """
    running = {task for task in tasks if not task.done()}
    while running:
        for task in running:
            task.cancel()
        _, running = await asyncio.wait(running, timeout=_REPEAT_S)

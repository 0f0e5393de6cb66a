"""Wait for a condition, for a bounded time."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

PATIENCE_S: Final = 10.0
"""Seconds after which a wait has failed; no test comes near them."""


async def until(condition: Callable[[], object], within: float = PATIENCE_S) -> None:
    """Wait until a condition holds; fail if it does not in time."""

    async def holds() -> object:
        answer = condition()
        return await answer if isinstance(answer, Awaitable) else answer

    async with asyncio.timeout(within):
        while not await holds():  # noqa: ASYNC110 - what is waited for sets no event of ours
            await asyncio.sleep(0.002)

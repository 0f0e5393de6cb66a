"""Reading from a store that may be away for a while."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from server.store.port import StoreError

_T = TypeVar("_T")
_PAUSE_S: Final = 0.2


async def patiently(ask: Callable[[], Awaitable[_T]]) -> _T:
    """Ask the store again and again until it answers; for what somebody waits for anyhow."""
    while True:
        try:
            return await ask()
        except StoreError:
            await asyncio.sleep(_PAUSE_S)

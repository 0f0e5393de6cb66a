"""Reads that are repeated while the store is unavailable."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from server.store.port import StoreError

_T = TypeVar("_T")
_PAUSE_S: Final = 0.2


async def retry_while_unavailable(read: Callable[[], Awaitable[_T]]) -> _T:
    """Read from the store, again after each failure, until it answers."""
    while True:
        try:
            return await read()
        except StoreError:
            await asyncio.sleep(_PAUSE_S)

"""Tests of this folder run in virtual time and need no service."""

import asyncio
from collections.abc import Callable

from roomtest import VirtualLoop
from roomtest.fixtures import here, start_node, store

__all__ = ["here", "start_node", "store"]


def pytest_asyncio_loop_factories() -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Run on a loop whose time passes only when nothing else is left to do."""
    return {"virtual": VirtualLoop}

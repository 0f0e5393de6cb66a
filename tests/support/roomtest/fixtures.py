"""Fixtures of unit tests of rooms and sessions."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeAlias

import pytest

from roomtest.loop import idle
from roomtest.node import RoomNode, shared_clock_ms
from roomtest.store import GatedMemoryStore
from server.core.rules import Rules

StartRoomNode: TypeAlias = Callable[..., Awaitable[RoomNode]]
"""`await start_node("here", rules)`: start a node on the test's store."""


@pytest.fixture
async def store() -> GatedMemoryStore:
    """A store in memory, on the clock that all nodes share."""
    return GatedMemoryStore(shared_clock_ms)


@pytest.fixture
async def start_node(store: GatedMemoryStore) -> AsyncIterator[StartRoomNode]:
    """Start nodes; afterwards check that no fault was missed and that nothing is left."""
    nodes: list[RoomNode] = []
    loop_errors: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: loop_errors.append(context))

    async def start(node: str = "here", rules: Rules | None = None) -> RoomNode:
        made = await RoomNode.start(node, store, rules)
        made.loop_errors = loop_errors
        nodes.append(made)
        return made

    yield start
    store.reads.open()
    store.commits.open()
    await idle()
    for node in nodes:
        await node.stop()
    for node in nodes:
        assert node.faults == []
        assert node.log.errors == []
    assert loop_errors == []
    assert asyncio.all_tasks() == {asyncio.current_task()}


@pytest.fixture
async def here(start_node: StartRoomNode) -> RoomNode:
    """A node."""
    return await start_node()

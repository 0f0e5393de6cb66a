"""Connections that break."""

import asyncio
import random
from collections.abc import Sequence
from contextlib import AsyncExitStack
from functools import partial

import pytest
from chaostest import ClientGroup, Fleet, Proxy, check_invariants, stop_and_check
from chaostest.proxy import Direction


@pytest.mark.parametrize("direction", ["requests", "answers"])
async def test_lost_messages_are_carried_out_once(
    fleet: Fleet, client_count: int, direction: Direction
) -> None:
    """A move never arrives, or its answer does not. The client cannot know which."""
    servers = await fleet.start()
    async with AsyncExitStack() as stack:
        proxies = [await stack.enter_async_context(Proxy(server.address)) for server in servers]
        group = ClientGroup(fleet, client_count)
        for client in group.clients:
            client.address = partial(_any_of, proxies, client.rng)
        await group.create_room()
        await group.start()
        for share in (0.2, 0.5, 0.8):
            await group.wait_for_progress(share)
            await asyncio.gather(*(proxy.cut(direction) for proxy in proxies))
        await group.finish()
        await check_invariants(group)
        assert sum(proxy.cuts for proxy in proxies) >= 2 * client_count
        assert sum(client.repeats for client in group.clients) > client_count
        await stop_and_check(group, fleet)


async def test_all_clients_can_reconnect_at_once(fleet: Fleet, client_count: int) -> None:
    """All connections break together, three times, and each client reconnects to any server."""
    await fleet.start()
    group = ClientGroup(fleet, client_count)
    await group.create_room()
    await group.start()
    for share in (0.2, 0.5, 0.8):
        await group.wait_for_progress(share)
        for client in group.clients:
            client.reconnect()
    await group.finish()
    await check_invariants(group)
    assert min(client.connections for client in group.clients) >= 3
    await stop_and_check(group, fleet)


def _any_of(proxies: Sequence[Proxy], rng: random.Random) -> tuple[str, int]:
    return rng.choice(proxies).address

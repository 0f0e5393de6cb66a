"""Connections that break, in every way that they can."""

import asyncio
import random
from collections.abc import Sequence
from contextlib import AsyncExitStack
from functools import partial

import pytest
from ordeal import Crowd, Fleet, Proxy, clean_up, judge
from ordeal.proxy import Half


@pytest.mark.parametrize("half", ["requests", "answers"])
async def test_what_is_lost_on_the_way_is_made_once_all_the_same(fleet: Fleet, many: int, half: Half) -> None:
    """A move that was sent never arrives; or it arrives, and its answer does not. The player cannot tell."""
    servers = await fleet.start()
    async with AsyncExitStack() as stack:
        proxies = [await stack.enter_async_context(Proxy(server.address)) for server in servers]
        crowd = Crowd(fleet, many)
        for racer in crowd.people:
            racer.address = partial(_any_of, proxies, racer.chance)
        await crowd.gather()
        await crowd.start()
        for share in (0.2, 0.5, 0.8):
            await crowd.progressed(share)
            await asyncio.gather(*(proxy.cut(half) for proxy in proxies))
        await crowd.finish()
        await judge(crowd)
        assert sum(proxy.cuts for proxy in proxies) >= 2 * many
        assert sum(racer.repeats for racer in crowd.people) > many
        await clean_up(crowd, fleet)


async def test_everybody_can_come_back_at_once(fleet: Fleet, many: int) -> None:
    """A storm of returns: all connections break together, three times, and everybody goes to any server."""
    await fleet.start()
    crowd = Crowd(fleet, many)
    await crowd.gather()
    await crowd.start()
    for share in (0.2, 0.5, 0.8):
        await crowd.progressed(share)
        for racer in crowd.people:
            racer.reconnect()
    await crowd.finish()
    await judge(crowd)
    assert min(racer.connections for racer in crowd.people) >= 3
    await clean_up(crowd, fleet)


def _any_of(proxies: Sequence[Proxy], chance: random.Random) -> tuple[str, int]:
    return chance.choice(proxies).address

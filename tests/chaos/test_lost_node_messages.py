"""Nodes that lose the messages of other nodes. The logs are complete without them."""

import asyncio
import contextlib

from chaostest import ClientGroup, Fleet, check_invariants, stop_and_check
from redis.asyncio import Redis


async def test_a_race_goes_on_when_subscriptions_are_cut_repeatedly(fleet: Fleet, client_count: int) -> None:
    """`CLIENT KILL TYPE pubsub`: after each new subscription a node reads all its rooms."""
    await fleet.start()
    group = ClientGroup(fleet, client_count)
    await group.create_room()
    cut, over = 0, asyncio.Event()

    async def keep_cutting() -> None:
        """Cut until the race is over. A cancellation could get lost within a command."""
        nonlocal cut
        async with Redis.from_url(fleet.store.url) as redis:
            while not over.is_set():
                cut += await redis.client_kill_filter(_type="pubsub")
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(over.wait(), 0.15)

    cutting = asyncio.create_task(keep_cutting())
    await group.start()
    await group.finish()
    over.set()
    await cutting
    assert cut >= 10
    await check_invariants(group)
    await stop_and_check(group, fleet)

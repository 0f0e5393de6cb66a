"""Nodes that do not hear each other: the truth is in the logs, and what nodes tell each other may be lost."""

import asyncio
import contextlib

from chaostest import ClientGroup, Fleet, check_invariants, stop_and_check
from redis.asyncio import Redis


async def test_a_race_goes_on_though_the_inboxes_are_cut_again_and_again(
    fleet: Fleet, client_count: int
) -> None:
    """`CLIENT KILL TYPE pubsub`: each new subscription makes a node look at all its rooms."""
    await fleet.start()
    group = ClientGroup(fleet, client_count)
    await group.create_room()
    cut, over = 0, asyncio.Event()

    async def keep_cutting() -> None:
        """Cut until the race is over; a cancellation could get lost in the middle of a command."""
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

"""Nodes that do not hear each other: the truth is in the logs, and what nodes tell each other may be lost."""

import asyncio
import contextlib

from ordeal import Crowd, Fleet, clean_up, judge
from redis.asyncio import Redis


async def test_a_race_goes_on_though_the_inboxes_are_cut_again_and_again(fleet: Fleet, many: int) -> None:
    """`CLIENT KILL TYPE pubsub`: each new subscription makes a node look at all its rooms."""
    await fleet.start()
    crowd = Crowd(fleet, many)
    await crowd.gather()
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
    await crowd.start()
    await crowd.finish()
    over.set()
    await cutting
    assert cut >= 10
    await judge(crowd)
    await clean_up(crowd, fleet)

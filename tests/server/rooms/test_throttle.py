"""Each gets a turn at once when it wants one, and then rests."""

import asyncio
import time
from typing import Any

from server.rooms.throttle import LOOK_S, MAX_AT_ONCE, Throttle

PAUSE = 0.02


async def turns(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def until(acted: list[str], count: int) -> float:
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(5):
        while len(acted) < count:  # noqa: ASYNC110 - a list tells nobody that it has grown
            await asyncio.sleep(0.001)
    return loop.time()


async def test_who_has_rested_is_served_in_the_next_turn_with_all_others_of_this_turn() -> None:
    acted: list[str] = []
    pace = Throttle(acted.append, PAUSE)
    pace.request("a")
    pace.request("b")
    pace.request("a")

    assert acted == []
    await turns(1)
    assert acted == ["a", "b"]


async def test_who_wants_it_again_waits_for_the_end_of_the_pause_and_gets_it_once() -> None:
    acted: list[str] = []
    pace = Throttle(acted.append, PAUSE)
    pace.request("a")
    await turns(1)
    began = asyncio.get_running_loop().time()
    pace.request("a")
    pace.request("a")
    await turns(3)
    assert acted == ["a"]

    ended = await until(acted, 2)
    # The loop's clock and its timers count whole milliseconds.
    assert ended - began >= PAUSE - 0.002
    await asyncio.sleep(2 * PAUSE)
    assert acted == ["a", "a"]


async def test_one_who_rests_does_not_keep_another_waiting() -> None:
    acted: list[str] = []
    pace = Throttle(acted.append, PAUSE)
    pace.request("a")
    await turns(1)
    pace.request("b")
    await turns(1)

    assert acted == ["a", "b"]


async def test_of_more_than_can_be_served_at_once_the_others_wait_for_the_next_look_in_order() -> None:
    acted: list[int] = []
    pace = Throttle(acted.append, PAUSE)
    everybody = list(range(MAX_AT_ONCE + 3))
    for who in everybody:
        pace.request(who)
    await turns(1)
    assert acted == everybody[:MAX_AT_ONCE]

    async with asyncio.timeout(5):
        while len(acted) < len(everybody):  # noqa: ASYNC110 - a list tells nobody that it has grown
            await asyncio.sleep(0.001)
    assert acted == everybody


async def test_somebody_served_may_want_it_again_at_once() -> None:
    acted: list[str] = []

    def act(who: str) -> None:
        acted.append(who)
        if len(acted) < 3:
            pace.request(who)

    pace = Throttle(act, PAUSE)
    pace.request("a")
    await until(acted, 3)
    await asyncio.sleep(2 * PAUSE)

    assert acted == ["a", "a", "a"]


async def pause_of(pace: Throttle[str], acted: list[str]) -> float:
    """Return how long somebody rests who wants it again at once."""
    loop, served = asyncio.get_running_loop(), len(acted)
    pace.request("a")
    began = await until(acted, served + 1)
    pace.request("a")
    await until(acted, served + 2)
    return loop.time() - began


async def test_a_loop_that_is_late_makes_the_pause_longer_for_a_while() -> None:
    """Eight times as much, less and less: 0.08 s late, it is above 0.06 s, and after a while as always."""
    acted: list[str] = []
    pace = Throttle(acted.append, PAUSE, cpu=lambda: 0.0)
    pace.request("a")
    await turns(1)
    time.sleep(LOOK_S + 0.08)  # noqa: ASYNC251 - the fault that is meant
    await turns(2)  # so that the look that was due has been
    assert await pause_of(pace, acted) > 0.06
    async with asyncio.timeout(5):
        while await pause_of(pace, acted) > 0.06:
            pass


async def test_a_busy_process_makes_the_pause_longer_and_an_idle_one_does_not() -> None:
    """At nine tenths of a core, 2 s more; at 0.52, 0.26 s; up to a half, nothing."""
    loop = asyncio.get_running_loop()
    acted: list[str] = []
    for share, more in ((0.9, 2.0), (0.52, 0.25)):
        busy = Throttle(acted.append, PAUSE, cpu=lambda share=share: share * loop.time())  # type: ignore[misc]
        assert await pause_of(busy, acted) >= more

    at_ease = Throttle(acted.append, PAUSE, cpu=lambda: 0.5 * loop.time())
    async with asyncio.timeout(5):
        while await pause_of(at_ease, acted) >= 0.36:  # the loop itself may be late now and then
            pass


async def test_a_bug_in_one_turn_is_reported_and_costs_nobody_else_theirs() -> None:
    acted: list[str] = []
    faults: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context))

    def act(who: str) -> None:
        if who == "bad":
            raise ValueError(who)
        acted.append(who)

    pace = Throttle(act, PAUSE)
    pace.request("bad")
    pace.request("good")
    await turns(1)
    pace.request("bad")
    pace.request("good")
    await until(acted, 2)

    assert acted == ["good", "good"]
    assert [str(fault["exception"]) for fault in faults] == ["bad", "bad"]

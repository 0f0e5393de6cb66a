"""Each gets a turn at once when it wants one, and then rests."""

import asyncio
import time
from typing import Any

from server.rooms.pace import Pace

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
    pace = Pace(acted.append, PAUSE)
    pace.want("a")
    pace.want("b")
    pace.want("a")

    assert acted == []
    await turns(1)
    assert acted == ["a", "b"]


async def test_who_wants_it_again_waits_for_the_end_of_the_pause_and_gets_it_once() -> None:
    acted: list[str] = []
    pace = Pace(acted.append, PAUSE)
    pace.want("a")
    await turns(1)
    began = asyncio.get_running_loop().time()
    pace.want("a")
    pace.want("a")
    await turns(3)
    assert acted == ["a"]

    ended = await until(acted, 2)
    # The loop's clock and its timers count whole milliseconds.
    assert ended - began >= PAUSE - 0.002
    await asyncio.sleep(2 * PAUSE)
    assert acted == ["a", "a"]


async def test_one_who_rests_does_not_keep_another_waiting() -> None:
    acted: list[str] = []
    pace = Pace(acted.append, PAUSE)
    pace.want("a")
    await turns(1)
    pace.want("b")
    await turns(1)

    assert acted == ["a", "b"]


async def test_somebody_served_may_want_it_again_at_once() -> None:
    acted: list[str] = []

    def act(who: str) -> None:
        acted.append(who)
        if len(acted) < 3:
            pace.want(who)

    pace = Pace(act, PAUSE)
    pace.want("a")
    await until(acted, 3)
    await asyncio.sleep(2 * PAUSE)

    assert acted == ["a", "a", "a"]


async def test_a_loop_that_is_late_makes_the_pause_longer_and_one_that_is_not_shortens_it_again() -> None:
    """Eight times as much: who wakes 0.05 s late rests for 0.4 s more, and then as always."""
    acted: list[str] = []
    pace = Pace(acted.append, PAUSE)
    loop = asyncio.get_running_loop()
    pace.want("a")
    await turns(1)
    pace.want("a")
    time.sleep(PAUSE + 0.05)  # noqa: ASYNC251 - the fault that is meant
    await until(acted, 2)
    began = loop.time()
    pace.want("a")
    assert await until(acted, 3) - began >= 0.4
    began = loop.time()
    pace.want("a")
    assert await until(acted, 4) - began < 0.3


async def test_a_bug_in_one_turn_is_reported_and_costs_nobody_else_theirs() -> None:
    acted: list[str] = []
    faults: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context))

    def act(who: str) -> None:
        if who == "bad":
            raise ValueError(who)
        acted.append(who)

    pace = Pace(act, PAUSE)
    pace.want("bad")
    pace.want("good")
    await turns(1)
    pace.want("bad")
    pace.want("good")
    await until(acted, 2)

    assert acted == ["good", "good"]
    assert [str(fault["exception"]) for fault in faults] == ["bad", "bad"]

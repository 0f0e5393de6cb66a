"""Background tasks: looked after while they run, and none after the end."""

import asyncio
from contextlib import suppress

import pytest
from racetest import PATIENCE_S, until

from server.store.port import StoreAway
from server.tasks import Tasks, repeat_every


def unexpected(fault: BaseException) -> None:
    """Fail the test with a fault that nobody should have heard of."""
    raise fault


async def test_a_task_runs_and_is_forgotten() -> None:
    """Nobody has to keep it."""
    done = asyncio.Event()
    tasks = Tasks(unexpected)

    async def work() -> None:
        done.set()

    tasks.spawn(work())
    assert len(tasks) == 1
    await done.wait()
    await until(lambda: len(tasks) == 0)


async def test_a_fault_is_heard_of() -> None:
    """What a task raises is never lost."""
    faults: list[BaseException] = []
    tasks = Tasks(faults.append)
    fault = ValueError("a bug")

    async def work() -> None:
        raise fault

    tasks.spawn(work())
    await until(lambda: faults)
    assert faults == [fault]


async def test_closing_ends_what_runs_and_takes_nothing_more() -> None:
    """A task that starts another as it ends leaves nothing behind."""
    tasks = Tasks(unexpected)
    ended: list[str] = []

    async def late() -> None:
        ended.append("late")

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("work")
            tasks.spawn(late())

    tasks.spawn(work())
    await asyncio.sleep(0)
    await tasks.aclose()
    assert (len(tasks), ended) == (0, ["work"])
    tasks.spawn(late())
    assert (len(tasks), ended) == (0, ["work"])


async def test_a_task_whose_cancellation_gets_lost_is_ended_all_the_same() -> None:
    """A library that turns a cancellation into an error of its own does not keep the server from stopping."""
    tasks = Tasks(unexpected)
    lost: list[str] = []
    started = asyncio.Event()

    async def work() -> None:
        started.set()
        while True:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                if lost:
                    raise
                lost.append("once")

    tasks.spawn(work())
    await started.wait()
    await tasks.aclose()
    assert (lost, len(tasks)) == (["once"], 0)


async def test_a_task_that_misses_its_cancellation_is_ended_all_the_same() -> None:
    """A library may swallow one: on Python 3.11 redis-py does while it connects."""
    tasks = Tasks(unexpected)
    missed: list[str] = []

    async def work() -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        missed.append("the first")
        await asyncio.Event().wait()

    tasks.spawn(work())
    await asyncio.sleep(0)
    async with asyncio.timeout(PATIENCE_S):
        await tasks.aclose()
    assert (len(tasks), missed) == (0, ["the first"])


@pytest.mark.parametrize("trouble", [StoreAway("gone"), ValueError("a bug")])
async def test_what_is_done_repeat_every_goes_on_after_trouble(trouble: Exception) -> None:
    """A bug is told of; that the store is away, others tell."""
    told: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context["exception"]))
    done: list[int] = []

    async def work() -> None:
        done.append(len(done))
        if len(done) == 1:
            raise trouble

    tasks = Tasks(unexpected)
    tasks.spawn(repeat_every(work, 0.0))
    await until(lambda: len(done) > 1)
    await tasks.aclose()
    assert told == ([trouble] if isinstance(trouble, ValueError) else [])

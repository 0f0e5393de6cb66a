"""Background tasks: kept referenced while they run, none left after closing."""

import asyncio
from contextlib import suppress

import pytest
from racetest import PATIENCE_S, until

from server.store.port import StoreUnavailable
from server.tasks import Tasks, repeat_every


def unexpected(fault: BaseException) -> None:
    """Fail the test: no fault should have been reported."""
    raise fault


async def test_a_task_runs_and_is_removed_when_it_ends() -> None:
    """The caller need not keep a reference to it."""
    done = asyncio.Event()
    tasks = Tasks(unexpected)

    async def work() -> None:
        done.set()

    tasks.spawn(work())
    assert len(tasks) == 1
    await done.wait()
    await until(lambda: len(tasks) == 0)


async def test_an_exception_of_a_task_is_reported() -> None:
    """It is never lost."""
    faults: list[BaseException] = []
    tasks = Tasks(faults.append)
    fault = ValueError("a bug")

    async def work() -> None:
        raise fault

    tasks.spawn(work())
    await until(lambda: faults)
    assert faults == [fault]


async def test_closing_cancels_running_tasks_and_discards_new_ones() -> None:
    """Even a task that starts another one while it ends leaves nothing behind."""
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


async def test_a_task_that_ignores_its_first_cancellation_is_cancelled_again() -> None:
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


async def test_a_task_whose_cancellation_was_swallowed_by_a_library_is_cancelled_again() -> None:
    """On Python 3.11 redis-py swallows a cancellation while it connects."""
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


@pytest.mark.parametrize("trouble", [StoreUnavailable("gone"), ValueError("a bug")])
async def test_repeated_work_continues_after_an_exception(trouble: Exception) -> None:
    """A bug is reported; an unavailable store is reported elsewhere."""
    reported: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context["exception"]))
    done: list[int] = []

    async def work() -> None:
        done.append(len(done))
        if len(done) == 1:
            raise trouble

    tasks = Tasks(unexpected)
    tasks.spawn(repeat_every(work, 0.0))
    await until(lambda: len(done) > 1)
    await tasks.aclose()
    assert reported == ([trouble] if isinstance(trouble, ValueError) else [])

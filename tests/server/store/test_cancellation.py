"""Cancellation of tasks, also of those that swallow it."""

import asyncio

import pytest

from server.store import cancellation
from server.store.cancellation import cancel_and_wait


async def test_tasks_have_ended_afterwards_and_their_exceptions_are_not_raised() -> None:
    async def fail() -> None:
        raise ZeroDivisionError

    waiting = asyncio.create_task(asyncio.Event().wait())
    failing = asyncio.create_task(fail())
    await asyncio.wait([failing])
    await cancel_and_wait(waiting, failing)
    assert waiting.cancelled()
    assert isinstance(failing.exception(), ZeroDivisionError)
    await cancel_and_wait()


async def test_a_task_that_swallows_a_cancellation_is_cancelled_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cancellation, "_REPEAT_S", 0.001)
    swallowed = 0

    async def swallow() -> None:
        nonlocal swallowed
        while True:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                swallowed += 1
                if swallowed == 3:
                    raise

    task = asyncio.create_task(swallow())
    await asyncio.sleep(0)
    await cancel_and_wait(task)
    assert task.cancelled()
    assert swallowed == 3

"""Raw WebSockets, from both ends."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from conformance.wire import Caller, Door, Guest, HungUpError, NoServerError, RefusedError, now

Pair = Callable[..., Awaitable[tuple[Caller, Guest]]]


@pytest.fixture
async def guests() -> asyncio.Queue[Guest]:
    return asyncio.Queue()


@pytest.fixture
async def door(guests: asyncio.Queue[Guest]) -> AsyncIterator[Door]:
    door = await Door.open("localhost", 0, ["a", "b"], guests.put)
    yield door
    await door.close()


@pytest.fixture
async def pair(door: Door, guests: asyncio.Queue[Guest]) -> Pair:
    async def connect(*subprotocols: str) -> tuple[Caller, Guest]:
        caller = await Caller.open(f"ws://localhost:{door.port}", *subprotocols)
        return caller, await guests.get()

    return connect


async def test_text_and_bytes_arrive_as_they_are(pair: Pair) -> None:
    caller, guest = await pair("b")
    await caller.send("text")
    await caller.send(b"bytes")
    assert (await guest.receive(), await guest.receive()) == ("text", b"bytes")
    assert caller.subprotocol == guest.subprotocol == "b"
    assert caller.extensions is None


async def test_the_close_code_is_told_to_the_other_end(pair: Pair) -> None:
    caller, guest = await pair("a")
    await guest.close(4002, "newer")
    for attempt in (caller.receive(), caller.send("late")):
        with pytest.raises(HungUpError) as gone:
            await attempt
        assert (gone.value.code, gone.value.reason) == (4002, "newer")


async def test_a_cut_has_no_code_of_its_own(pair: Pair) -> None:
    caller, guest = await pair("a")
    caller.cut()
    with pytest.raises(HungUpError) as gone:
        await guest.receive()
    assert gone.value.code == 1006


async def test_a_shut_door_answers_503_and_tells_when(door: Door, pair: Pair) -> None:
    door.shut_for_now()
    before = now()
    with pytest.raises(RefusedError) as refused:
        await pair("a")
    assert refused.value.status == 503
    assert before <= await door.knocked() <= now()
    door.reopen()
    _, guest = await pair("a")
    assert before <= guest.at <= now()


async def test_nobody_at_home_is_one_sentence() -> None:
    with pytest.raises(NoServerError, match=r"^Nobody answers at ws://localhost:1: "):
        await Caller.open("ws://localhost:1", "a")

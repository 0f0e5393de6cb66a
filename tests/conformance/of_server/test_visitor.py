"""What a visitor requires of every message."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from conformance.errors import UnmetError
from conformance.of_server.visitor import Stage, Visitor, require, same
from conformance.wire import Door, Guest
from protocol.version import JSON, SUBPROTOCOLS

Meet = Callable[..., Awaitable[tuple[Visitor, Guest]]]


@pytest.fixture
async def meet() -> AsyncIterator[Meet]:
    """Let a visitor come to a server that says only what the test says."""
    guests: asyncio.Queue[Guest] = asyncio.Queue()
    door = await Door.open("localhost", 0, list(SUBPROTOCOLS), guests.put)
    stage = Stage(f"ws://localhost:{door.port}")

    async def meeting() -> tuple[Visitor, Guest]:
        return await Visitor.arrive(stage, "Ann", JSON), await guests.get()

    yield meeting
    await stage.leave()
    await door.close()


async def test_what_is_at_its_default_is_the_same_as_absent(meet: Meet) -> None:
    """Servers may write defaults out; comparisons must not care. Unknown fields are left out, too."""
    ann, server = await meet()
    await server.send('{"type":"error","ref":0,"code":"x","text":"y","temporary":false,"mood":1}')
    assert await ann.hear("error") == {"type": "error", "code": "x", "text": "y"}


async def test_unknown_types_are_kept_as_they_are(meet: Meet) -> None:
    """A newer server may say more."""
    ann, server = await meet()
    await server.send('{"type":"weather","sky":"blue"}')
    assert await ann.hear("weather") == {"type": "weather", "sky": "blue"}


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ('{"type":"pong"}', "a message by its table"),
        ("no JSON", "a message by its table"),
        (b"{}", "text frames"),
    ],
)
async def test_a_message_that_is_none_is_not_met(meet: Meet, sent: str | bytes, expected: str) -> None:
    ann, server = await meet()
    await server.send(sent)
    with pytest.raises(UnmetError) as unmet:
        await ann.hear("pong")
    assert unmet.value.expected == expected


async def test_answers_are_found_by_their_ref_and_events_stay_to_be_heard(meet: Meet) -> None:
    ann, server = await meet()
    asking = asyncio.create_task(ann.ask("lock"))
    assert json.loads(await server.receive()) == {"type": "lock", "ref": 1}
    await server.send('{"type":"lock_changed","seq":4,"locked":true}')
    await server.send('{"type":"done","ref":1}')
    assert await asking == {"type": "done", "ref": 1}
    assert await ann.hear("lock_changed|done") == {"type": "lock_changed", "seq": 4, "locked": True}
    assert ann.seen == 4


async def test_a_close_is_what_came(meet: Meet) -> None:
    ann, server = await meet()
    await server.close(4001, "no")
    with pytest.raises(UnmetError) as unmet:
        await ann.hear("pong")
    assert unmet.value.came == "closed with 4001 no"
    await ann.closed(4001)


async def test_the_conversation_is_kept_for_the_report(meet: Meet) -> None:
    ann, server = await meet()
    await ann.send({"type": "ping"})
    await server.send('{"type":"pong","clock_ms":7}')
    await ann.hear("pong")
    assert ann.stage.said == ['Ann > {"type": "ping"}', 'Ann < {"type":"pong","clock_ms":7}']


def test_a_requirement_names_the_field_that_is_amiss() -> None:
    message = {"type": "done", "ref": 3}
    assert require(message, "it", type=("done", "error"), ref=3, code=None) == message
    with pytest.raises(UnmetError) as unmet:
        require(message, "an answer", type="done", ref=4)
    assert unmet.value.expected == "an answer, with 4 `ref`"
    assert unmet.value.came == '{"type": "done", "ref": 3}'
    with pytest.raises(UnmetError, match="with no `ref`"):
        require(message, "an answer", ref=None)


def test_things_are_the_same_or_named() -> None:
    same([1], [1], "a list")
    with pytest.raises(UnmetError) as unmet:
        same([1], [2], "a list")
    assert (unmet.value.expected, unmet.value.came) == ("a list: [2]", "[1]")

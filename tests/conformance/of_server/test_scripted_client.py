"""The scripted client and what it requires of every message."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from conformance.errors import CheckFailedError
from conformance.of_server.scripted_client import ScriptedClient, ServerUnderTest, require, require_equal
from conformance.wire import IncomingConnection, Listener
from protocol.version import JSON, SUBPROTOCOLS

Meet = Callable[..., Awaitable[tuple[ScriptedClient, IncomingConnection]]]


@pytest.fixture
async def meet() -> AsyncIterator[Meet]:
    """Connect a scripted client to a server that sends only what the test says."""
    connections: asyncio.Queue[IncomingConnection] = asyncio.Queue()
    listener = await Listener.open("localhost", 0, list(SUBPROTOCOLS), connections.put)
    server = ServerUnderTest(f"ws://localhost:{listener.port}")

    async def meeting() -> tuple[ScriptedClient, IncomingConnection]:
        return await ScriptedClient.connect(server, "Ann", JSON), await connections.get()

    yield meeting
    await server.disconnect()
    await listener.close()


async def test_a_default_value_is_left_out(meet: Meet) -> None:
    """Servers can send default values; comparisons ignore them. Unknown fields are left out, too."""
    ann, server = await meet()
    await server.send('{"type":"error","ref":0,"code":"x","text":"y","temporary":false,"mood":1}')
    assert await ann.expect("error") == {"type": "error", "code": "x", "text": "y"}


async def test_a_message_of_an_unknown_type_is_kept_unchanged(meet: Meet) -> None:
    """A newer server can send new types."""
    ann, server = await meet()
    await server.send('{"type":"weather","sky":"blue"}')
    assert await ann.expect("weather") == {"type": "weather", "sky": "blue"}


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ('{"type":"pong"}', "a valid message"),
        ("no JSON", "a valid message"),
        (b"{}", "text frames"),
    ],
)
async def test_an_invalid_message_fails_the_check(meet: Meet, sent: str | bytes, expected: str) -> None:
    ann, server = await meet()
    await server.send(sent)
    with pytest.raises(CheckFailedError) as failure:
        await ann.expect("pong")
    assert failure.value.expected == expected


async def test_an_answer_is_found_by_its_ref_and_events_stay_for_later(meet: Meet) -> None:
    ann, server = await meet()
    asking = asyncio.create_task(ann.request("lock"))
    assert json.loads(await server.receive()) == {"type": "lock", "ref": 1}
    await server.send('{"type":"lock_changed","seq":4,"locked":true}')
    await server.send('{"type":"done","ref":1}')
    assert await asking == {"type": "done", "ref": 1}
    assert await ann.expect("lock_changed|done") == {"type": "lock_changed", "seq": 4, "locked": True}
    assert ann.seen == 4


async def test_a_close_fails_a_check_that_expects_a_message(meet: Meet) -> None:
    ann, server = await meet()
    await server.close(4001, "no")
    with pytest.raises(CheckFailedError) as failure:
        await ann.expect("pong")
    assert failure.value.actual == "closed with 4001 no"
    await ann.expect_close(4001)


async def test_the_transcript_has_every_message(meet: Meet) -> None:
    ann, server = await meet()
    await ann.send({"type": "ping"})
    await server.send('{"type":"pong","clock_ms":7}')
    await ann.expect("pong")
    assert ann.server.transcript == ['Ann > {"type": "ping"}', 'Ann < {"type":"pong","clock_ms":7}']


def test_a_failed_requirement_names_the_field() -> None:
    message = {"type": "done", "ref": 3}
    assert require(message, "it", type=("done", "error"), ref=3, code=None) == message
    with pytest.raises(CheckFailedError) as failure:
        require(message, "an answer", type="done", ref=4)
    assert failure.value.expected == "an answer, with 4 `ref`"
    assert failure.value.actual == '{"type": "done", "ref": 3}'
    with pytest.raises(CheckFailedError, match="with no `ref`"):
        require(message, "an answer", ref=None)


def test_different_values_fail_the_check() -> None:
    require_equal([1], [1], "a list")
    with pytest.raises(CheckFailedError) as failure:
        require_equal([1], [2], "a list")
    assert (failure.value.expected, failure.value.actual) == ("a list: [2]", "[1]")

"""The client under test is let in, cut off and taken up again, and what it says then is looked at."""

import json
from collections.abc import AsyncIterator

import pytest

from conformance.errors import UnmetError
from conformance.of_client.examinee import TOLERANCE_S, Examinee
from conformance.of_client.fake_room import ROOM, TOKEN
from conformance.of_client.fake_server import Listener
from conformance.wire import Caller, Door, now
from protocol.version import JSON

HELLO = {"type": "hello", "ref": 1, "name": "Ann"}


@pytest.fixture
def examinee() -> Examinee:
    """A client that is in a race, as far as the pretended server knows."""
    examinee = Examinee(Listener(patience=5.0))
    list(examinee.stage.pretence.begin())
    return examinee


@pytest.fixture
async def client(examinee: Examinee) -> AsyncIterator[Caller]:
    """Its end of a new connection."""
    door = await Door.open("localhost", 0, [JSON], examinee.stage.arrivals.put)
    caller = await Caller.open(door.url, JSON)
    yield caller
    await caller.close()
    await door.close()


async def says(client: Caller, *messages: dict[str, object]) -> None:
    for message in messages:
        await client.send(json.dumps(message))


async def hears(client: Caller, count: int) -> list[str]:
    """Return the types of the next messages."""
    return [json.loads(await client.receive())["type"] for _ in range(count)]


async def test_whoever_pings_before_hello_is_answered(examinee: Examinee, client: Caller) -> None:
    """`ping` may come first; a new identity comes with the `welcome`."""
    await examinee.arrives(5.0, "a client")
    await says(client, {"type": "ping", "ref": 7}, HELLO)
    await examinee.greets()
    await examinee.welcome(new=True)
    assert await hears(client, 3) == ["pong", "welcome", "weather"]


async def test_whoever_says_something_else_first_has_not_greeted(examinee: Examinee, client: Caller) -> None:
    """Nothing else may come before `hello`."""
    await examinee.arrives(5.0, "a client")
    await says(client, {"type": "leave", "ref": 1}, HELLO)
    with pytest.raises(UnmetError) as unmet:
        await examinee.greets()
    assert unmet.value.expected == "`hello`"


@pytest.mark.parametrize("token", [TOKEN, None, "another"])
async def test_the_token_of_the_first_welcome_makes_the_same_person(
    examinee: Examinee, client: Caller, token: str | None
) -> None:
    """Without it, or with another, it is somebody else."""
    await examinee.arrives(5.0, "a client")
    await says(client, HELLO | {"player": examinee.stage.pretence.player, "token": token})
    await examinee.greets()
    if token == TOKEN:
        examinee.require_token()
        return
    with pytest.raises(UnmetError):
        examinee.require_token()


async def test_what_was_missed_is_sent_to_whoever_says_what_was_seen(
    examinee: Examinee, client: Caller
) -> None:
    """Event by event, and one among them of a type that there is not."""
    seen = examinee.stage.sent_seq = examinee.stage.pretence.seq
    await examinee.lose()
    await says(client, HELLO, {"type": "join", "ref": 2, "room": ROOM.lower(), "seen": seen})
    await examinee.returns(since=now(), longest=0.2)
    examinee.require_place()
    await examinee.resume()
    assert await hears(client, 5) == ["welcome", "weather", "resumed", "fireworks", "chat_message"]


@pytest.mark.parametrize("asked", [{"room": ROOM}, {"room": ROOM, "seen": 99}, {"room": "ZZZZZ", "seen": 0}])
async def test_another_place_than_the_one_it_had_is_not_it(
    examinee: Examinee, client: Caller, asked: dict[str, object]
) -> None:
    """The room, and the last `seq` that it saw."""
    await says(client, HELLO, {"type": "join", "ref": 2} | asked)
    await examinee.returns(since=now(), longest=0.2)
    with pytest.raises(UnmetError):
        examinee.require_place()


async def test_whoever_says_nothing_of_what_was_seen_gets_all(examinee: Examinee, client: Caller) -> None:
    """The room as it is."""
    await says(client, HELLO, {"type": "join", "ref": 2, "room": ROOM})
    await examinee.returns(since=now(), longest=0.2)
    await examinee.resume()
    assert await hears(client, 3) == ["welcome", "weather", "room"]


@pytest.mark.usefixtures("client")
async def test_who_comes_back_later_than_it_may_has_waited_too_long(examinee: Examinee) -> None:
    """Up to a second is the computer's."""
    with pytest.raises(UnmetError) as unmet:
        await examinee.returns(since=now() - TOLERANCE_S - 0.7, longest=0.2)
    assert unmet.value.expected == "a new connection after at most 0.2 seconds"

"""The client under test is let in, cut off and taken up again, and what it says then is looked at."""

import json
from collections.abc import AsyncIterator

import pytest

from conformance.errors import CheckFailedError
from conformance.of_client.client_under_test import TOLERANCE_S, ClientUnderTest
from conformance.of_client.fake_room import ROOM, TOKEN
from conformance.of_client.fake_server import FakeServer
from conformance.wire import Listener, OutgoingConnection, now
from protocol.version import JSON

HELLO = {"type": "hello", "ref": 1, "name": "Ann"}


@pytest.fixture
def examinee() -> ClientUnderTest:
    """A client that is in a race, as far as the pretended server knows."""
    examinee = ClientUnderTest(FakeServer(timeout_s=5.0))
    list(examinee.server.room.start_race())
    return examinee


@pytest.fixture
async def client(examinee: ClientUnderTest) -> AsyncIterator[OutgoingConnection]:
    """Its end of a new connection."""
    listener = await Listener.open("localhost", 0, [JSON], examinee.server.arrivals.put)
    connection = await OutgoingConnection.open(listener.url, JSON)
    yield connection
    await connection.close()
    await listener.close()


async def says(client: OutgoingConnection, *messages: dict[str, object]) -> None:
    for message in messages:
        await client.send(json.dumps(message))


async def hears(client: OutgoingConnection, count: int) -> list[str]:
    """Return the types of the next messages."""
    return [json.loads(await client.receive())["type"] for _ in range(count)]


async def test_whoever_pings_before_hello_is_answered(
    examinee: ClientUnderTest, client: OutgoingConnection
) -> None:
    """`ping` may come first; a new identity comes with the `welcome`."""
    await examinee.wait_for_connection(5.0, "a client")
    await says(client, {"type": "ping", "ref": 7}, HELLO)
    await examinee.expect_hello()
    await examinee.send_welcome(new=True)
    assert await hears(client, 3) == ["pong", "welcome", "weather"]


async def test_whoever_says_something_else_first_has_not_greeted(
    examinee: ClientUnderTest, client: OutgoingConnection
) -> None:
    """Nothing else may come before `hello`."""
    await examinee.wait_for_connection(5.0, "a client")
    await says(client, {"type": "leave", "ref": 1}, HELLO)
    with pytest.raises(CheckFailedError) as failure:
        await examinee.expect_hello()
    assert failure.value.expected == "`hello`"


@pytest.mark.parametrize("token", [TOKEN, None, "another"])
async def test_the_token_of_the_first_welcome_makes_the_same_person(
    examinee: ClientUnderTest, client: OutgoingConnection, token: str | None
) -> None:
    """Without it, or with another, it is somebody else."""
    await examinee.wait_for_connection(5.0, "a client")
    await says(client, HELLO | {"player": examinee.server.room.player, "token": token})
    await examinee.expect_hello()
    if token == TOKEN:
        examinee.require_token()
        return
    with pytest.raises(CheckFailedError):
        examinee.require_token()


async def test_what_was_missed_is_sent_to_whoever_says_what_was_seen(
    examinee: ClientUnderTest, client: OutgoingConnection
) -> None:
    """Event by event, and one among them of a type that there is not."""
    seen = examinee.server.sent_seq = examinee.server.room.seq
    await examinee.cut_connection()
    await says(client, HELLO, {"type": "join", "ref": 2, "room": ROOM.lower(), "seen": seen})
    await examinee.expect_return(since=now(), longest=0.2)
    examinee.require_seen()
    await examinee.answer_join()
    assert await hears(client, 5) == ["welcome", "weather", "resumed", "fireworks", "chat_message"]


@pytest.mark.parametrize("asked", [{"room": ROOM}, {"room": ROOM, "seen": 99}, {"room": "ZZZZZ", "seen": 0}])
async def test_another_place_than_the_one_it_had_is_not_it(
    examinee: ClientUnderTest, client: OutgoingConnection, asked: dict[str, object]
) -> None:
    """The room, and the last `seq` that it saw."""
    await says(client, HELLO, {"type": "join", "ref": 2} | asked)
    await examinee.expect_return(since=now(), longest=0.2)
    with pytest.raises(CheckFailedError):
        examinee.require_seen()


async def test_whoever_says_nothing_of_what_was_seen_gets_all(
    examinee: ClientUnderTest, client: OutgoingConnection
) -> None:
    """The room as it is."""
    await says(client, HELLO, {"type": "join", "ref": 2, "room": ROOM})
    await examinee.expect_return(since=now(), longest=0.2)
    await examinee.answer_join()
    assert await hears(client, 3) == ["welcome", "weather", "room"]


@pytest.mark.usefixtures("client")
async def test_who_comes_back_later_than_it_may_has_waited_too_long(examinee: ClientUnderTest) -> None:
    """Up to a second is the computer's."""
    with pytest.raises(CheckFailedError) as failure:
        await examinee.expect_return(since=now() - TOLERANCE_S - 0.7, longest=0.2)
    assert failure.value.expected == "a new connection after at most 0.2 seconds"

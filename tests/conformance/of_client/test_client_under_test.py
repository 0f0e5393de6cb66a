"""The client under test over its connections."""

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
def client_under_test() -> ClientUnderTest:
    """A client under test that is in a race."""
    client_under_test = ClientUnderTest(FakeServer(timeout_s=5.0))
    list(client_under_test.server.room.start_race())
    return client_under_test


@pytest.fixture
async def client(client_under_test: ClientUnderTest) -> AsyncIterator[OutgoingConnection]:
    """The client's end of a new connection."""
    listener = await Listener.open("localhost", 0, [JSON], client_under_test.server.arrivals.put)
    connection = await OutgoingConnection.open(listener.url, JSON)
    yield connection
    await connection.close()
    await listener.close()


async def send(client: OutgoingConnection, *messages: dict[str, object]) -> None:
    for message in messages:
        await client.send(json.dumps(message))


async def receive(client: OutgoingConnection, count: int) -> list[str]:
    """Return the types of the next messages."""
    return [json.loads(await client.receive())["type"] for _ in range(count)]


async def test_a_ping_before_hello_is_answered(
    client_under_test: ClientUnderTest, client: OutgoingConnection
) -> None:
    """`ping` may come first; a new identity comes with the `welcome`."""
    await client_under_test.wait_for_connection(5.0, "a client")
    await send(client, {"type": "ping", "ref": 7}, HELLO)
    await client_under_test.expect_hello()
    await client_under_test.send_welcome(new=True)
    assert await receive(client, 3) == ["pong", "welcome", "weather"]


async def test_another_message_before_hello_fails(
    client_under_test: ClientUnderTest, client: OutgoingConnection
) -> None:
    """Nothing else may come before `hello`."""
    await client_under_test.wait_for_connection(5.0, "a client")
    await send(client, {"type": "leave", "ref": 1}, HELLO)
    with pytest.raises(CheckFailedError) as failure:
        await client_under_test.expect_hello()
    assert failure.value.expected == "`hello`"


@pytest.mark.parametrize("token", [TOKEN, None, "another"])
async def test_hello_needs_the_token_of_the_first_welcome(
    client_under_test: ClientUnderTest, client: OutgoingConnection, token: str | None
) -> None:
    """Without it, or with another, it is somebody else."""
    await client_under_test.wait_for_connection(5.0, "a client")
    await send(client, HELLO | {"player": client_under_test.server.room.player, "token": token})
    await client_under_test.expect_hello()
    if token == TOKEN:
        client_under_test.require_token()
        return
    with pytest.raises(CheckFailedError):
        client_under_test.require_token()


async def test_a_join_with_seen_gets_the_missed_events(
    client_under_test: ClientUnderTest, client: OutgoingConnection
) -> None:
    """Event by event, and one among them of a type that there is not."""
    seen = client_under_test.server.sent_seq = client_under_test.server.room.seq
    await client_under_test.cut_connection()
    await send(client, HELLO, {"type": "join", "ref": 2, "room": ROOM.lower(), "seen": seen})
    await client_under_test.expect_return(since=now(), longest=0.2)
    client_under_test.require_seen()
    await client_under_test.answer_join()
    assert await receive(client, 5) == ["welcome", "weather", "resumed", "fireworks", "chat_message"]


@pytest.mark.parametrize("asked", [{"room": ROOM}, {"room": ROOM, "seen": 99}, {"room": "ZZZZZ", "seen": 0}])
async def test_a_join_with_another_room_or_seq_fails(
    client_under_test: ClientUnderTest, client: OutgoingConnection, asked: dict[str, object]
) -> None:
    """The room, and the last `seq` that it saw."""
    await send(client, HELLO, {"type": "join", "ref": 2} | asked)
    await client_under_test.expect_return(since=now(), longest=0.2)
    with pytest.raises(CheckFailedError):
        client_under_test.require_seen()


async def test_a_join_without_seen_gets_a_snapshot(
    client_under_test: ClientUnderTest, client: OutgoingConnection
) -> None:
    """The room as it is."""
    await send(client, HELLO, {"type": "join", "ref": 2, "room": ROOM})
    await client_under_test.expect_return(since=now(), longest=0.2)
    await client_under_test.answer_join()
    assert await receive(client, 3) == ["welcome", "weather", "room"]


@pytest.mark.usefixtures("client")
async def test_a_late_return_fails(client_under_test: ClientUnderTest) -> None:
    """Up to a second is the computer's."""
    with pytest.raises(CheckFailedError) as failure:
        await client_under_test.expect_return(since=now() - TOLERANCE_S - 0.7, longest=0.2)
    assert failure.value.expected == "a new connection after at most 0.2 seconds"

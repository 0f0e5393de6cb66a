"""The race and number of actions, as the fake server checks them."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from conformance.errors import CheckFailedError
from conformance.of_client import fake_server
from conformance.of_client.fake_room import RACES_BEFORE
from conformance.of_client.fake_server import LATE_ACTIONS, UNKNOWN_FIELD, FakeServer
from conformance.wire import Listener, OutgoingConnection
from protocol import from_client
from protocol.refusals import RefusalCode
from protocol.version import JSON

RACE = RACES_BEFORE + 1
FIRST = {"type": "auto_move", "race": RACE, "n": 1, "from": 0}


@pytest.fixture
async def server() -> FakeServer:
    """A fake server with a running race."""
    server = FakeServer(timeout_s=5.0)
    list(server.room.start_race())
    return server


@pytest.fixture
async def client(server: FakeServer) -> AsyncIterator[OutgoingConnection]:
    """A connection of the client under test."""
    listener = await Listener.open("localhost", 0, [JSON], server.arrivals.put)
    connection = await OutgoingConnection.open(f"ws://localhost:{listener.port}", JSON)
    await server.next_connection(5.0, "a client")
    yield connection
    await connection.close()
    await listener.close()


async def send(client: OutgoingConnection, *messages: dict[str, object]) -> None:
    for message in messages:
        await client.send(json.dumps(message))


async def receive(client: OutgoingConnection, count: int) -> list[tuple[object, ...]]:
    """Return type, number and code of the next answers."""
    messages = [json.loads(await client.receive()) for _ in range(count)]
    assert all(UNKNOWN_FIELD.items() <= each.items() for each in messages)
    return [(each["type"], each.get("n"), each.get("code")) for each in messages]


async def test_requests_are_answered_while_an_action_is_awaited(
    server: FakeServer, client: OutgoingConnection
) -> None:
    await send(client, {"type": "ping", "ref": 1}, {"type": "get_game", "ref": 2}, FIRST)
    assert await server.next_action("an action") == from_client.AutoMove(race=RACE, n=1, source=0)
    assert await receive(client, 2) == [("pong", None, None), ("game", None, None)]


async def test_an_illegal_action_is_refused_and_its_number_stays_free(
    server: FakeServer, client: OutgoingConnection
) -> None:
    await send(client, {"type": "undo", "race": RACE, "n": 1}, FIRST)
    assert (await server.next_action("an action")).n == 1
    assert await receive(client, 1) == [("refused", 1, "nothing_to_undo")]


async def test_actions_sent_after_a_refused_one_do_not_fail(
    server: FakeServer, client: OutgoingConnection
) -> None:
    """The client could not know; but once its number has come again, it does."""
    await send(
        client,
        {"type": "undo", "race": RACE, "n": 1},
        {"type": "auto_move", "race": RACE, "n": 2, "from": 0},
        FIRST,
    )
    action = await server.next_action("an action")
    await server.accept(action)
    assert await receive(client, 3) == [
        ("refused", 1, "nothing_to_undo"),
        ("refused", 2, "wrong_number"),
        ("accepted", 1, None),
    ]


async def test_a_repeated_action_gets_the_same_answer(server: FakeServer, client: OutgoingConnection) -> None:
    await send(client, FIRST)
    await server.accept(await server.next_action("an action"))
    await send(client, FIRST, {"type": "undo", "race": RACE, "n": 2})
    assert await server.next_action("an action") == from_client.Undo(race=RACE, n=2)
    assert await receive(client, 2) == [("accepted", 1, None)] * 2


@pytest.mark.parametrize("n", [2, 7])
async def test_a_gap_in_the_numbers_fails(server: FakeServer, client: OutgoingConnection, n: int) -> None:
    await send(client, {"type": "auto_move", "race": RACE, "n": n, "from": 0})
    with pytest.raises(CheckFailedError) as failure:
        await server.next_action("an action")
    assert failure.value.expected == f"an action, of race {RACE} and with number 1"


async def test_another_action_with_a_used_number_fails(
    server: FakeServer, client: OutgoingConnection
) -> None:
    await send(client, FIRST)
    await server.accept(await server.next_action("an action"))
    await send(client, {"type": "undo", "race": RACE, "n": 1})
    with pytest.raises(CheckFailedError):
        await server.next_action("an action")


async def test_any_refusal_allows_later_numbers(server: FakeServer, client: OutgoingConnection) -> None:
    await send(client, FIRST, {"type": "undo", "race": RACE, "n": 2})
    await server.refuse(await server.next_action("an action"), RefusalCode.RATE_LIMITED)
    await send(client, FIRST)
    assert (await server.next_action("an action")).n == 1
    assert await receive(client, 2) == [("refused", 1, "rate_limited"), ("refused", 2, "wrong_number")]


@pytest.mark.parametrize("race", [RACE - 1, RACE + 1])
async def test_another_race_fails(server: FakeServer, client: OutgoingConnection, race: int) -> None:
    """One that is to come at once; an earlier one when more come than could have been under way."""
    await send(client, *(FIRST | {"race": race, "n": n} for n in range(1, LATE_ACTIONS + 2)))
    with pytest.raises(CheckFailedError) as failure:
        await server.next_action("an action")
    assert failure.value.expected == f"an action, of race {RACE} and with number 1"


async def test_actions_of_an_earlier_race_are_answered_as_a_server_does(
    server: FakeServer, client: OutgoingConnection
) -> None:
    """An accepted action gets the same answer again, another one `wrong_race`."""
    undo = {"type": "undo", "race": RACE, "n": 2}
    await send(client, FIRST, undo)
    await server.accept(await server.next_action("an action"))
    await server.next_action("an action")
    server.room.start_next_race()
    await send(client, FIRST, undo, undo | {"n": 3}, FIRST | {"race": RACE + 1})
    assert (await server.next_action("an action")).race == RACE + 1
    assert await receive(client, 4) == [
        ("accepted", 1, None),
        ("accepted", 1, None),
        ("refused", 2, "wrong_race"),
        ("refused", 3, "wrong_race"),
    ]


async def test_another_action_with_a_number_of_an_earlier_race_fails(
    server: FakeServer, client: OutgoingConnection
) -> None:
    await send(client, FIRST)
    await server.next_action("an action")
    server.room.start_next_race()
    await send(client, {"type": "restart", "race": RACE, "n": 1})
    with pytest.raises(CheckFailedError):
        await server.next_action("an action")


async def test_connection_within_returns_the_first_connection(server: FakeServer) -> None:
    assert await server.connection_within(0.01) is None
    listener = await Listener.open("localhost", 0, [JSON], server.arrivals.put)
    connection = await OutgoingConnection.open(f"ws://localhost:{listener.port}", JSON)
    assert await server.connection_within(5.0) is not None
    await asyncio.gather(connection.close(), listener.close())


async def test_a_long_wait_says_what_it_waits_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A short one does not: the author of the client is not disturbed."""
    monkeypatch.setattr(fake_server, "NOTICE_AFTER_S", 0.05)
    shown: list[str] = []
    server = FakeServer(0.2, shown.append)
    with pytest.raises(CheckFailedError):
        await server.next_connection(0.2, "a client")
    assert shown == ["Waiting for a client, at most 0.2 seconds."]
    async with server.waiting("nothing", 0.2):
        pass
    await asyncio.sleep(0.1)
    assert len(shown) == 1


async def test_whole_floats_of_a_client_are_accepted(server: FakeServer, client: OutgoingConnection) -> None:
    """As a server does."""
    await send(client, FIRST | {"n": 1.0, "from": 0.0})
    assert await server.next_action("an action") == from_client.AutoMove(race=RACE, n=1, source=0)


async def test_without_a_game_every_action_is_refused_and_returned(
    server: FakeServer, client: OutgoingConnection
) -> None:
    server.room.start_next_race(takes_part=False)
    await send(client, FIRST, {"type": "get_game", "ref": 2})
    assert await server.actions_within(0.2) == [from_client.AutoMove(race=RACE, n=1, source=0)]
    assert await receive(client, 2) == [("refused", 1, "not_racing"), ("error", None, "no_game")]

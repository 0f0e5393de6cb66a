"""The numbers that a client may send to the referee."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from conformance.errors import CheckFailedError
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
    """A referee with a race that runs."""
    server = FakeServer(timeout_s=5.0)
    list(server.room.start_race())
    return server


@pytest.fixture
async def client(server: FakeServer) -> AsyncIterator[OutgoingConnection]:
    """Whoever is under test."""
    listener = await Listener.open("localhost", 0, [JSON], server.arrivals.put)
    connection = await OutgoingConnection.open(f"ws://localhost:{listener.port}", JSON)
    await server.next_connection(5.0, "a client")
    yield connection
    await connection.close()
    await listener.close()


async def says(client: OutgoingConnection, *messages: dict[str, object]) -> None:
    for message in messages:
        await client.send(json.dumps(message))


async def hears(client: OutgoingConnection, count: int) -> list[tuple[object, ...]]:
    """Return type, number and code of the next answers."""
    told = [json.loads(await client.receive()) for _ in range(count)]
    assert all(UNKNOWN_FIELD.items() <= each.items() for each in told)
    return [(each["type"], each.get("n"), each.get("code")) for each in told]


async def test_requests_are_answered_while_an_action_is_awaited(
    server: FakeServer, client: OutgoingConnection
) -> None:
    await says(client, {"type": "ping", "ref": 1}, {"type": "get_game", "ref": 2}, FIRST)
    assert await server.next_action("an action") == from_client.AutoMove(race=RACE, n=1, source=0)
    assert await hears(client, 2) == [("pong", None, None), ("game", None, None)]


async def test_what_the_rules_refuse_is_refused_and_the_number_stays(
    server: FakeServer, client: OutgoingConnection
) -> None:
    await says(client, {"type": "undo", "race": RACE, "n": 1}, FIRST)
    assert (await server.next_action("an action")).n == 1
    assert await hears(client, 1) == [("refused", 1, "nothing_to_undo")]


async def test_what_was_sent_behind_a_refused_action_is_forgiven(
    server: FakeServer, client: OutgoingConnection
) -> None:
    """The client could not know; but once its number has come again, it does."""
    await says(
        client,
        {"type": "undo", "race": RACE, "n": 1},
        {"type": "auto_move", "race": RACE, "n": 2, "from": 0},
        FIRST,
    )
    action = await server.next_action("an action")
    await server.accept(action)
    assert await hears(client, 3) == [
        ("refused", 1, "nothing_to_undo"),
        ("refused", 2, "wrong_number"),
        ("accepted", 1, None),
    ]


async def test_the_same_again_gets_the_same_answer(server: FakeServer, client: OutgoingConnection) -> None:
    await says(client, FIRST)
    await server.accept(await server.next_action("an action"))
    await says(client, FIRST, {"type": "undo", "race": RACE, "n": 2})
    assert await server.next_action("an action") == from_client.Undo(race=RACE, n=2)
    assert await hears(client, 2) == [("accepted", 1, None)] * 2


@pytest.mark.parametrize("n", [2, 7])
async def test_a_gap_is_the_client_s_fault(server: FakeServer, client: OutgoingConnection, n: int) -> None:
    await says(client, {"type": "auto_move", "race": RACE, "n": n, "from": 0})
    with pytest.raises(CheckFailedError) as failure:
        await server.next_action("an action")
    assert failure.value.expected == f"an action, of race {RACE} and with number 1"


async def test_another_action_under_a_used_number_is_the_client_s_fault(
    server: FakeServer, client: OutgoingConnection
) -> None:
    await says(client, FIRST)
    await server.accept(await server.next_action("an action"))
    await says(client, {"type": "undo", "race": RACE, "n": 1})
    with pytest.raises(CheckFailedError):
        await server.next_action("an action")


async def test_forgiveness_begins_with_any_refusal(server: FakeServer, client: OutgoingConnection) -> None:
    await says(client, FIRST, {"type": "undo", "race": RACE, "n": 2})
    await server.refuse(await server.next_action("an action"), RefusalCode.RATE_LIMITED)
    await says(client, FIRST)
    assert (await server.next_action("an action")).n == 1
    assert await hears(client, 2) == [("refused", 1, "rate_limited"), ("refused", 2, "wrong_number")]


@pytest.mark.parametrize("race", [RACE - 1, RACE + 1])
async def test_another_race_is_the_client_s_fault(
    server: FakeServer, client: OutgoingConnection, race: int
) -> None:
    """One that is to come at once; an earlier one when more come than could have been under way."""
    await says(client, *(FIRST | {"race": race, "n": n} for n in range(1, LATE_ACTIONS + 2)))
    with pytest.raises(CheckFailedError) as failure:
        await server.next_action("an action")
    assert failure.value.expected == f"an action, of race {RACE} and with number 1"


async def test_actions_of_an_earlier_race_are_answered_as_a_server_does(
    server: FakeServer, client: OutgoingConnection
) -> None:
    """What was carried out has the same answer again; the rest never will be carried out."""
    undo = {"type": "undo", "race": RACE, "n": 2}
    await says(client, FIRST, undo)
    await server.accept(await server.next_action("an action"))
    await server.next_action("an action")
    server.room.start_next_race()
    await says(client, FIRST, undo, undo | {"n": 3}, FIRST | {"race": RACE + 1})
    assert (await server.next_action("an action")).race == RACE + 1
    assert await hears(client, 4) == [
        ("accepted", 1, None),
        ("accepted", 1, None),
        ("refused", 2, "wrong_race"),
        ("refused", 3, "wrong_race"),
    ]


async def test_another_action_under_a_number_of_an_earlier_race_is_the_client_s_fault(
    server: FakeServer, client: OutgoingConnection
) -> None:
    await says(client, FIRST)
    await server.next_action("an action")
    server.room.start_next_race()
    await says(client, {"type": "restart", "race": RACE, "n": 1})
    with pytest.raises(CheckFailedError):
        await server.next_action("an action")


async def test_silence_ends_with_whoever_comes(server: FakeServer) -> None:
    assert await server.connection_within(0.01) is None
    listener = await Listener.open("localhost", 0, [JSON], server.arrivals.put)
    connection = await OutgoingConnection.open(f"ws://localhost:{listener.port}", JSON)
    assert await server.connection_within(5.0) is not None
    await asyncio.gather(connection.close(), listener.close())

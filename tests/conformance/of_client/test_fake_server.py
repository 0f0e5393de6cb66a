"""The numbers that a client may send to the referee."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from conformance.errors import UnmetError
from conformance.of_client.fake_room import RACES_BEFORE
from conformance.of_client.fake_server import LATE_ACTIONS, NOVELTY, Listener
from conformance.wire import Caller, Door
from protocol import from_client as say
from protocol.refusals import RefusalCode
from protocol.version import JSON

RACE = RACES_BEFORE + 1
FIRST = {"type": "auto_move", "race": RACE, "n": 1, "from": 0}


@pytest.fixture
async def listener() -> Listener:
    """A referee with a race that runs."""
    listener = Listener(patience=5.0)
    list(listener.pretence.begin())
    return listener


@pytest.fixture
async def client(listener: Listener) -> AsyncIterator[Caller]:
    """Whoever is under test."""
    door = await Door.open("localhost", 0, [JSON], listener.arrivals.put)
    caller = await Caller.open(f"ws://localhost:{door.port}", JSON)
    await listener.next_guest(5.0, "a client")
    yield caller
    await caller.close()
    await door.close()


async def says(client: Caller, *messages: dict[str, object]) -> None:
    for message in messages:
        await client.send(json.dumps(message))


async def hears(client: Caller, count: int) -> list[tuple[object, ...]]:
    """Return type, number and code of the next answers."""
    told = [json.loads(await client.receive()) for _ in range(count)]
    assert all(NOVELTY.items() <= each.items() for each in told)
    return [(each["type"], each.get("n"), each.get("code")) for each in told]


async def test_requests_are_answered_while_an_action_is_awaited(listener: Listener, client: Caller) -> None:
    await says(client, {"type": "ping", "ref": 1}, {"type": "get_game", "ref": 2}, FIRST)
    assert await listener.next_action("an action") == say.AutoMove(race=RACE, n=1, source=0)
    assert await hears(client, 2) == [("pong", None, None), ("game", None, None)]


async def test_what_the_rules_refuse_is_refused_and_the_number_stays(
    listener: Listener, client: Caller
) -> None:
    await says(client, {"type": "undo", "race": RACE, "n": 1}, FIRST)
    assert (await listener.next_action("an action")).n == 1
    assert await hears(client, 1) == [("refused", 1, "nothing_to_undo")]


async def test_what_was_sent_behind_a_refused_action_is_forgiven(listener: Listener, client: Caller) -> None:
    """The client could not know; but once its number has come again, it does."""
    await says(
        client,
        {"type": "undo", "race": RACE, "n": 1},
        {"type": "auto_move", "race": RACE, "n": 2, "from": 0},
        FIRST,
    )
    action = await listener.next_action("an action")
    await listener.accept(action)
    assert await hears(client, 3) == [
        ("refused", 1, "nothing_to_undo"),
        ("refused", 2, "wrong_number"),
        ("accepted", 1, None),
    ]


async def test_the_same_again_gets_the_same_answer(listener: Listener, client: Caller) -> None:
    await says(client, FIRST)
    await listener.accept(await listener.next_action("an action"))
    await says(client, FIRST, {"type": "undo", "race": RACE, "n": 2})
    assert await listener.next_action("an action") == say.Undo(race=RACE, n=2)
    assert await hears(client, 2) == [("accepted", 1, None)] * 2


@pytest.mark.parametrize("n", [2, 7])
async def test_a_gap_is_the_client_s_fault(listener: Listener, client: Caller, n: int) -> None:
    await says(client, {"type": "auto_move", "race": RACE, "n": n, "from": 0})
    with pytest.raises(UnmetError) as unmet:
        await listener.next_action("an action")
    assert unmet.value.expected == f"an action, of race {RACE} and with number 1"


async def test_another_action_under_a_used_number_is_the_client_s_fault(
    listener: Listener, client: Caller
) -> None:
    await says(client, FIRST)
    await listener.accept(await listener.next_action("an action"))
    await says(client, {"type": "undo", "race": RACE, "n": 1})
    with pytest.raises(UnmetError):
        await listener.next_action("an action")


async def test_forgiveness_begins_with_any_refusal(listener: Listener, client: Caller) -> None:
    await says(client, FIRST, {"type": "undo", "race": RACE, "n": 2})
    await listener.refuse(await listener.next_action("an action"), RefusalCode.RATE_LIMITED)
    await says(client, FIRST)
    assert (await listener.next_action("an action")).n == 1
    assert await hears(client, 2) == [("refused", 1, "rate_limited"), ("refused", 2, "wrong_number")]


@pytest.mark.parametrize("race", [RACE - 1, RACE + 1])
async def test_another_race_is_the_client_s_fault(listener: Listener, client: Caller, race: int) -> None:
    """One that is to come at once; an earlier one when more come than could have been under way."""
    await says(client, *(FIRST | {"race": race, "n": n} for n in range(1, LATE_ACTIONS + 2)))
    with pytest.raises(UnmetError) as unmet:
        await listener.next_action("an action")
    assert unmet.value.expected == f"an action, of race {RACE} and with number 1"


async def test_actions_of_an_earlier_race_are_answered_as_a_server_does(
    listener: Listener, client: Caller
) -> None:
    """What was carried out has the same answer again; the rest never will be carried out."""
    undo = {"type": "undo", "race": RACE, "n": 2}
    await says(client, FIRST, undo)
    await listener.accept(await listener.next_action("an action"))
    await listener.next_action("an action")
    listener.pretence.race_again()
    await says(client, FIRST, undo, undo | {"n": 3}, FIRST | {"race": RACE + 1})
    assert (await listener.next_action("an action")).race == RACE + 1
    assert await hears(client, 4) == [
        ("accepted", 1, None),
        ("accepted", 1, None),
        ("refused", 2, "wrong_race"),
        ("refused", 3, "wrong_race"),
    ]


async def test_another_action_under_a_number_of_an_earlier_race_is_the_client_s_fault(
    listener: Listener, client: Caller
) -> None:
    await says(client, FIRST)
    await listener.next_action("an action")
    listener.pretence.race_again()
    await says(client, {"type": "restart", "race": RACE, "n": 1})
    with pytest.raises(UnmetError):
        await listener.next_action("an action")


async def test_silence_ends_with_whoever_comes(listener: Listener) -> None:
    assert await listener.silence(0.01) is None
    door = await Door.open("localhost", 0, [JSON], listener.arrivals.put)
    caller = await Caller.open(f"ws://localhost:{door.port}", JSON)
    assert await listener.silence(5.0) is not None
    await asyncio.gather(caller.close(), door.close())

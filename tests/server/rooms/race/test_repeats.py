"""Stored answers: what an action that is sent again was answered before."""

import asyncio

import pytest
from racetest import CODE
from roomtest import ADA, GatedMemoryStore, advance, move

from engine.code import GameCode
from engine.deal import deal
from protocol import from_client as ask
from protocol.from_client import AnyAction
from protocol.from_server import Accepted
from server.core import play as plays
from server.rooms.race.repeats import stored_answer
from server.store import keys
from server.store.port import StoreUnavailable

LOG = keys.game_log("BCDFG", 1, ADA)
DEAL = deal(GameCode.parse(CODE))


def written(store: GatedMemoryStore, *actions: AnyAction) -> list[Accepted]:
    """Write a game to the log; return the answers."""
    play = plays.Play(DEAL, 1)
    answers = []
    for at_ms, action in enumerate(actions, start=1):
        made = play.decide(action, at_ms, 0)
        assert isinstance(made, plays.Made)
        store.put(LOG, made.entry)
        answers.append(made.answer)
    return answers


async def test_a_stored_action_has_its_answer(store: GatedMemoryStore) -> None:
    """Equal in every field, with the time of the first one."""
    actions: list[AnyAction] = [move(1), move(2), ask.Undo(race=1, n=3)]
    answers = written(store, *actions)
    for action, answer in zip(actions, answers, strict=True):
        assert await stored_answer(store, LOG, DEAL, action) == answer


@pytest.mark.parametrize(
    "action",
    [move(2, step=1), ask.Undo(race=1, n=2), move(3)],
    ids=["move", "kind", "number"],
)
async def test_another_action_has_no_answer(store: GatedMemoryStore, action: AnyAction) -> None:
    """The number belongs to the stored action, or to none."""
    written(store, move(1), move(2))
    assert await stored_answer(store, LOG, DEAL, action) is None


async def test_the_end_of_a_race_is_no_action(store: GatedMemoryStore) -> None:
    """The last entry of a closed log has a number, but nobody sent it."""
    written(store, move(1))
    store.put(LOG, plays.CLOSED)
    assert await stored_answer(store, LOG, DEAL, ask.Undo(race=1, n=2)) is None
    assert await stored_answer(store, LOG, DEAL, move(1)) is not None


async def test_an_unavailable_store_is_waited_for(store: GatedMemoryStore) -> None:
    """The answer comes late rather than not at all."""
    (answer,) = written(store, move(1))
    store.fault = StoreUnavailable("gone")
    asking = asyncio.create_task(stored_answer(store, LOG, DEAL, move(1)))
    await advance(60)
    assert not asking.done()
    store.fault = None
    assert await asking == answer

"""The client in JavaScript that people copy, under Node."""

from typing import Any

import pytest
from racetest import CODE, Connect, StartNode, detour

pytestmark = pytest.mark.usefixtures("node_js")


async def test_it_wins_a_race_that_is_typed(node: StartNode, person: Connect, run: Any) -> None:
    """In a pipe: it waits for the race, plays it, and ends with it."""
    ada = await person(await node(), "Ada")
    ben = await run("javascript/client.mjs", ada.url, await ada.create(CODE), "Ben")
    moves = ["move {from} {to} {cards}".format(**step) for step in detour()]
    ben.types("ready", "auto_move 0", "undo", "restart", *moves)
    await ada.expect("ready_changed", ready=True)
    await ada.start()
    assert await ben.ends() == 0
    assert ben.printed[-1] == "the race is over"
    won = await ada.expect("racer_won")
    assert (won["moves"], won["score"]) == (len(detour()), 900 - len(detour()))
    assert "token" not in "".join(ben.printed)


async def test_it_ends_with_the_reason_where_it_must_not_come_back(
    node: StartNode, person: Connect, run: Any
) -> None:
    ada = await person(await node(), "Ada")
    ben = await run("javascript/client.mjs", ada.url, await ada.create(CODE), "Ben")
    joined = await ada.expect("member_joined")
    await ada.do("kick", player=joined["member"]["player"])
    assert await ben.ends() == 0
    assert ben.printed[-1] == "kicked"

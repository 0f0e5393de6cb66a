"""The example client in JavaScript, under Node."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from racetest import CODE, Connect, StartNode, detour

from server.core.rules import Rules

HERE = Path(__file__).parent
EXAMPLES = Path(__file__).parents[3] / "examples"

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


@pytest.mark.parametrize("before", [(), ("ready",)])
async def test_it_leaves_when_its_input_ends_after_the_race(
    node: StartNode, person: Connect, run: Any, before: tuple[str, ...]
) -> None:
    """It does not wait for a race that nobody can play in it."""
    ada = await person(await node(rules=Rules(forfeit_undo_ms=30)), "Ada")
    ben = await run("javascript/client.mjs", ada.url, await ada.create(CODE), "Ben")
    ben.types("ready", "forfeit")
    await ada.expect("ready_changed", ready=True)
    await ada.start()
    await ben.prints('"type":"race_ended"')
    ben.types(*before)
    assert await ben.ends() == 0
    assert ben.printed[-1] == "left"
    assert (await ada.expect("member_left"))["reason"] == "left"


async def test_it_ends_with_the_reason_when_it_must_not_reconnect(
    node: StartNode, person: Connect, run: Any
) -> None:
    ada = await person(await node(), "Ada")
    ben = await run("javascript/client.mjs", ada.url, await ada.create(CODE), "Ben")
    joined = await ada.expect("member_joined")
    await ada.do("kick", player=joined["member"]["player"])
    assert await ben.ends() == 0
    assert ben.printed[-1] == "kicked"


@pytest.mark.parametrize(
    ("silent", "found"),
    [
        ("no", {"pings": 6, "waits": []}),
        ("yes", {"pings": 5, "waits": ["1006 a ping stayed unanswered"]}),
    ],
)
def test_a_hidden_tab_keeps_its_connection_as_long_as_pings_are_answered(
    silent: str, found: dict[str, Any]
) -> None:
    """Browsers run the timers of a hidden tab once a minute: a minute of silence is not a lost connection."""
    script, client = HERE / "heartbeats.mjs", (EXAMPLES / "javascript" / "client.mjs").as_uri()
    node = subprocess.run(["node", script, client, "5", silent], capture_output=True, check=True, timeout=30)
    assert json.loads(node.stdout) == found

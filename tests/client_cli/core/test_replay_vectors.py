"""The client's replay gives the games of the test vectors, as the server's game does.

The two implementations share only the engine: a client must not verify the server by the server's own code.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from client_cli.core.replay import replay
from engine import Board
from protocol.parts import RacerState
from protocol.record import ActionKind, Entry

VECTORS = Path(__file__).parents[2] / "data" / "vectors"
GAMES: dict[str, dict[str, Any]] = {
    game["name"]: game for game in json.loads((VECTORS / "games.json").read_text(encoding="utf-8"))
}
TIME_LIMIT_MS = 3_600_000


def entry_of(step: dict[str, Any], *, forfeited: bool) -> Entry:
    """Return an accepted action as a record has it."""
    kind = ActionKind(step["action"]["type"])
    if kind is ActionKind.UNDO and forfeited:
        kind = ActionKind.UNDO_FORFEIT
    answer = step["answer"]
    return Entry(step["at_ms"], kind, answer.get("from"), answer.get("to"), answer.get("cards"))


@pytest.mark.parametrize("name", GAMES)
def test_every_accepted_action_leads_to_the_state_in_the_vector(name: str) -> None:
    start = Board.from_columns([column.split() for column in GAMES[name]["start"]])
    entries: list[Entry] = []
    forfeited = False
    for step in GAMES[name]["steps"]:
        if step["answer"]["type"] == "accepted" and step["answer"]["n"] == len(entries) + 1:
            entries.append(entry_of(step, forfeited=forfeited))
        state = step["state"]
        forfeited = state["state"] == RacerState.FORFEITED
        outcome = replay(entries, start, TIME_LIMIT_MS)
        assert outcome.faults == []
        assert state == {
            "columns": [" ".join(column) for column in outcome.columns],
            "score": outcome.placing.score,
            "moves": outcome.placing.moves,
            "runs": outcome.placing.runs,
            "undoable": state["undoable"],  # a record does not tell it
            "state": RacerState.PLAYING if outcome.state is RacerState.UNFINISHED else outcome.state,
            "progress": outcome.placing.progress,
            "reached_ms": outcome.placing.reached_ms,
        }

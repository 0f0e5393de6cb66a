"""The games of the test vectors, played on the server's racer game at the given times."""

import json
from pathlib import Path
from typing import Any

import pytest

from engine.board import Board
from protocol.codec import JSON_CODEC
from server.core.play import Made, Play, load
from server.core.rules import Rules

VECTORS = Path(__file__).parents[2] / "data" / "vectors"
GAMES: dict[str, dict[str, Any]] = {
    game["name"]: game for game in json.loads((VECTORS / "games.json").read_text(encoding="utf-8"))
}


def board_of(columns: list[str]) -> Board:
    return Board.from_columns([column.split() for column in columns])


@pytest.mark.parametrize("name", GAMES)
def test_every_action_is_answered_as_the_vector_says(name: str) -> None:
    """Forfeits and their undo included; the stored log loads to the same game."""
    start = board_of(GAMES[name]["start"])
    play, entries = Play(start, 1), []
    for step in GAMES[name]["steps"]:
        action: Any = JSON_CODEC.from_client(json.dumps(step["action"]))
        if action.n == play.n + 1:
            made = play.decide(action, step["at_ms"], Rules().forfeit_undo_ms)
            if isinstance(made, Made):
                entries.append(made.entry)
                assert json.loads(JSON_CODEC.encode(made.answer)) == step["answer"]
            else:
                assert made == step["answer"]["code"]
        for each in (play, load(start, 1, entries)):
            view = each.view()
            assert step["state"] == {
                "columns": [" ".join(column) for column in view.columns],
                "score": view.score,
                "moves": view.moves,
                "runs": view.runs,
                "undoable": view.undoable,
                "state": view.state,
                "progress": each.placing.progress,
                "reached_ms": each.reached_ms,
            }

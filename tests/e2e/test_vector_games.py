"""The games of the test vectors on a real server, in both encodings."""

import json
from pathlib import Path
from typing import Any

import pytest
from racetest import Connect, Encoding, Message, StartNode

from server.core.rules import Rules

VECTORS = Path(__file__).parents[1] / "data" / "vectors"
GAMES: list[dict[str, Any]] = [
    game for game in json.loads((VECTORS / "games.json").read_text(encoding="utf-8")) if "code" in game
]


def timeless(message: Message) -> Message:
    """Leave out what differs from race to race, and texts for people."""
    return {key: value for key, value in message.items() if key not in ("at_ms", "text")}


@pytest.mark.parametrize("encoding", ["msgpack", "json"])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game["name"])
async def test_a_server_answers_each_action_as_the_vector_says(
    node: StartNode, person: Connect, game: dict[str, Any], encoding: Encoding
) -> None:
    """A repeated action gets the same answer, and the game after each action is that of the vector."""
    where = await node(rules=Rules())
    ann, bo = await person(where, "Ann", encoding=encoding), await person(where, "Bo")
    await bo.join(await ann.create(game["code"]))
    for racer in (ann, bo):  # Bo only holds the race open
        await racer.ready()
    await ann.start()
    started = await ann.racing()
    assert [" ".join(column) for column in started["columns"]] == game["start"]
    accepted: dict[int, Message] = {}
    for step in game["steps"]:
        answer, n = step["answer"], step["action"]["n"]
        await ann.send(**step["action"])
        real = await ann.answer(n)
        assert timeless(real) == timeless(answer)
        if real["type"] == "accepted":
            assert accepted.setdefault(n, real) == real
        view = (await ann.ask("get_game"))["game"]
        assert {**view, "columns": [" ".join(column) for column in view["columns"]]} == {
            "n": len(accepted),
            **{key: value for key, value in step["state"].items() if key not in ("progress", "reached_ms")},
        }

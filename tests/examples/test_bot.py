"""The example bot and its strategies."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from racetest import CODE, Connect, StartNode

from engine import Board, GameCode, deal

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def bot(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Import the example as a module."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.delitem(sys.modules, "python_client", raising=False)
    spec = importlib.util.spec_from_file_location("bot", EXAMPLES / "bot.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_finds_the_legal_moves(bot: ModuleType) -> None:
    """All except useless ones, on each board of a long walk, with the boards after them."""
    board = deal(GameCode.parse("SS1-S2-ABCDEFG"))
    for _ in range(60):
        options = list(bot.moves(board.columns_text()))
        legal = {(move.source, move.target, move.cards) for move in board.legal_moves()}
        assert {option[:3] for option in options} <= legal
        useless = legal - {option[:3] for option in options}
        columns = board.columns_text()
        assert all(cards == len(columns[source]) and not columns[target] for source, target, cards in useless)
        for source, target, cards, after in options:
            there = Board.from_columns(columns)
            there.push(source, target, cards)
            assert there.columns_text() == after
        if not options:
            break
        board.push(*options[len(options) // 2][:3])


async def test_bots_race_each_other(node: StartNode, person: Connect, run: Any) -> None:
    """The room starts when two are ready, so no host has to."""
    where = await node()
    url = "ws://{}:{}".format(*where.address)
    first = await run("bot.py", url, "new", "Greta", "greedy", "0")
    room = (await first.prints("in room")).split()[-1]
    second = await run("bot.py", url, room, "Rand", "random", "0")
    watcher = await person(where, "Ada")
    await watcher.join(room, spectate=True)
    started = await watcher.expect("race_started")
    assert len(started["racers"]) == 2
    await first.prints("1. ")
    await second.prints("2. ")


async def test_it_forfeits_when_no_new_board_is_left(node: StartNode, person: Connect, run: Any) -> None:
    """It takes part in the next race nevertheless."""
    ada = await person(await node(), "Ada")
    room = await ada.create(CODE)
    robby = await run("bot.py", ada.url, room, "Robby", "greedy", "0")
    await ada.expect("ready_changed")
    await ada.start()
    over = await ada.expect("race_ended")
    assert over["results"][0]["state"] in ("won", "forfeited")
    await robby.prints("1. 'Robby'")
    await ada.expect("ready_changed", ready=True)

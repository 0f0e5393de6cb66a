"""Deals, solutions and saved races without a server."""

from pathlib import Path

import pytest

from client_cli.cli.offline import deal_lines, solution, verify_file
from client_cli.core.errors import Failure
from client_cli.text.style import Style, plain
from engine import Game, GameCode, Move, deal
from engine.solver import Unsolvable, solve

CODE = GameCode.parse("SS1-S4-AAAAABD")


def dead_deal() -> GameCode:
    """Return the first deal of 4 suits that cannot be won; some have hardly a move."""
    for number in range(200):
        code = GameCode(4, number)
        if isinstance(solve(deal(code), 500), Unsolvable):
            return code
    raise AssertionError("of 100 deals 4 to 6 cannot be won")


def test_a_deal_is_printed_below_its_code() -> None:
    lines = [plain(each) for each in deal_lines(CODE, Style(glyphs=False))]
    assert lines[:3] == [
        "SS1-S4-AAAAABD",
        " 1    2    3    4    5    6    7    8    9   10",
        " AC   2C   9H   8H   9S   QD   QH  10H   5S   AH",
    ]


def test_a_solution_can_be_typed_as_it_is_printed() -> None:
    *moves, last = solution(CODE)
    game = Game(deal(CODE))
    for text in moves:
        move, _, run = text.partition("   ")
        step = game.move(*Move.parse(move))
        assert getattr(step, "run", None) is not None if run else True
    assert game.is_won
    assert last == f"won in {game.moves} moves: {game.score} points"
    assert sum("a run is removed" in text for text in moves) == 4


def test_a_deal_that_cannot_be_won_has_a_sentence() -> None:
    code = dead_deal()
    [sentence] = solution(code)
    assert sentence.startswith(f"{code} cannot be won: none of its ")


@pytest.mark.parametrize(
    ("content", "fault"),
    [("{}", "{path} cannot be verified: it is not a record of a race: "), (None, "Cannot read {path} (")],
)
def test_a_file_that_is_not_a_record_is_reported(tmp_path: Path, content: str | None, fault: str) -> None:
    path = tmp_path / "race.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(Failure) as failed:
        verify_file(path)
    assert str(failed.value).startswith(fault.format(path=path))

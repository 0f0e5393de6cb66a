"""The worker that draws deals: lines in, lines out; it ends with its input."""

import subprocess
import sys

from engine.code import GameCode
from engine.deal import deal
from engine.solver import Solved, solve
from server.services.deals.drawing import draw


def test_each_line_is_answered_by_a_winnable_deal() -> None:
    """A number of suits in, a game code out, until the input ends."""
    worker = subprocess.run(
        [sys.executable, "-m", "server.services.deals.drawing"],
        input="1\n4\n2\n",
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    codes = [GameCode.parse(line) for line in worker.stdout.splitlines()]
    assert [code.suits for code in codes] == [1, 4, 2]
    assert all(isinstance(solve(deal(code)), Solved) for code in codes)
    assert worker.stderr == ""


def test_a_draw_has_the_requested_number_of_suits() -> None:
    """The solver has won it."""
    code = draw(2)
    assert code.suits == 2
    assert isinstance(solve(deal(code)), Solved)

"""Deals that tests race on, and how each of them is won."""

from functools import cache
from typing import Any, Final

from engine.code import GameCode
from engine.deal import deal
from engine.game import Game
from engine.refusal import Refusal
from engine.solver import Solved, solve

CODE: Final = "SS1-S1-AAAAABD"
OTHER_CODE: Final = "SS1-S1-AAAAAAA"

Step = dict[str, Any]
"""The fields of a `move` message."""


@cache
def solution(code: str = CODE) -> tuple[Step, ...]:
    """Return the moves that win a deal."""
    found = solve(deal(GameCode.parse(code)))
    if not isinstance(found, Solved):
        raise TypeError(f"tests race on deals that can be won; {code} is none")
    return tuple({"from": move.source, "to": move.target, "cards": move.cards} for move in found.moves)


@cache
def detour(code: str = CODE) -> tuple[Step, ...]:
    """Return moves that win a deal with two too many: one of them forth and back."""
    game = Game(deal(GameCode.parse(code)))
    steps = solution(code)
    for at, step in enumerate(steps):
        for source in range(10):
            for target in range(10):
                count = game.board.fitting_cards(source, target)
                there = game.move(source, target, count)
                if isinstance(there, Refusal):
                    continue
                back = game.board.check(target, source, count)
                game.undo()
                if back is None and there.run is None:
                    forth = {"from": source, "to": target, "cards": count}
                    return (*steps[:at], forth, forth | {"from": target, "to": source}, *steps[at:])
        game.move(step["from"], step["to"], step["cards"])
    raise AssertionError(f"no move of {code} can be made forth and back")

"""Play a recorded list of actions again, so that anybody can check a result."""

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple, assert_never

from engine.board import Board
from engine.game import Game
from engine.refusal import Refusal


class ActionKind(StrEnum):
    """What a player did; a double-click move is recorded as the move that it became."""

    MOVE = "move"
    UNDO = "undo"
    RESTART = "restart"


class Action(NamedTuple):
    """One accepted action; source, target and count are a move's alone, columns counted from 0."""

    kind: ActionKind
    source: int = 0
    target: int = 0
    count: int = 0  # type: ignore[assignment]  # hides tuple.count, which nobody needs here


class ReplayError(Exception):
    """A recorded action that the rules refuse: `index`, counted from 0, and the `refusal`."""

    def __init__(self, index: int, refusal: Refusal) -> None:
        super().__init__(f"action {index + 1} is against the rules: {refusal}")
        self.index = index
        self.refusal = refusal


def replay(board: Board, actions: Iterable[Action]) -> Game:
    """Play actions in order from a layout; ReplayError at the first one that is refused."""
    game = Game(board)
    for index, action in enumerate(actions):
        outcome = _play(game, action)
        if isinstance(outcome, Refusal):
            raise ReplayError(index, outcome)
    return game


def _play(game: Game, action: Action) -> object:
    match action.kind:
        case ActionKind.MOVE:
            return game.move(action.source, action.target, action.count)
        case ActionKind.UNDO:
            return game.undo()
        case ActionKind.RESTART:
            return game.restart()
        case _:
            assert_never(action.kind)

"""Replay of recorded actions, to verify a result."""

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple, assert_never

from engine.board import Board
from engine.game import Game
from engine.refusal import Refusal


class ActionKind(StrEnum):
    """Kind of an action. An automatic move is recorded as the move that it made."""

    MOVE = "move"
    UNDO = "undo"
    RESTART = "restart"


class Action(NamedTuple):
    """One accepted action. Only a move has source, target and cards; columns are counted from 0."""

    kind: ActionKind
    source: int = 0
    target: int = 0
    cards: int = 0


class ReplayError(Exception):
    """A recorded action that the rules refuse: its `index`, counted from 0, and the `refusal`."""

    def __init__(self, index: int, refusal: Refusal) -> None:
        super().__init__(f"action {index + 1} is against the rules: {refusal}")
        self.index = index
        self.refusal = refusal


def replay(board: Board, actions: Iterable[Action]) -> Game:
    """Play actions in order from a layout and return the game. Raises ReplayError at the first refusal."""
    game = Game(board)
    for index, action in enumerate(actions):
        outcome = _play(game, action)
        if isinstance(outcome, Refusal):
            raise ReplayError(index, outcome)
    return game


def _play(game: Game, action: Action) -> object:
    match action.kind:
        case ActionKind.MOVE:
            return game.move(action.source, action.target, action.cards)
        case ActionKind.UNDO:
            return game.undo()
        case ActionKind.RESTART:
            return game.restart()
        case _:
            assert_never(action.kind)

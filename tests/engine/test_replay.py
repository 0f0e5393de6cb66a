"""Replay of recorded actions."""

import pytest

from engine.board import Board
from engine.refusal import Refusal
from engine.replay import Action, ActionKind, ReplayError, replay

BOARD = Board.from_columns([["9D", "5H"], ["6S"], ["6D"], *[[] for _ in range(7)]])
MOVE, UNDO, RESTART = ActionKind


def test_the_recorded_actions_give_the_same_game() -> None:
    """Layout and actions are enough to verify a result."""
    actions = [
        Action(MOVE, 0, 1, 1),
        Action(RESTART),
        Action(MOVE, 0, 1, 1),
        Action(MOVE, 1, 2, 1),
        Action(UNDO),
    ]
    game = replay(BOARD, actions)
    assert game.board.columns_text()[:3] == [["9D"], ["6S", "5H"], ["6D"]]
    assert (game.score, game.moves, game.runs, game.undoable) == (499, 1, 0, 1)


def test_without_actions_the_board_is_the_layout() -> None:
    """A game without actions is valid."""
    assert replay(BOARD, []).board == BOARD


@pytest.mark.parametrize(
    ("actions", "index", "refusal"),
    [
        ([Action(UNDO)], 0, Refusal.NOTHING_TO_UNDO),
        ([Action(MOVE, 0, 1, 1), Action(MOVE, 0, 1, 1)], 1, Refusal.RANK_MISMATCH),
        ([Action(MOVE, 0, 1, 1), Action(RESTART), Action(UNDO)], 2, Refusal.NOTHING_TO_UNDO),
        ([Action(MOVE, 0, 1, 0)], 0, Refusal.BAD_CARDS),
    ],
)
def test_the_error_names_the_first_action_that_the_rules_refuse(
    actions: list[Action], index: int, refusal: Refusal
) -> None:
    """A list that was tampered with is detected, with its place."""
    with pytest.raises(ReplayError) as caught:
        replay(BOARD, actions)
    assert (caught.value.index, caught.value.refusal) == (index, refusal)
    assert str(caught.value) == f"action {index + 1} is against the rules: {refusal}"


def test_an_action_after_a_win_is_refused() -> None:
    """A list that goes on after the win was tampered with."""
    run = ["KH", "QH", "JH", "TH", "9H", "8H", "7H", "6H", "5H", "4H", "3H", "2H"]
    board = Board.from_columns([run, ["AH"], *[[] for _ in range(8)]])
    with pytest.raises(ReplayError, match="action 2 is against the rules: game_over"):
        replay(board, [Action(MOVE, 1, 0, 1), Action(RESTART)])


def test_the_kinds_of_actions_never_change_their_names() -> None:
    """Recorded actions contain them."""
    assert [str(kind) for kind in ActionKind] == ["move", "undo", "restart"]

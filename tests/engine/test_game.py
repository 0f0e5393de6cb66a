"""Moves, score, undo, restart and the end of a game."""

import pytest

from engine.board import Board
from engine.game import UNDO_LIMIT, Game, Step
from engine.refusal import Refusal


def game(*columns: str) -> Game:
    """Return a game on these first columns; the others are empty."""
    return Game(
        Board.from_columns([column.split() for column in columns] + [[] for _ in range(10 - len(columns))])
    )


def numbers(of: Game) -> dict[str, int]:
    """Return all numbers of a game."""
    return {"score": of.score, "moves": of.moves, "runs": of.runs, "undoable": of.undoable}


ALMOST_A_RUN = ("KH QH JH TH 9H 8H 7H 6H 5H 4H 3H", "5S 2H AH", "6D")


def test_a_game_starts_with_500_points() -> None:
    """It has no moves, no runs, and no move to undo."""
    assert numbers(game("5H", "6S")) == {"score": 500, "moves": 0, "runs": 0, "undoable": 0}


def test_a_move_costs_a_point_whatever_its_number_of_cards() -> None:
    """A group is one move."""
    played = game("7H 6H 5H", "8S")
    assert played.move(0, 1, 3) == Step(0, 1, 3, None)
    assert numbers(played) == {"score": 499, "moves": 1, "runs": 0, "undoable": 1}


def test_a_removed_run_gives_a_hundred_points() -> None:
    """The removal is not a move of its own; it belongs to the move that completed the run."""
    played = game(*ALMOST_A_RUN)
    assert played.move(1, 0, 2) == Step(1, 0, 2, "H")
    assert numbers(played) == {"score": 599, "moves": 1, "runs": 1, "undoable": 1}
    assert played.board == game("", "5S", "6D").board


def test_the_score_goes_below_zero() -> None:
    """It has no floor."""
    played = game("9D 5H", "6S", "6D")
    for turn in range(501):
        assert isinstance(
            played.move(*((0, 1, 1) if turn == 0 else (1, 2, 1) if turn % 2 else (2, 1, 1))), Step
        )
    assert played.score == -1


def test_a_refused_move_changes_nothing() -> None:
    """The answer is the rule that refused it."""
    played = game(*ALMOST_A_RUN)
    assert played.move(2, 0, 1) is Refusal.RANK_MISMATCH
    assert numbers(played) == numbers(game(*ALMOST_A_RUN))
    assert played.board == game(*ALMOST_A_RUN).board


def test_a_move_without_cards_takes_the_longest_group_that_fits() -> None:
    """People write these moves as `1 2` and `1 3`."""
    assert game("7H 6H 5H", "7S").move(0, 1) == Step(0, 1, 2, None)
    assert game("7H 6H 5H", "7S").move(0, 2) == Step(0, 2, 3, None)
    assert game("7H 6H 5H", "KS").move(0, 1) is Refusal.RANK_MISMATCH


def test_a_game_does_not_change_the_board_that_it_was_given() -> None:
    """Many games are played from one deal."""
    deal = game("5H", "6S").board
    Game(deal).move(0, 1, 1)
    assert deal == game("5H", "6S").board


# The double-click move


def test_the_double_click_moves_the_whole_group_to_the_best_column() -> None:
    """Its own suit first, then an empty column, then any other."""
    assert game("9D 5H 4H", "6S", "", "6H").auto_move(0) == Step(0, 3, 2, None)
    assert game("9D 5H 4H", "6S", "").auto_move(0) == Step(0, 2, 2, None)
    full = game("9D 5H 4H", "6S", *["AS"] * 4, *["AH"] * 4)
    assert full.auto_move(0) == Step(0, 1, 2, None)


def test_the_double_click_can_move_a_part_of_the_group() -> None:
    """The part begins with the card that was clicked."""
    assert game("9D 5H 4H", "6H", "5S", "5H").auto_move(0, 1) == Step(0, 3, 1, None)


def test_the_double_click_completes_a_run() -> None:
    """It is a move like any other."""
    assert game(*ALMOST_A_RUN).auto_move(1) == Step(1, 0, 2, "H")


@pytest.mark.parametrize(
    ("source", "cards", "refusal"),
    [
        (10, None, Refusal.NO_SUCH_COLUMN),
        (-1, None, Refusal.NO_SUCH_COLUMN),
        (3, None, Refusal.EMPTY_SOURCE),
        (0, 0, Refusal.BAD_CARDS),
        (0, 4, Refusal.BAD_CARDS),
        (0, 3, Refusal.NOT_ONE_SUIT_DESCENDING),
        (1, None, Refusal.NO_PLACE),
        (2, None, Refusal.NO_PLACE),
    ],
)
def test_a_refused_double_click_returns_the_rule(source: int, cards: int | None, refusal: Refusal) -> None:
    """A whole column does not move to an empty one."""
    played = game("9D 5H 4H", "KS", "TS")
    assert played.auto_move(source, cards) is refusal
    assert played.moves == 0


# Undo


def test_undo_restores_the_board_and_the_score_before_the_last_move() -> None:
    """It returns the move that it undid."""
    played = game("9D 5H", "6S", "6D")
    played.move(0, 1, 1)
    played.move(1, 2, 1)
    assert played.undo() == Step(1, 2, 1, None)
    assert played.undo() == Step(0, 1, 1, None)
    assert numbers(played) == {"score": 500, "moves": 0, "runs": 0, "undoable": 0}
    assert played.board == game("9D 5H", "6S", "6D").board


def test_undoing_the_move_that_completed_a_run_brings_the_run_back() -> None:
    """The cards, the score and the number of runs are as before."""
    played = game(*ALMOST_A_RUN)
    played.move(1, 0, 2)
    assert played.undo() == Step(1, 0, 2, "H")
    assert played.board == game(*ALMOST_A_RUN).board
    assert numbers(played) == {"score": 500, "moves": 0, "runs": 0, "undoable": 0}
    assert played.move(1, 0, 2) == Step(1, 0, 2, "H")


def test_undo_goes_back_exactly_a_hundred_moves() -> None:
    """The 101st undo is refused and changes nothing."""
    played = game("9D 5H", "6S", "6D")
    played.move(0, 1, 1)
    for turn in range(120):
        played.move(*((1, 2, 1) if turn % 2 == 0 else (2, 1, 1)))
    assert numbers(played) == {"score": 379, "moves": 121, "runs": 0, "undoable": 100}
    undone = [played.undo() for _ in range(UNDO_LIMIT)]
    assert undone == [Step(2, 1, 1, None), Step(1, 2, 1, None)] * 50
    assert played.undo() is Refusal.NOTHING_TO_UNDO
    assert numbers(played) == {"score": 479, "moves": 21, "runs": 0, "undoable": 0}


def test_undo_before_the_first_move_is_refused() -> None:
    """Undo goes back to the deal and no further."""
    assert game("5H").undo() is Refusal.NOTHING_TO_UNDO


# Restart


def test_restart_returns_to_the_deal() -> None:
    """Score, moves and runs are those of a new game, and no move can be undone."""
    played = game(*ALMOST_A_RUN)
    played.move(1, 0, 2)
    played.move(1, 2, 1)
    assert played.restart() is None
    assert played.board == game(*ALMOST_A_RUN).board
    assert numbers(played) == {"score": 500, "moves": 0, "runs": 0, "undoable": 0}
    assert played.undo() is Refusal.NOTHING_TO_UNDO


def test_a_game_can_be_restarted_many_times() -> None:
    """Moves do not change the deal that restart returns to."""
    played = game(*ALMOST_A_RUN)
    for _ in range(3):
        assert played.move(1, 0, 2) == Step(1, 0, 2, "H")
        assert played.restart() is None
    assert played.board == game(*ALMOST_A_RUN).board


# The end


def test_a_game_is_won_when_no_cards_are_left() -> None:
    """The move of the last ace removes the last run."""
    played = game("KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H", "AH")
    assert not played.is_won
    assert played.move(1, 0, 1) == Step(1, 0, 1, "H")
    assert played.is_won


def test_a_won_game_refuses_every_action() -> None:
    """Moves, undo and restart cannot change a result."""
    won = game("KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H", "AH")
    won.move(1, 0, 1)
    answers = [
        won.move(0, 1, 1),
        won.move(0, 1),
        won.move(99, 0, 0),
        won.auto_move(0),
        won.undo(),
        won.restart(),
    ]
    assert answers == [Refusal.GAME_OVER] * 6
    assert numbers(won) == {"score": 599, "moves": 1, "runs": 1, "undoable": 1}

"""Verdicts of the solver and its limit."""

import pytest

from engine.board import Board
from engine.code import GameCode
from engine.deal import deal
from engine.game import Game, Step
from engine.move import Move
from engine.solver import DEFAULT_POSITIONS, Solved, Undecided, Unsolvable, solve


def board(*columns: str) -> Board:
    return Board.from_columns([column.split() for column in columns] + [[] for _ in range(10 - len(columns))])


def test_a_solution_wins_the_game() -> None:
    """All its moves are legal in their order."""
    for suits in (1, 2, 4):
        code = GameCode(suits, 29)
        verdict = solve(deal(code))
        assert isinstance(verdict, Solved)
        game = Game(deal(code))
        assert all(isinstance(game.move(*move), Step) for move in verdict.moves)
        assert game.is_won


def test_a_board_without_cards_is_solved_without_a_move() -> None:
    """The position is won."""
    assert solve(board()) == Solved(())


def test_a_position_of_a_running_game_is_solved_like_a_deal() -> None:
    """Here one move wins."""
    assert solve(board("KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H", "AH")) == Solved((Move(1, 0, 1),))


def test_a_deal_without_a_legal_move_is_unsolvable() -> None:
    """The deal is the only reachable position."""
    stuck = board("KS", "KS", "KS", "KS", "KH", "KH", "KH", "KH", "JS", "JH")
    assert solve(stuck) == Unsolvable(1)


def test_the_search_stops_at_its_limit() -> None:
    """The verdict is then undecided."""
    assert solve(deal(GameCode(4, 29)), max_positions=50) == Undecided(50)


def test_a_proof_may_use_the_whole_limit() -> None:
    """Two positions are reachable: the five lies on one six or on the other."""
    two = board("KS 6S 5H", "6D", *["KH"] * 8)
    assert solve(two, max_positions=2) == Unsolvable(2)
    assert solve(two, max_positions=1) == Undecided(1)


def test_the_verdict_is_the_same_every_time() -> None:
    """It depends on neither clock nor chance, so a limit means the same on every machine."""
    assert solve(deal(GameCode(2, 12345))) == solve(deal(GameCode(2, 12345)))


def test_the_board_is_not_changed() -> None:
    """The solver copies the position."""
    dealt = deal(GameCode(1, 29))
    solve(dealt)
    assert dealt == deal(GameCode(1, 29))


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_most_deals_are_decided_at_the_default_limit(suits: int) -> None:
    """At least 19 of the 20 deals from number 1000 on. The benchmark measures the time."""
    verdicts = [solve(deal(GameCode(suits, number)), DEFAULT_POSITIONS) for number in range(1000, 1020)]
    assert sum(isinstance(verdict, Undecided) for verdict in verdicts) <= 1

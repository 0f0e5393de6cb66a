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
    """Every one of its moves is legal where it stands."""
    for suits in (1, 2, 4):
        code = GameCode(suits, 29)
        verdict = solve(deal(code))
        assert isinstance(verdict, Solved)
        game = Game(deal(code))
        assert all(isinstance(game.move(*move), Step) for move in verdict.moves)
        assert game.is_won


def test_a_board_without_cards_is_won_already() -> None:
    """Nothing is left to do."""
    assert solve(board()) == Solved(())


def test_a_position_in_the_middle_of_a_game_is_solved_like_a_deal() -> None:
    """One move is left here."""
    assert solve(board("KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H", "AH")) == Solved((Move(1, 0, 1),))


def test_a_deal_without_a_move_is_proved_unsolvable_at_once() -> None:
    """The deal itself is the one reachable position."""
    stuck = board("KS", "KS", "KS", "KS", "KH", "KH", "KH", "KH", "JS", "JH")
    assert solve(stuck) == Unsolvable(1)


def test_the_search_stops_at_its_limit() -> None:
    """It takes no longer than it is allowed to, and says that it does not know."""
    assert solve(deal(GameCode(4, 29)), max_positions=50) == Undecided(50)


def test_a_proof_may_use_the_whole_limit() -> None:
    """Two positions can be reached here: the five lies on the one six or on the other."""
    two = board("KS 6S 5H", "6D", *["KH"] * 8)
    assert solve(two, max_positions=2) == Unsolvable(2)
    assert solve(two, max_positions=1) == Undecided(1)


def test_the_answer_is_the_same_every_time() -> None:
    """Neither the clock nor chance has a say, so a limit means the same on every machine."""
    assert solve(deal(GameCode(2, 12345))) == solve(deal(GameCode(2, 12345)))


def test_the_board_is_left_alone() -> None:
    """The solver looks at positions of its own."""
    dealt = deal(GameCode(1, 29))
    solve(dealt)
    assert dealt == deal(GameCode(1, 29))


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_most_deals_are_decided_at_the_default_limit(suits: int) -> None:
    """At least 19 of the 20 deals after number 1000; how fast is for the benchmark to say."""
    verdicts = [solve(deal(GameCode(suits, number)), DEFAULT_POSITIONS) for number in range(1000, 1020)]
    assert sum(isinstance(verdict, Undecided) for verdict in verdicts) <= 1

"""Progress of a game: cards in order, 48 in a won game."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.board import Board
from engine.code import COUNT, GameCode
from engine.deal import deal
from engine.game import Game
from engine.progress import MOST, progress


def board(*columns: str) -> Board:
    return Board.from_columns([column.split() for column in columns] + [[] for _ in range(10 - len(columns))])


def test_single_cards_and_empty_columns_do_not_count() -> None:
    assert progress(board("9H", "8H"), 0) == 0


def test_neighbours_of_one_suit_that_descend_by_one_count() -> None:
    assert progress(board("TH 9H 8H", "4S 3S"), 0) == 3


def test_other_neighbours_do_not_count() -> None:
    """Another suit, an ascent, a gap, and the king of a suit behind the ace of the next."""
    assert progress(board("9H 8S", "8H 9H", "9H 7H", "AH KS", "AS KH"), 0) == 0


def test_neighbours_under_other_cards_count() -> None:
    assert progress(board("9H 8H KC"), 0) == 1


def test_a_removed_run_counts_as_its_twelve_pairs() -> None:
    """The move that completes a run adds one, like any other: a progress bar does not jump or fall."""
    game = Game(board("KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S", "AS"))
    assert progress(game.board, game.runs) == 11
    game.move(1, 0, 1)
    assert (game.runs, progress(game.board, game.runs)) == (1, 12)


def test_the_progress_of_a_won_game_is_48() -> None:
    assert progress(board(), 4) == MOST == 48


@settings(max_examples=40)
@given(st.integers(0, COUNT - 1), st.sampled_from([1, 2, 4]), st.randoms(use_true_random=False))
def test_a_move_changes_progress_by_one_at_most(number: int, suits: int, chance: Random) -> None:
    """Also a move that removes a run."""
    game = Game(deal(GameCode(suits, number)))
    before = progress(game.board, game.runs)
    for _ in range(40):
        moves = game.board.legal_moves()
        if not moves:
            return
        game.move(*chance.choice(moves))
        after = progress(game.board, game.runs)
        assert 0 <= after <= MOST
        assert abs(after - before) <= 1
        before = after

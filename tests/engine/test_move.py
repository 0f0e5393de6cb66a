"""The notation of moves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board import Board
from engine.move import InvalidMove, Move

PLACES = st.integers(0, 9)
BOARD = Board.from_columns([["7H", "6H", "5H"], ["7S"], *[[] for _ in range(8)]])


@given(st.builds(Move, PLACES, PLACES, st.integers(1, 13)))
def test_every_move_is_read_back_as_it_was_written(move: Move) -> None:
    """The notation makes tests and logs readable."""
    assert Move.parse(move.text()) == move


def test_columns_are_written_from_one() -> None:
    """Three cards from the first column to the tenth; blanks do not matter."""
    assert Move(0, 9, 3).text() == "1 10 3"
    assert Move.parse(" 1  10\t3 ") == Move(0, 9, 3)


def test_two_numbers_mean_the_longest_group_that_fits_the_board() -> None:
    """From column 1, two cards fit on the seven and three in an empty column."""
    assert BOARD.parse_move("1 2") == Move(0, 1, 2)
    assert BOARD.parse_move("1 3") == Move(0, 2, 3)


def test_a_number_of_cards_is_read_as_it_is_written() -> None:
    """Also where another number would fit better."""
    assert BOARD.parse_move("1 2 1") == Move(0, 1, 1)


@pytest.mark.parametrize("text", ["0 3 1", "11 3 1", "3 3 0"])
def test_a_move_that_the_rules_refuse_is_still_a_move(text: str) -> None:
    """Invalid notation raises; for an illegal move the board returns a refusal."""
    assert BOARD.check(*Move.parse(text)) is not None


@pytest.mark.parametrize("text", ["", "3", "3 7 2 1", "3-7", "a b", "-1 2 3", "3 7 +2", "1000 2 3", "٣ ٧ ٢"])
def test_other_text_is_refused_with_an_example(text: str) -> None:
    """The message shows how to write a move."""
    with pytest.raises(InvalidMove) as caught:
        BOARD.parse_move(text)
    assert (
        str(caught.value) == f"{text!r} is not a move. Write from, to and how many cards, like 3 7 2 or 3 7"
    )


def test_without_a_board_a_move_needs_its_number_of_cards() -> None:
    """Only a board can tell which group fits."""
    with pytest.raises(InvalidMove, match=r"^'3 7' does not say how many cards"):
        Move.parse("3 7")

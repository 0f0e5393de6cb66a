"""Moves that the rules allow and refuse, their effect on a board, and the board as a value."""

import pytest

from engine.board import Board
from engine.code import GameCode
from engine.deal import deal
from engine.layout import InvalidBoard
from engine.move import Move
from engine.refusal import Refusal


def board(*columns: str) -> Board:
    """Return a board with these first columns; the others are empty."""
    return Board.from_columns([column.split() for column in columns] + [[] for _ in range(10 - len(columns))])


# Refusals, one by one


@pytest.mark.parametrize(("source", "target"), [(-1, 0), (10, 0), (0, -1), (0, 10), (99, 99), (-10, 3)])
def test_there_are_ten_columns(source: int, target: int) -> None:
    """No other column exists, and negative numbers do not count from the end."""
    assert board("5H", "6H").check(source, target, 1) is Refusal.NO_SUCH_COLUMN


def test_a_move_needs_two_different_columns() -> None:
    """Not even an empty column is its own target."""
    assert board("5H").check(0, 0, 1) is Refusal.SAME_COLUMN
    assert board("5H").check(4, 4, 1) is Refusal.SAME_COLUMN


@pytest.mark.parametrize("cards", [-1, 0, 1, 2])
def test_an_empty_column_has_nothing_to_move(cards: int) -> None:
    """Whatever the number of cards."""
    assert board("5H", "").check(1, 0, cards) is Refusal.EMPTY_SOURCE


@pytest.mark.parametrize("cards", [-1, 0, 3, 99])
def test_a_move_takes_at_least_one_card_and_at_most_the_whole_column(cards: int) -> None:
    """The number of cards is between one and the height of the column."""
    assert board("6H 5H", "7H").check(0, 1, cards) is Refusal.BAD_CARDS


@pytest.mark.parametrize("column", ["6S 5H", "7H 5H", "5H 6H", "5H 5H"])
def test_only_a_one_suit_descending_group_moves(column: str) -> None:
    """A group of mixed suits never moves as a unit, even to an empty column."""
    assert board(column, "7D").check(0, 2, 2) is Refusal.NOT_ONE_SUIT_DESCENDING


def test_a_king_goes_only_to_an_empty_column() -> None:
    """No card is higher than a king."""
    assert board("KH", "QS").check(0, 1, 1) is Refusal.KING_NEEDS_EMPTY_COLUMN
    assert board("KH QH", "KS").check(0, 1, 2) is Refusal.KING_NEEDS_EMPTY_COLUMN
    assert board("5S KH", "QS").check(0, 2, 1) is None


@pytest.mark.parametrize("card", ["2H", "KS", "AS"])
def test_nothing_goes_on_an_ace(card: str) -> None:
    """Ace is low."""
    assert board(card, "AH").check(0, 1, 1) is Refusal.NOTHING_ON_ACE


@pytest.mark.parametrize("target", ["4S", "5S", "7S", "KS"])
def test_a_card_goes_only_on_a_card_one_rank_higher(target: str) -> None:
    """Not on an equal or lower card, and not across a gap."""
    assert board("5H", target).check(0, 1, 1) is Refusal.RANK_MISMATCH


def test_a_group_is_placed_by_its_first_card() -> None:
    """A group of five and four goes on a six, not on a five."""
    assert board("5H 4H", "5S", "6S").check(0, 1, 2) is Refusal.RANK_MISMATCH
    assert board("5H 4H", "5S", "6S").check(0, 2, 2) is None


# What the rules allow


@pytest.mark.parametrize("target", ["6H", "6S", "6D", "6C"])
def test_a_card_goes_on_any_suit(target: str) -> None:
    """Suits matter only for moving a group."""
    assert board("5H", target).check(0, 1, 1) is None


def test_an_empty_column_takes_any_group_of_any_length() -> None:
    """Twelve cards into an empty column is one move."""
    twelve = board("QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H AH")
    assert [twelve.check(0, 5, cards) for cards in range(1, 13)] == [None] * 12


def test_legal_moves_are_all_the_moves_that_check_allows() -> None:
    """With every number of cards; a whole column may move to an empty one, although nothing changes."""
    nine = board("6S 5H 4H", "5S", "6D", "AD", "AC", "AD", "AC", "AD", "KS")
    assert nine.legal_moves() == [
        Move(0, 1, 1),
        Move(0, 2, 2),
        Move(0, 9, 1),
        Move(0, 9, 2),
        Move(1, 2, 1),
        *(Move(source, 9, 1) for source in range(1, 9)),
    ]


def test_no_move_is_legal_where_nothing_fits() -> None:
    """Some deals have no first move."""
    assert board("KS", "KS", "KS", "KS", "KH", "KH", "KH", "KH", "JS", "JH").legal_moves() == []


# What a move does


def test_a_move_keeps_the_order_of_the_cards() -> None:
    """The group lies on the target as before, and the cards that it uncovers can move next."""
    after = board("8S 7S 5H 4H", "6S")
    assert after.push(0, 1, 2) is None
    assert after == board("8S 7S", "6S 5H 4H")
    assert [after.group(column) for column in range(3)] == [2, 2, 0]


def test_a_group_placed_on_its_own_suit_makes_a_longer_group() -> None:
    """6 5 on 9 8 7 of the same suit is a group of five."""
    after = board("6S 5S", "9S 8S 7S")
    after.push(0, 1, 2)
    assert (after.group(0), after.group(1)) == (0, 5)


@pytest.mark.parametrize("start", ["", "5D", "3D 2D"])
def test_king_to_ace_of_one_suit_leaves_play_at_once(start: str) -> None:
    """The move that completes a run removes it and uncovers the cards below; pop puts the run back."""
    after = board(f"{start} KH QH JH TH 9H 8H 7H 6H 5H 4H 3H", "4S 2H AH")
    before = after.copy()
    assert after.push(1, 0, 2) == "H"
    assert after == board(start, "4S")
    assert after.group(0) == len(start.split())
    after.pop(1, 0, 2, "H")
    assert after == before
    assert after.groups == before.groups


def test_a_run_of_mixed_suits_stays() -> None:
    """Only one-suit runs leave play."""
    after = board("KH QH JH TH 9H 8H 7H 6H 5H 4H 3S", "4S 2S AS")
    assert after.push(1, 0, 2) is None
    assert len(after.columns[0]) == 13


def test_pop_undoes_push() -> None:
    """Also a move into an empty column, which split a group."""
    after = before = board("8S 7S 6S")
    after = before.copy()
    after.push(0, 1, 2)
    after.pop(0, 1, 2, None)
    assert (after, after.groups) == (before, before.groups)


# The longest group that fits, and the best column


@pytest.mark.parametrize(
    ("columns", "cards"),
    [
        (("7H 6H 5H", "8S"), 3),
        (("7H 6H 5H", "7S"), 2),
        (("7H 6H 5H", "6S"), 1),
        (("7H 6H 5H", ""), 3),
    ],
)
def test_fitting_cards_is_the_length_of_the_longest_group_that_fits(
    columns: tuple[str, str], cards: int
) -> None:
    """A move without a number of cards means this group."""
    assert board(*columns).fitting_cards(0, 1) == cards


@pytest.mark.parametrize(
    ("columns", "refusal"),
    [
        (("6S 5H", "7S"), Refusal.NOT_ONE_SUIT_DESCENDING),
        (("6H 5H", "9S"), Refusal.RANK_MISMATCH),
        (("9D 5H", "9S"), Refusal.RANK_MISMATCH),
        (("6H 5H", "AS"), Refusal.NOTHING_ON_ACE),
        (("KH", "QS"), Refusal.KING_NEEDS_EMPTY_COLUMN),
        (("", "QS"), Refusal.EMPTY_SOURCE),
    ],
)
def test_if_nothing_fits_fitting_cards_leads_to_the_most_helpful_refusal(
    columns: tuple[str, str], refusal: Refusal
) -> None:
    """First of all that a mixed group would fit if it could move as a unit."""
    laid = board(*columns)
    assert laid.check(0, 1, laid.fitting_cards(0, 1)) is refusal


def test_fitting_cards_accepts_columns_that_do_not_exist() -> None:
    """`check` refuses them; it is not an exception."""
    laid = board("5H")
    assert laid.check(0, 12, laid.fitting_cards(0, 12)) is Refusal.NO_SUCH_COLUMN
    assert laid.check(-3, 1, laid.fitting_cards(-3, 1)) is Refusal.NO_SUCH_COLUMN


@pytest.mark.parametrize(
    ("columns", "target"),
    [
        (("8S 5H", "6S", "", "6H", "6H"), 3),
        (("8S 5H", "6S", "", "6D", ""), 2),
        (("8S 5H", "6S", *["AS"] * 7, "6D"), 1),
        (("5H", "AS", "6D"), 2),
        (("5H", "AS", ""), None),
        (("8S 5H", *["9S"] * 9), None),
    ],
)
def test_the_best_column_has_the_same_suit_or_else_is_empty_or_else_fits(
    columns: tuple[str, ...], target: int | None
) -> None:
    """The leftmost among equals; a whole column never moves to an empty one."""
    assert board(*columns).best_target(0, 1) == target


# The board as a value


def test_boards_are_equal_if_their_columns_are() -> None:
    """The order of the columns counts."""
    assert board("5H", "6H") == board("5H", "6H")
    assert board("5H", "6H") != board("6H", "5H")
    assert board("5H") != "5H"


def test_a_board_is_not_hashable() -> None:
    """It is mutable; its text can serve as a key."""
    with pytest.raises(TypeError):
        hash(board("5H"))


def test_the_representation_evaluates_to_an_equal_board() -> None:
    """The output of a failing test can be pasted into the next test."""
    dealt = deal(GameCode(2, 777))
    assert eval(repr(dealt), {"Board": Board}) == dealt  # noqa: S307 - our own text


def test_columns_written_as_text_are_read_back() -> None:
    """Programs exchange columns as lists of cards."""
    dealt = deal(GameCode(4, 777))
    assert Board.from_columns(dealt.columns_text()) == dealt
    assert board("AS KH").columns_text() == [["AS", "KH"], *[[] for _ in range(9)]]


def test_a_copy_is_independent() -> None:
    """The two boards share no column."""
    first = board("6S 5H", "6D")
    second = first.copy()
    second.push(0, 1, 1)
    assert first == board("6S 5H", "6D")
    assert first.groups == [1, 1, 0, 0, 0, 0, 0, 0, 0, 0]


def test_an_invalid_layout_raises_and_an_illegal_move_returns_a_refusal() -> None:
    """Bad input to the engine is an exception; a refusal of the rules is a value."""
    with pytest.raises(InvalidBoard):
        board("5X")
    assert isinstance(board("5H").check(0, 0, 1), Refusal)

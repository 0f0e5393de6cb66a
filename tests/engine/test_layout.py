"""Layouts as text and as lists of cards."""

import pytest

from engine.board import Board
from engine.layout import InvalidBoard, group_length

RULE_PAGE = """\
1  AS KH AC 4D KD 6C TH 4C
2  3D 2D 4S 9C AD 7C 8D 9H
3  JH 6S 8H 5H 2S 3C 6H KS
4  JS 7D 2C TS 9D TD 5S
5  2H 9S KC 8C QS AH
6  QC 7H TC JC QH
7  JD 3H 5C 6D
8  8S 4H QD
9  3S 7S
10 5D"""
EMPTY = [f"{number}" for number in range(1, 11)]
KING_TO_ACE = "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AS"


def lines(**changed: str) -> str:
    """Write an empty layout with some lines replaced, like line1="1 AS"."""
    layout = list(EMPTY)
    for name, line in changed.items():
        layout[int(name.removeprefix("line")) - 1] = line
    return "\n".join(layout)


def test_the_layout_of_the_rule_page_is_read_back_as_it_was_written() -> None:
    """Ten lines; the last card of each is the free one."""
    assert Board.parse(RULE_PAGE).text() == RULE_PAGE


def test_the_line_of_an_empty_column_is_its_number() -> None:
    """Positions in the middle of a game can be written too, and the won one."""
    text = lines(line2="2  5H 4S", line10="10 KD")
    assert Board.parse(text).text() == text
    assert Board.parse("\n".join(EMPTY)).is_won


def test_extra_blanks_and_empty_lines_are_ignored() -> None:
    """A layout may be indented in a source text."""
    assert (
        Board.parse("\n\n" + RULE_PAGE.replace("  ", "   ").replace("\n", "\n\n   ") + "\n").text()
        == RULE_PAGE
    )


@pytest.mark.parametrize(
    ("text", "column", "index", "message"),
    [
        ("", None, None, "a layout has 10 columns, not 0"),
        (lines(line10=""), None, None, "a layout has 10 columns, not 9"),
        (lines() + "\n11 AS", None, None, "a layout has 10 columns, not 11"),
        (
            lines(line3="AS"),
            2,
            None,
            "column 3: the line begins with 'AS' where the column's number should be",
        ),
        (
            lines(line3="4 AS"),
            2,
            None,
            "column 3: the line begins with '4' where the column's number should be",
        ),
        (
            lines(line7="7 AS 10H"),
            6,
            1,
            "column 7, card 2: '10H' is not a card: "
            "a card is a rank of A23456789TJQK and a suit of SHDC, like TH",
        ),
        (lines(line1="1" + " AS" * 53), None, None, "a pack has 52 cards, not 53"),
        (
            lines(line4="4 5H " + KING_TO_ACE),
            3,
            1,
            "column 4, card 2: a run from king to ace would have left play",
        ),
        (
            lines(line4="4 " + KING_TO_ACE + " 5H"),
            3,
            0,
            "column 4, card 1: a run from king to ace would have left play",
        ),
    ],
)
def test_an_invalid_layout_is_refused_with_its_place(
    text: str, column: int | None, index: int | None, message: str
) -> None:
    """The error gives the place, counted from 0 in its attributes and from 1 in its message."""
    with pytest.raises(InvalidBoard) as caught:
        Board.parse(text)
    assert (caught.value.column, caught.value.index, str(caught.value)) == (column, index, message)


def test_lists_of_cards_are_checked_like_text() -> None:
    """The same faults are refused with the same messages."""
    with pytest.raises(InvalidBoard, match="a layout has 10 columns, not 1"):
        Board.from_columns([["AS"]])
    with pytest.raises(InvalidBoard, match=r"column 1, card 1: 'as' is not a card"):
        Board.from_columns([["as"], [], [], [], [], [], [], [], [], []])


@pytest.mark.parametrize(
    ("cards", "length"),
    [
        ("", 0),
        ("5H", 1),
        ("6H 5H", 2),
        ("6S 5H", 1),
        ("7H 6S 5S 4S", 3),
        ("5H 6H", 1),
        ("AS KH", 1),
        ("2S AS KS", 1),
        ("9H 8H 6H 5H", 2),
    ],
)
def test_the_movable_group_descends_one_by_one_in_one_suit(cards: str, length: int) -> None:
    """It ends before another suit, a gap or an ascent."""
    board = Board.from_columns([cards.split(), *[[] for _ in range(9)]])
    assert group_length(board.columns[0]) == length

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
    """Write a layout that is empty but for the lines given, like line1="1 AS"."""
    layout = list(EMPTY)
    for name, line in changed.items():
        layout[int(name.removeprefix("line")) - 1] = line
    return "\n".join(layout)


def test_the_layout_of_the_rule_page_reads_back_as_it_was_written() -> None:
    """Ten lines, the last card of each is the free one."""
    assert Board.parse(RULE_PAGE).text() == RULE_PAGE


def test_an_empty_column_is_its_number_alone() -> None:
    """Positions in the middle of a game have their text too, and the won one."""
    text = lines(line2="2  5H 4S", line10="10 KD")
    assert Board.parse(text).text() == text
    assert Board.parse("\n".join(EMPTY)).is_won


def test_blanks_and_empty_lines_do_not_matter() -> None:
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
def test_a_layout_that_is_not_well_formed_is_refused_with_the_place(
    text: str, column: int | None, index: int | None, message: str
) -> None:
    """The error says where the fault is, for programs from 0 and for people from 1."""
    with pytest.raises(InvalidBoard) as caught:
        Board.parse(text)
    assert (caught.value.column, caught.value.index, str(caught.value)) == (column, index, message)


def test_columns_are_held_to_the_same_form() -> None:
    """A layout from another program's lists is read no more freely than one from text."""
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
    """A group of mixed suits, or with a gap, ends where that begins."""
    board = Board.from_columns([cards.split(), *[[] for _ in range(9)]])
    assert group_length(board.columns[0]) == length

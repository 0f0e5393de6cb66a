"""Layouts as text: ten lines, each with a column's number and its cards, from the deepest to the free one.

1  AS KH AC 4D
2
3  3D 2D
and so on to line 10. The line of an empty column has only its number.
"""

from collections.abc import Sequence
from typing import Final

from engine.cards import KING, card_text, parse_card

COLUMNS: Final = 10
PACK_SIZE: Final = 52


class InvalidBoard(ValueError):  # noqa: N818 - the name says what is wrong
    """A layout that is not well-formed.

    `column` and `index` give the place, both counted from 0, the index from the deepest card. Each is None
    if the fault has no such place. The message gives the place too, counted from 1.
    """

    def __init__(self, fault: str, column: int | None = None, index: int | None = None) -> None:
        where = ""
        if column is not None:
            where = f"column {column + 1}: " if index is None else f"column {column + 1}, card {index + 1}: "
        super().__init__(where + fault)
        self.column = column
        self.index = index


def parse_layout(text: str) -> list[list[int]]:
    """Read ten columns from text. Raises InvalidBoard."""
    columns: list[list[str]] = []
    for line in filter(None, map(str.split, text.splitlines())):
        number, *cards = line
        if number != str(len(columns) + 1):
            fault = f"the line begins with {number[:20]!r} where the column's number should be"
            raise InvalidBoard(fault, len(columns))
        columns.append(cards)
    return read_columns(columns)


def read_columns(columns: Sequence[Sequence[str]]) -> list[list[int]]:
    """Read ten columns of cards like `TH`. Raises InvalidBoard.

    Any cards are accepted, up to a pack of 52, so that every position of a game and smaller ones can be set
    up. Only a column that contains a whole run is invalid: the run would have left play.
    """
    if len(columns) != COLUMNS:
        raise InvalidBoard(f"a layout has {COLUMNS} columns, not {len(columns)}")
    layout = [
        [_read_card(text, place, index) for index, text in enumerate(column)]
        for place, column in enumerate(columns)
    ]
    size = sum(map(len, layout))
    if size > PACK_SIZE:
        raise InvalidBoard(f"a pack has {PACK_SIZE} cards, not {size}")
    for place, cards in enumerate(layout):
        for end in range(KING, len(cards) + 1):
            if group_length(cards[:end]) == KING:
                raise InvalidBoard("a run from king to ace would have left play", place, end - KING)
    return layout


def _read_card(text: str, column: int, index: int) -> int:
    try:
        return parse_card(text)
    except ValueError as fault:
        raise InvalidBoard(str(fault), column, index) from None


def layout_text(columns: Sequence[Sequence[int]]) -> str:
    """Write ten columns in the form that `parse_layout` reads."""
    return "\n".join(
        f"{number:<3}{' '.join(map(card_text, cards))}".rstrip()
        for number, cards in enumerate(columns, start=1)
    )


def group_length(column: Sequence[int]) -> int:
    """Count the cards of the movable group at a column's end: one suit, ranks descending one by one."""
    top = len(column)
    if top == 0:
        return 0
    first = top - 1
    card = column[first]
    while first and column[first - 1] - card == 1:
        first -= 1
        card += 1
    return top - first

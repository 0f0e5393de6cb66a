"""Moves, and the notation in which people write them."""

import re
from typing import Final, NamedTuple, Self

# Three digits are enough for a column or a number of cards; more would only admit giant numbers.
_NOTATION: Final = re.compile(r"([0-9]{1,3})\s+([0-9]{1,3})(?:\s+([0-9]{1,3}))?", re.ASCII)


class InvalidMove(ValueError):  # noqa: N818 - the name says what is wrong
    """Text that is not a move. The message shows how to write one."""


class Move(NamedTuple):
    """A move of the last `cards` cards of one column to another. Columns are counted from 0."""

    source: int
    target: int
    cards: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a move like `3 7 2`: from, to, cards, with columns counted from 1. Raises InvalidMove.

        Board.parse_move also reads a move without the number of cards. Board.check decides whether the
        columns exist and the rules allow the move.
        """
        source, target, cards = read_numbers(text)
        if cards is None:
            raise InvalidMove(f"{text[:40]!r} does not say how many cards. Write it like 3 7 2")
        return cls(source, target, cards)

    def text(self) -> str:
        """Write the move in full, columns counted from 1."""
        return f"{self.source + 1} {self.target + 1} {self.cards}"


def read_numbers(text: str) -> tuple[int, int, int | None]:
    """Read source, target and the number of cards, None if it is left out. Raises InvalidMove."""
    match = _NOTATION.fullmatch(text.strip())
    if match is None:
        raise InvalidMove(
            f"{text[:40]!r} is not a move. Write from, to and how many cards, like 3 7 2 or 3 7"
        )
    cards = None if match[3] is None else int(match[3])
    return int(match[1]) - 1, int(match[2]) - 1, cards

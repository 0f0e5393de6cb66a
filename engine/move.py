"""A move by itself, and the notation in which people write it."""

import re
from typing import TYPE_CHECKING, Final, NamedTuple, Self

if TYPE_CHECKING:
    from engine.board import Board

# Three digits are enough for a column or a count; more would only invite giant numbers.
_NOTATION: Final = re.compile(r"([0-9]{1,3})\s+([0-9]{1,3})(?:\s+([0-9]{1,3}))?", re.ASCII)


class InvalidMove(ValueError):  # noqa: N818 - the name says what is wrong
    """A text that is no move; the message shows what one looks like."""


class Move(NamedTuple):
    """A group of `count` cards from one column to another, columns counted from 0."""

    source: int
    target: int
    count: int  # type: ignore[assignment]  # hides tuple.count, which nobody needs here

    @classmethod
    def parse(cls, text: str, board: "Board | None" = None) -> Self:
        """Read `3 7 2`, columns counted from 1, or `3 7`: the longest group that fits on that board.

        InvalidMove if it is neither, or if only a board could tell the count and there is none. Whether the
        rules allow the move, and whether there are such columns, is for Board.check to say.
        """
        match = _NOTATION.fullmatch(text.strip())
        if match is None:
            raise InvalidMove(
                f"{text[:40]!r} is no move. Write from, to and how many cards, like 3 7 2 or 3 7"
            )
        source, target = int(match[1]) - 1, int(match[2]) - 1
        if match[3] is not None:
            return cls(source, target, int(match[3]))
        if board is None:
            raise InvalidMove(f"{text[:40]!r} does not say how many cards. Write it like 3 7 2")
        return cls(source, target, board.fitting_count(source, target))

    def text(self) -> str:
        """Write the move in full as people do, columns counted from 1."""
        return f"{self.source + 1} {self.target + 1} {self.count}"

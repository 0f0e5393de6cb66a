"""A move by itself, and the notation in which people write it."""

import re
from typing import Final, NamedTuple, Self

# Three digits are enough for a column or a count; more would only invite giant numbers.
_NOTATION: Final = re.compile(r"([0-9]{1,3})\s+([0-9]{1,3})(?:\s+([0-9]{1,3}))?", re.ASCII)


class InvalidMove(ValueError):  # noqa: N818 - the name says what is wrong
    """A text that is no move; the message shows what one looks like."""


class Move(NamedTuple):
    """A group of `count` cards from one column to another, columns counted from 0.

    Without a count it is the longest group that fits.
    """

    source: int
    target: int
    count: int | None = None  # type: ignore[assignment]  # hides tuple.count, which nobody needs here

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `3 7 2` or `3 7`, columns counted from 1; InvalidMove if it is neither.

        Whether there are such columns is for the board to say.
        """
        match = _NOTATION.fullmatch(text.strip())
        if match is None:
            raise InvalidMove(
                f"{text[:40]!r} is no move. Write from, to and how many cards, like 3 7 2, or only 3 7"
            )
        source, target, count = match.groups()
        return cls(int(source) - 1, int(target) - 1, None if count is None else int(count))

    def text(self) -> str:
        """Write the move as people do, columns counted from 1."""
        places = f"{self.source + 1} {self.target + 1}"
        return places if self.count is None else f"{places} {self.count}"

"""Game codes: short texts that stand for a deal."""

import re
from dataclasses import dataclass
from typing import Final, Self

COUNT: Final = 26**7
"""Number of deals for each number of suits. Every number below it is a valid deal."""

SUIT_COUNTS: Final = (1, 2, 4)

_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_EXAMPLE: Final = "SS1-S1-AAAAABD"
# ASCII: case folding beyond it would accept look-alikes such as the long s and the Kelvin sign.
_SHAPE: Final = re.compile(r"([A-Z]+)([0-9]+)-S([0-9]+)-([A-Z]+)", re.ASCII | re.IGNORECASE)


class InvalidGameCode(ValueError):  # noqa: N818 - the name says what is wrong
    """Text that is not a game code. The message says what is wrong and shows a valid code."""

    def __init__(self, text: str, fault: str) -> None:
        shown = text if len(text) <= 40 else text[:40] + "…"
        super().__init__(f"{shown!r} is not a game code: {fault}. A game code looks like {_EXAMPLE}")


@dataclass(frozen=True, order=True, slots=True)
class GameCode:
    """Simple Simon, code version 1: a number of suits (1, 2 or 4) and a deal's number below COUNT."""

    suits: int
    number: int

    def __post_init__(self) -> None:
        if self.suits not in SUIT_COUNTS:
            raise InvalidGameCode(repr(self), f"there is no game of {self.suits} suits, only of 1, 2 or 4")
        if not 0 <= self.number < COUNT:
            raise InvalidGameCode(repr(self), f"deals are numbered from 0 to {COUNT - 1}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a code in upper or lower case, ignoring surrounding blanks. Raises InvalidGameCode."""
        match = _SHAPE.fullmatch(text.strip())
        if match is None:
            raise InvalidGameCode(text, "it is not made of game, suits and seven letters with dashes between")
        game, version, suits, letters = match.groups()
        if game.upper() != "SS":
            raise InvalidGameCode(text, "it must begin with SS for Simple Simon")
        if version != "1":
            raise InvalidGameCode(text, "only version 1 of the codes is known")
        if suits not in {"1", "2", "4"}:
            raise InvalidGameCode(text, "the number of suits must be S1, S2 or S4")
        if len(letters) != 7:
            raise InvalidGameCode(text, "the deal must be seven letters from A to Z")
        number = 0
        for letter in letters.upper():
            number = number * 26 + _LETTERS.index(letter)
        return cls(int(suits), number)

    def __str__(self) -> str:
        letters = ""
        rest = self.number
        for _ in range(7):
            rest, place = divmod(rest, 26)
            letters = _LETTERS[place] + letters
        return f"SS1-S{self.suits}-{letters}"

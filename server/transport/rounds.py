"""Whose turn it is to be looked at: everybody once in a round, and never all at once."""

import math
from collections.abc import Set as AbstractSet
from typing import Final, Generic, TypeVar

_T = TypeVar("_T")

_ALL: Final = 1.0


class Rounds(Generic[_T]):
    """Goes round a set that changes meanwhile, in `seconds`, as evenly as it is asked.

    A look at all takes milliseconds when there are many thousands, and everybody's answers would wait for
    it. Between two looks at one of them lie two rounds at most.
    """

    def __init__(self, everybody: AbstractSet[_T], seconds: float, now: float) -> None:
        self._everybody = everybody
        self._seconds = seconds
        self._at = now
        self._left: list[_T] = []
        self._size = 0  # of this round, at its beginning

    def due(self, now: float) -> list[_T]:
        """Return those whose turn has come since the last time, at `now` seconds."""
        share = (now - self._at) / self._seconds
        self._at = now
        if not self._left:
            self._left = list(self._everybody)
            self._size = len(self._left)
        # Of the larger number: a round that began with many must not last longer because they have gone.
        people = max(self._size, len(self._everybody))
        count = len(self._left) if share >= _ALL else math.ceil(share * people)
        due = self._left[:count]
        del self._left[:count]
        return [each for each in due if each in self._everybody]

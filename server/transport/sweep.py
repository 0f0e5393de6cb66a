"""Sweep over a changing set in small slices, each member once per interval."""

import math
from collections.abc import Set as AbstractSet
from typing import Final, Generic, TypeVar

_T = TypeVar("_T")

_WHOLE: Final = 1.0


class Sweep(Generic[_T]):
    """Visits every member of a set once per `seconds`, in slices as even as the calls to `due`.

    Visiting thousands of connections at once takes milliseconds in which no message is answered.
    A member is visited again after at most two intervals.
    """

    def __init__(self, members: AbstractSet[_T], seconds: float, now: float) -> None:
        self._members = members  # changes while the sweep runs
        self._seconds = seconds
        self._last_call = now
        self._remaining: list[_T] = []  # members not yet visited in this pass, some perhaps gone
        self._pass_size = 0  # length of `_remaining` when this pass began

    def due(self, now: float) -> list[_T]:
        """Return the members due since the last call, at `now` seconds."""
        share = (now - self._last_call) / self._seconds
        self._last_call = now
        if not self._remaining:
            self._remaining = list(self._members)
            self._pass_size = len(self._remaining)
        # The larger number: a pass that began with many members must not last longer because they left.
        size = max(self._pass_size, len(self._members))
        count = len(self._remaining) if share >= _WHOLE else math.ceil(share * size)
        due = self._remaining[:count]
        del self._remaining[:count]
        return [member for member in due if member in self._members]

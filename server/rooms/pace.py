"""Doing something for many, for each at once when it is wanted, and yet not too often."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final, Generic, TypeVar

_T = TypeVar("_T")
_GIVING_WAY: Final = 8.0
_MOST_LATE_S: Final = 0.1


class Pace(Generic[_T]):
    """Calls `act` for whoever wants it: in the next turn of the loop, but not twice within `pause` seconds.

    What is wanted by many in one turn is done together at the beginning of the next, before what is sent
    now has been written: so both leave in one piece.

    When the loop is late, because there is more to do than can be done, the pause is longer by eight times
    as much, 0.8 s at most: this work gives way to what is more urgent.
    """

    def __init__(self, act: Callable[[_T], None], pause: float) -> None:
        self._act = act
        self._pause = pause
        self._late = 0.0  # by how much the loop was, when last somebody had rested
        self._due: list[_T] = []
        self._wanted: dict[_T, bool] = {}  # of those who wait for the next turn or rest, who wants it again
        self._resting: deque[tuple[float, _T]] = deque()  # who wakes first is first

    def want(self, who: _T) -> None:
        """Let `act` be called as soon as may be; once, however often it is wanted until then."""
        if who in self._wanted:
            self._wanted[who] = True
            return
        if not self._due:
            asyncio.get_running_loop().call_soon(self._act_for_due)
        self._due.append(who)
        self._wanted[who] = False

    def _act_for_due(self) -> None:
        due, self._due = self._due, []
        self._act_for(due)

    def _act_for(self, several: list[_T]) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + self._pause + _GIVING_WAY * self._late
        if several and not self._resting:
            loop.call_at(until, self._wake)
        for who in several:
            self._wanted[who] = False
            self._resting.append((until, who))
            try:
                self._act(who)
            except Exception as bug:  # it must not cost the others their turn
                loop.call_exception_handler({"message": "a paced call failed", "exception": bug})

    def _wake(self) -> None:
        loop = asyncio.get_running_loop()
        now, again = loop.time(), []
        self._late = min(now - self._resting[0][0], _MOST_LATE_S)
        while self._resting and self._resting[0][0] <= now:
            _, who = self._resting.popleft()
            if self._wanted[who]:
                again.append(who)
            else:
                del self._wanted[who]
        if self._resting:
            loop.call_at(self._resting[0][0], self._wake)
        self._act_for(again)

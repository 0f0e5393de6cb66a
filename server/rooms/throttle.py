"""Doing something for many, for each at once when it is wanted, and yet not too often."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, Generic, TypeVar

LOOK_S: Final = 0.01
"""Pause between two looks at who has rested: what can be done together waits for each other that long."""

MOST_AT_ONCE: Final = 64
"""How many are served in one turn: some 3 ms of standings and their writes, and others do not wait longer."""

_GIVING_WAY: Final = 8.0
_MOST_LATE_S: Final = 0.1
_FADING: Final = 0.9
_MEASURED_S: Final = 0.1
_AT_EASE: Final = 0.5
_HURRIED: Final = 13.0
_MOST_HURRIED_S: Final = 2.0

_T = TypeVar("_T")


class Pace(Generic[_T]):
    """Calls `act` for whoever wants it: in the next turn of the loop, but not twice within `pause` seconds.

    What is wanted by many in one turn is done together at the beginning of the next, before what is sent
    now has been written: so both leave in one piece. Those who have rested are served with them; of more
    than 64 the others wait for the next look.

    This work gives way to what is more urgent. When the process is busy for more than half of its time
    (`cpu` returns the seconds that it has used), the pause is longer by 0.13 s for each further hundredth,
    2 s at most; when the loop is late, by eight times as much, 0.8 s at most, which fades by a tenth
    at each look.
    """

    def __init__(
        self, act: Callable[[_T], None], pause: float, cpu: Callable[[], float] = time.process_time
    ) -> None:
        self._act = act
        self._pause = pause
        self._cpu = cpu
        self._late = 0.0  # by how much the loop was at the last looks
        self._busy = 0.0  # the share of its time that the process was in the last second or so
        self._measured: tuple[float, float] = (0.0, 0.0)  # when, and what `cpu` said
        self._wanted: dict[_T, None] = {}
        self._resting: OrderedDict[_T, float] = OrderedDict()  # since when; the longest first
        self._soon = False
        self._timer: asyncio.TimerHandle | None = None

    def want(self, who: _T) -> None:
        """Let `act` be called as soon as may be; once, however often it is wanted until then."""
        if who in self._wanted:
            return
        self._wanted[who] = None
        if who not in self._resting and not self._soon:
            self._soon = True
            asyncio.get_running_loop().call_soon(self._go)

    def _go(self) -> None:
        loop = asyncio.get_running_loop()
        self._soon = False
        now, resting = loop.time(), self._resting
        awake = now - self._pause_now(now)
        while resting and next(iter(resting.values())) <= awake:
            resting.popitem(last=False)
        wanted, self._wanted = self._wanted, {}
        left = MOST_AT_ONCE
        for who in wanted:
            if who in resting or left == 0:
                self._wanted[who] = None
                continue
            left -= 1
            resting[who] = now
            try:
                self._act(who)
            except Exception as bug:  # it must not cost the others their turn
                loop.call_exception_handler({"message": "a paced call failed", "exception": bug})
        if resting and self._timer is None:
            self._timer = loop.call_at(now + LOOK_S, self._look, now + LOOK_S)

    def _look(self, due: float) -> None:
        self._timer = None
        late = min(asyncio.get_running_loop().time() - due, _MOST_LATE_S)
        self._late = max(late, _FADING * self._late)
        self._go()

    def _pause_now(self, now: float) -> float:
        before, used_before = self._measured
        if now - before >= _MEASURED_S:
            used = self._cpu()
            # Smoothed: at each sudden ease all that wait would be served at once, and make it busy again.
            self._busy += ((used - used_before) / (now - before) - self._busy) * min(1.0, now - before)
            self._measured = now, used
        hurried = min(_HURRIED * max(0.0, self._busy - _AT_EASE), _MOST_HURRIED_S)
        return self._pause + _GIVING_WAY * self._late + hurried

"""Throttle: run `act(key)` at most once per interval for each key, coalescing requests."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, Generic, TypeVar

LOOK_S: Final = 0.01
"""Interval of checking for keys that are due: keys that become due within it run together."""

MAX_AT_ONCE: Final = 64
"""Keys that run in one loop turn: some 3 ms of standings and their writes. The others wait for the next."""

_LATENESS_FACTOR: Final = 8.0
_MAX_LATENESS_S: Final = 0.1
_LATENESS_FADES: Final = 0.9
_CPU_SAMPLE_S: Final = 0.1
_CPU_FREE_SHARE: Final = 0.5
_CPU_FACTOR_S: Final = 13.0
_CPU_MAX_S: Final = 2.0

_T = TypeVar("_T")


class Throttle(Generic[_T]):
    """Calls `act` for each requested key: in the next loop turn, at most once within `interval` seconds.

    All keys requested in one turn run together at the start of the next turn. Frames sent in the earlier turn
    have not been written by then, so both leave in one write. At most 64 keys run in a turn; the others wait.

    A busy process gets a longer interval, so that more urgent work comes first. `cpu` returns the CPU seconds
    of the process. Each hundredth of CPU load above one half adds 0.13 s, at most 2 s. A late loop adds eight
    times its delay, at most 0.8 s; this addition shrinks by a tenth every `LOOK_S` seconds.
    """

    def __init__(
        self, act: Callable[[_T], None], interval: float, cpu: Callable[[], float] = time.process_time
    ) -> None:
        self._act = act
        self._interval = interval
        self._cpu = cpu
        self._lateness = 0.0  # delay of the loop in seconds, fading
        self._busy = 0.0  # share of its time that the process was busy, over the last second or so
        self._sampled: tuple[float, float] = (0.0, 0.0)  # loop time and CPU time of the last sample
        self._requested: dict[_T, None] = {}
        self._resting: OrderedDict[_T, float] = OrderedDict()  # keys that ran, with the time; oldest first
        self._scheduled = False  # whether `_run` is called in the next turn
        self._timer: asyncio.TimerHandle | None = None

    def request(self, key: _T) -> None:
        """Call `act(key)` as soon as its interval allows: once, however often it is requested until then."""
        if key in self._requested:
            return
        self._requested[key] = None
        if key not in self._resting and not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._run)

    def _run(self) -> None:
        loop = asyncio.get_running_loop()
        self._scheduled = False
        now, resting = loop.time(), self._resting
        rested_before = now - self._current_interval(now)
        while resting and next(iter(resting.values())) <= rested_before:
            resting.popitem(last=False)
        requested, self._requested = self._requested, {}
        left = MAX_AT_ONCE
        for key in requested:
            if key in resting or left == 0:
                self._requested[key] = None
                continue
            left -= 1
            resting[key] = now
            try:
                self._act(key)
            except Exception as bug:  # the other keys must still run
                loop.call_exception_handler({"message": "a throttled call failed", "exception": bug})
        if resting and self._timer is None:
            self._timer = loop.call_at(now + LOOK_S, self._look, now + LOOK_S)

    def _look(self, due: float) -> None:
        self._timer = None
        late = min(asyncio.get_running_loop().time() - due, _MAX_LATENESS_S)
        self._lateness = max(late, _LATENESS_FADES * self._lateness)
        self._run()

    def _current_interval(self, now: float) -> float:
        before, used_before = self._sampled
        if now - before >= _CPU_SAMPLE_S:
            used = self._cpu()
            # Smoothed: after a sudden drop all waiting keys would run at once, and make the process busy.
            self._busy += ((used - used_before) / (now - before) - self._busy) * min(1.0, now - before)
            self._sampled = now, used
        for_cpu = min(_CPU_FACTOR_S * max(0.0, self._busy - _CPU_FREE_SHARE), _CPU_MAX_S)
        return self._interval + _LATENESS_FACTOR * self._lateness + for_cpu

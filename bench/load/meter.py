"""Counts and times of one run, and the CPU time and memory of processes."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

_TICKS: Final = os.sysconf("SC_CLK_TCK")
_PAGE_KB: Final = os.sysconf("SC_PAGE_SIZE") / 1024


def now() -> float:
    """Return the time of the clock that latencies are measured with, in seconds."""
    return time.perf_counter()


@dataclass(slots=True)
class Meter:
    """Counts and times of one run, in seconds.

    `latencies` are from the time when an action was due to its acknowledgement, `ages` from the same time to
    the first standings that show the action, in the sampled rooms. `faults` are refusals and errors, also
    those during the warm-up.
    """

    acknowledged: int = 0
    updates: int = 0
    faults: int = 0
    latencies: list[float] = field(default_factory=list)
    ages: list[float] = field(default_factory=list)
    clock: Callable[[], float] = now

    def clear(self) -> None:
        """Start counting; keep the faults."""
        self.acknowledged = self.updates = 0
        self.latencies.clear()
        self.ages.clear()


def quantile_ms(seconds: list[float], share: float) -> float | None:
    """Return a quantile in milliseconds, or None without values."""
    if not seconds:
        return None
    ordered = sorted(seconds)
    return round(1000 * ordered[min(len(ordered) - 1, int(len(ordered) * share))], 2)


def cpu_seconds(pids: list[int]) -> float:
    """Return the user and system time of these processes so far."""
    total = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total / _TICKS


def resident_kb(pids: list[int]) -> float:
    """Return the resident memory of these processes in KB."""
    return sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in pids) * _PAGE_KB

"""Drivers of racers: in closed loop each acts when it is answered, in open loop all act at a steady rate."""

import asyncio
from collections.abc import Sequence
from random import Random
from typing import Final

from bench.load.meter import now
from bench.load.racer import Racer

_STEP_S: Final = 0.002


def begin_closed(racers: Sequence[Racer]) -> None:
    """Let all racers act now, and again at each acknowledgement."""
    for racer in racers:
        racer.again = True
        racer.act(racer.meter.clock())


def end_closed(racers: Sequence[Racer]) -> None:
    """Stop the closed loop."""
    for racer in racers:
        racer.again = False


class Schedule:
    """Actions of all racers, evenly spread: `rate` per second for each, with the racers in random order."""

    def __init__(self, racers: Sequence[Racer], rate: float, began: float) -> None:
        self._racers = Random(1).sample(racers, len(racers))
        self._per_second = len(racers) * rate
        self._began = began
        self._sent = 0

    def catch_up(self, time: float) -> None:
        """Send all actions that are due by `time`, each with the time when it was due."""
        due = int((time - self._began) * self._per_second)
        while self._sent < due:
            racer = self._racers[self._sent % len(self._racers)]
            self._sent += 1
            racer.act(self._began + self._sent / self._per_second)


async def drive_open(racers: Sequence[Racer], rate: float) -> None:
    """Let each racer act `rate` times per second until cancelled.

    The latency of an action counts from the time when it was due, even if it was sent later. Otherwise a
    server that stalls would get a lighter load and better figures.
    """
    schedule = Schedule(racers, rate, now())
    while True:
        schedule.catch_up(now())
        await asyncio.sleep(_STEP_S)

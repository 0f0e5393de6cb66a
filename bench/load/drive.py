"""Letting racers act: in closed loop, each as soon as it was answered, or in open loop, at a steady rate."""

import asyncio
from collections.abc import Sequence
from random import Random
from typing import Final

from bench.load.meter import now
from bench.load.racer import Racer

_STEP_S: Final = 0.002


def begin_closed(racers: Sequence[Racer]) -> None:
    """Let everybody act, and again at each acknowledgement."""
    for racer in racers:
        racer.again = True
        racer.act(racer.meter.clock())


def end_closed(racers: Sequence[Racer]) -> None:
    """Let nobody act again."""
    for racer in racers:
        racer.again = False


class Pace:
    """Actions of everybody, evenly spread: `rate` a second of each, and those of a room at odd times."""

    def __init__(self, racers: Sequence[Racer], rate: float, began: float) -> None:
        self._racers = Random(1).sample(racers, len(racers))
        self._per_second = len(racers) * rate
        self._began = began
        self._sent = 0

    def catch_up(self, time: float) -> None:
        """Let those act whose turn has come by `time`, each as of the moment when it was due."""
        due = int((time - self._began) * self._per_second)
        while self._sent < due:
            racer = self._racers[self._sent % len(self._racers)]
            self._sent += 1
            racer.act(self._began + self._sent / self._per_second)


async def drive_open(racers: Sequence[Racer], rate: float) -> None:
    """Let everybody act `rate` times a second for ever.

    An action counts from the moment when it was due, whether or not we were in time with it: so a server
    that stalls is not spared the moves that it would have got meanwhile.
    """
    pace = Pace(racers, rate, now())
    while True:
        pace.catch_up(now())
        await asyncio.sleep(_STEP_S)

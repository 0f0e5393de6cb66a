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
        racer.act(now())


def end_closed(racers: Sequence[Racer]) -> None:
    """Let nobody act again."""
    for racer in racers:
        racer.again = False


async def drive_open(racers: Sequence[Racer], rate: float) -> None:
    """Let everybody act `rate` times a second for ever, evenly spread, and those of a room at odd times.

    An action counts from the moment when it was due, whether or not we were in time with it: so a server
    that stalls is not spared the moves that it would have got meanwhile.
    """
    racers = Random(1).sample(racers, len(racers))
    began, sent = now(), 0
    pace = len(racers) * rate
    while True:
        due = int((now() - began) * pace)
        while sent < due:
            racers[sent % len(racers)].act(began + (sent + 1) / pace)
            sent += 1
        await asyncio.sleep(_STEP_S)

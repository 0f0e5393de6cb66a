"""Drivers of racers: each action is sent when it is due."""

import asyncio
from contextlib import suppress
from itertools import pairwise

import pytest
from loadtest import Clock, Numbered, wired
from racetest import until

from bench.load.drive import Schedule, begin_closed, drive_open, end_closed
from bench.load.meter import Meter


def crowd(count: int, clock: Clock | None = None) -> list[Numbered]:
    meter = Meter(clock=clock or Clock())
    return [wired(Numbered(meter))[0] for _ in range(count)]


def test_actions_are_evenly_spread() -> None:
    """Four racers at two moves per second: each acts every half second, and one of them every eighth."""
    racers = crowd(4)
    Schedule(racers, rate=2.0, began=100.0).catch_up(101.0)
    everybody = sorted(due for racer in racers for due in racer.dues)
    assert everybody == [100.0 + n / 8 for n in range(1, 9)]
    assert [racer.dues[1] - racer.dues[0] for racer in racers] == [0.5] * 4


@pytest.mark.parametrize("looks", [[101.0], [100.3, 100.3, 101.0], [100.0 + n / 500 for n in range(501)]])
def test_an_action_is_due_at_its_time_even_if_the_driver_is_late(looks: list[float]) -> None:
    """However often the driver reads the clock, the same actions have the same times."""
    racers, punctual = crowd(4), crowd(4)
    schedule = Schedule(racers, rate=2.0, began=100.0)
    for time in looks:
        schedule.catch_up(time)
    Schedule(punctual, rate=2.0, began=100.0).catch_up(101.0)
    assert [racer.dues for racer in racers] == [racer.dues for racer in punctual]


def test_a_late_driver_does_not_shorten_the_latency() -> None:
    """An action that is sent half a second late and answered at once took half a second."""
    clock = Clock(100.75)
    (racer,) = crowd(1, clock)
    Schedule([racer], rate=4.0, began=100.0).catch_up(100.25)
    racer.acknowledged()
    assert racer.meter.latencies == [0.5]


def test_no_racer_acts_before_its_action_is_due() -> None:
    """The first actions are spread like the others."""
    racers = crowd(4)
    Schedule(racers, rate=1.0, began=100.0).catch_up(100.24)
    assert [racer.dues for racer in racers] == [[], [], [], []]


def test_racers_act_in_a_random_order() -> None:
    """Otherwise racers of a room would always share their standings. The order is the same in every run."""
    orders = []
    for _ in range(2):
        racers = crowd(40)
        Schedule(racers, rate=1.0, began=0.0).catch_up(1.0)
        orders.append(sorted(range(40), key=lambda place: racers[place].dues[0]))
    assert orders[0] == orders[1] != list(range(40))


def test_in_closed_loop_all_racers_act_at_once_until_the_end() -> None:
    """Each acts again when its action is acknowledged."""
    clock = Clock(5.0)
    racers = crowd(3, clock)
    begin_closed(racers)
    clock.time = 6.0
    racers[0].acknowledged()
    end_closed(racers)
    racers[1].acknowledged()
    assert [racer.dues for racer in racers] == [[5.0, 6.0], [5.0], [5.0]]


async def test_the_driver_follows_the_clock_until_it_is_cancelled() -> None:
    """Actions are due one after another, at the given rate."""
    racers = crowd(2)
    driver = asyncio.create_task(drive_open(racers, rate=100.0))
    await until(lambda: all(len(racer.dues) >= 3 for racer in racers))
    driver.cancel()
    with suppress(asyncio.CancelledError):
        await driver
    dues = sorted(due for racer in racers for due in racer.dues)
    gaps = [later - earlier for earlier, later in pairwise(dues)]
    assert gaps == pytest.approx([1 / 200] * len(gaps))

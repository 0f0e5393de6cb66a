"""What is counted and timed while racers act."""

import os

import pytest

from bench.load.meter import Meter, cpu_seconds, quantile_ms, resident_kb


@pytest.mark.parametrize(
    ("share", "quantile"), [(0.0, 1.0), (0.5, 501.0), (0.99, 991.0), (0.999, 1000.0), (1.0, 1000.0)]
)
def test_a_quantile_is_the_time_that_so_many_stay_below(share: float, quantile: float) -> None:
    """Of 1 to 1,000 milliseconds in any order, in milliseconds."""
    assert quantile_ms([n / 1000 for n in range(1000, 0, -1)], share) == quantile


@pytest.mark.parametrize("share", [0.5, 0.99, 0.999])
def test_every_quantile_of_a_single_time_is_that_time(share: float) -> None:
    """Rounded to a hundredth of a millisecond."""
    assert quantile_ms([0.0123456], share) == 12.35


def test_nothing_has_no_quantile() -> None:
    """None, not nought, which would be the best of all."""
    assert quantile_ms([], 0.5) is None


def test_a_cleared_meter_has_forgotten_the_warm_up_but_its_faults() -> None:
    """Whatever was refused, at any time, makes the figures those of another load."""
    meter = Meter(acknowledged=3, updates=4, faults=2, latencies=[0.1], ages=[0.2])
    meter.clear()
    assert meter == Meter(faults=2)


def test_the_time_of_a_process_is_read_from_the_system() -> None:
    """User and system time, in ticks; of two processes the sum, of none nought."""
    before = os.times()
    own = cpu_seconds([os.getpid()])
    after = os.times()
    tick = 1 / os.sysconf("SC_CLK_TCK")
    assert before.user + before.system - 2 * tick <= own <= after.user + after.system + 2 * tick
    assert cpu_seconds([]) == 0
    assert cpu_seconds([os.getpid()] * 2) >= 2 * own


def test_memory_is_that_of_all_processes_together() -> None:
    """An interpreter takes a few megabytes at least."""
    assert resident_kb([os.getpid()]) > 4_000
    assert resident_kb([]) == 0

"""Counts and times of a run, and the CPU time and memory of processes."""

import os

import pytest

from bench.load.meter import Meter, cpu_seconds, quantile_ms, resident_kb


@pytest.mark.parametrize(
    ("share", "quantile"), [(0.0, 1.0), (0.5, 501.0), (0.99, 991.0), (0.999, 1000.0), (1.0, 1000.0)]
)
def test_a_quantile_is_the_time_below_which_a_share_lies(share: float, quantile: float) -> None:
    """Of 1 to 1,000 milliseconds in any order."""
    assert quantile_ms([n / 1000 for n in range(1000, 0, -1)], share) == quantile


@pytest.mark.parametrize("share", [0.5, 0.99, 0.999])
def test_every_quantile_of_a_single_time_is_that_time(share: float) -> None:
    """Rounded to hundredths of a millisecond."""
    assert quantile_ms([0.0123456], share) == 12.35


def test_no_times_have_no_quantile() -> None:
    """None, not 0, which would be the best of all."""
    assert quantile_ms([], 0.5) is None


def test_a_cleared_meter_keeps_only_its_faults() -> None:
    """After a refusal, even in the warm-up, the load is not the intended one."""
    meter = Meter(acknowledged=3, updates=4, faults=2, latencies=[0.1], ages=[0.2])
    meter.clear()
    assert meter == Meter(faults=2)


def test_the_cpu_time_of_processes_is_read_from_the_system() -> None:
    """User and system time, in ticks; the sum for several processes, 0 for none."""
    before = os.times()
    own = cpu_seconds([os.getpid()])
    after = os.times()
    tick = 1 / os.sysconf("SC_CLK_TCK")
    assert before.user + before.system - 2 * tick <= own <= after.user + after.system + 2 * tick
    assert cpu_seconds([]) == 0
    assert cpu_seconds([os.getpid()] * 2) >= 2 * own


def test_memory_is_the_sum_over_all_processes() -> None:
    """An interpreter takes at least a few megabytes."""
    assert resident_kb([os.getpid()]) > 4_000
    assert resident_kb([]) == 0

"""Throttle: each key runs at most once per interval, in the next loop turn if it has rested."""

import asyncio
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from roomtest import advance, idle, loop_time, stand_still

from server.rooms.throttle import LOOK_S, MAX_AT_ONCE, Throttle

INTERVAL_S = 0.05


class Bench:
    """A throttle, and when each key ran. While `again`, a key requests itself again whenever it runs."""

    def __init__(self, cpu: Callable[[], float] = lambda: 0.0) -> None:
        self.ran: list[tuple[str, float]] = []
        self.again = False
        self.throttle = Throttle(self._act, INTERVAL_S, cpu)

    def _act(self, key: str) -> None:
        self.ran.append((key, loop_time()))
        if self.again:
            self.throttle.request(key)

    @property
    def keys(self) -> list[str]:
        return [key for key, _ in self.ran]

    @property
    def pauses(self) -> list[float]:
        """Return the times between two runs."""
        return [later - earlier for (_, earlier), (_, later) in pairwise(self.ran)]


@pytest.fixture
async def bench() -> Bench:
    return Bench()


async def test_requests_of_one_turn_run_together_in_the_next(bench: Bench) -> None:
    """Each key once, in the order of the requests."""
    for key in ("a", "b", "a"):
        bench.throttle.request(key)
    assert bench.keys == []
    await asyncio.sleep(0)
    assert bench.keys == ["a", "b"]


async def test_a_key_that_ran_waits_for_the_end_of_its_interval(bench: Bench) -> None:
    """However often it is requested meanwhile, it runs once."""
    bench.throttle.request("a")
    await idle()
    for _ in "123":
        bench.throttle.request("a")
        await advance(INTERVAL_S / 4)
    assert bench.keys == ["a"]
    await advance(INTERVAL_S / 4 + LOOK_S)
    assert bench.keys == ["a", "a"]
    assert INTERVAL_S - 1e-6 <= bench.pauses[0] <= INTERVAL_S + LOOK_S
    await advance(10 * INTERVAL_S)
    assert bench.keys == ["a", "a"]


async def test_a_resting_key_does_not_delay_another(bench: Bench) -> None:
    bench.throttle.request("a")
    await idle()
    bench.throttle.request("a")
    bench.throttle.request("b")
    await idle()
    assert bench.keys == ["a", "b"]


async def test_keys_beyond_the_most_of_one_turn_wait_for_the_next_look(bench: Bench) -> None:
    """In order: a turn of the loop must not take long."""
    requested = [str(number) for number in range(MAX_AT_ONCE + 3)]
    for key in requested:
        bench.throttle.request(key)
    await idle()
    assert bench.keys == requested[:MAX_AT_ONCE]
    await advance(LOOK_S + 0.001)
    assert bench.keys == requested


async def test_a_key_may_request_itself_again_while_it_runs(bench: Bench) -> None:
    """It runs again after each interval."""
    bench.again = True
    bench.throttle.request("a")
    await advance(4 * (INTERVAL_S + LOOK_S))
    assert 4 <= len(bench.ran) <= 5
    assert all(INTERVAL_S - 1e-6 <= pause <= INTERVAL_S + LOOK_S + 1e-6 for pause in bench.pauses)


async def test_a_late_loop_lengthens_the_interval_for_a_while(bench: Bench) -> None:
    """By eight times the delay, at most 0.8 s; that fades by a tenth at each look."""
    bench.again = True
    bench.throttle.request("a")
    await idle()
    stand_still(LOOK_S + 0.05)
    await advance(5)
    assert bench.pauses[0] == pytest.approx(0.18, abs=0.011)  # it fades while the key rests
    assert bench.pauses[0] > bench.pauses[2] > INTERVAL_S
    assert bench.pauses[-1] <= INTERVAL_S + LOOK_S + 1e-6


async def test_a_very_late_loop_lengthens_the_interval_to_a_bound(bench: Bench) -> None:
    """A process that stood still for a minute serves again within a second."""
    bench.again = True
    bench.throttle.request("a")
    await idle()
    stand_still(60)
    await advance(2)
    assert bench.pauses[0] <= 60 + INTERVAL_S + 0.8


@pytest.mark.parametrize(
    ("share", "longer_s"), [(0.0, 0.0), (0.5, 0.0), (0.52, 0.26), (0.6, 1.3), (0.9, 2.0)]
)
async def test_a_busy_process_lengthens_the_interval(share: float, longer_s: float) -> None:
    """By 0.13 s for each hundredth above a half, at most 2 s."""
    bench = Bench(cpu=lambda: share * loop_time())
    bench.again = True
    bench.throttle.request("a")
    await advance(60)
    assert bench.pauses[-1] == pytest.approx(INTERVAL_S + longer_s, abs=2 * LOOK_S)


async def test_a_bug_is_reported_and_does_not_stop_the_other_keys() -> None:
    """Each time; the key that failed may be requested again."""
    faults: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context))
    ran: list[str] = []

    def act(key: str) -> None:
        if key == "bad":
            raise ValueError(key)
        ran.append(key)

    throttle = Throttle(act, INTERVAL_S)
    for _ in "12":
        throttle.request("bad")
        throttle.request("good")
        await advance(2 * INTERVAL_S)
    assert ran == ["good", "good"]
    assert [str(fault["exception"]) for fault in faults] == ["bad", "bad"]

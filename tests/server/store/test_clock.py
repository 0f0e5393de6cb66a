import pytest

from server.store.clock import SharedClock, StoreClock


def test_a_clock_without_an_observation_has_no_time() -> None:
    with pytest.raises(ValueError, match="not been read"):
        StoreClock().at_ms(1.0)


def test_the_reading_is_assumed_in_the_middle_between_question_and_answer() -> None:
    clock = StoreClock()
    clock.observe(10.0, 10.5, 5_000_000)
    assert clock.at_ms(10.25) == 5_000_000
    assert clock.at_ms(11.25) == 5_001_000


def test_a_slow_answer_does_not_change_a_precise_estimate() -> None:
    """The store answers a question of 20.0 at once, and the answer takes half a second."""
    clock = StoreClock()
    clock.observe(10.0, 10.001, 5_000_000)
    before = clock.at_ms(30.0)
    clock.observe(20.0, 20.5, 5_010_000)
    assert clock.at_ms(30.0) == before


def test_a_faster_answer_improves_the_estimate() -> None:
    clock = StoreClock()
    clock.observe(10.0, 10.5, 5_000_000)
    clock.observe(20.0, 20.002, 5_009_900)
    assert clock.at_ms(20.001) == 5_009_900


def test_an_old_estimate_is_replaced_by_a_slightly_slower_answer() -> None:
    """Clocks drift: an estimate that was exact to a millisecond is less exact after an hour."""
    clock = StoreClock()
    clock.observe(10.0, 10.001, 5_000_000)
    clock.observe(3610.0, 3610.01, 8_600_200)
    assert clock.at_ms(3610.005) == 8_600_200


def test_an_answer_that_contradicts_the_estimate_means_that_the_clock_was_set() -> None:
    clock = StoreClock()
    clock.observe(10.0, 10.001, 5_000_000)
    clock.observe(11.0, 11.2, 4_000_000)
    assert clock.at_ms(11.1) == 4_000_000


def shared(store_ms: int = 5_000_000) -> SharedClock:
    """A clock that has read the store's at local second 10, exactly."""
    clock = SharedClock()
    clock.observe(10.0, 10.0, store_ms)
    return clock


def test_the_shared_clock_begins_with_the_time_of_the_store() -> None:
    clock = shared()
    assert (clock.at_ms(10.0), clock.at_ms(11.5), clock.jumped) == (5_000_000, 5_001_500, False)


def test_the_shared_clock_has_no_time_before_the_first_reading() -> None:
    with pytest.raises(ValueError, match="not been read"):
        SharedClock().at_ms(1.0)


@pytest.mark.parametrize("set_by_ms", [3_600_000, 101, -101, -3_600_000])
def test_the_shared_clock_does_not_follow_a_clock_that_is_set(set_by_ms: int) -> None:
    """A race would end at once, or never, and all its moves would have one time."""
    clock = shared()
    clock.observe(12.0, 12.0, 5_002_000 + set_by_ms)
    assert (clock.at_ms(12.0), clock.jumped) == (5_002_000, True)
    clock.correct(clock.wanted_correction_ms)
    assert (clock.at_ms(12.0), clock.jumped, clock.correction_ms) == (5_002_000, False, -set_by_ms)


@pytest.mark.parametrize("drift_ms", [99, -99])
def test_the_shared_clock_follows_a_small_difference(drift_ms: int) -> None:
    """Clocks drift, and the nodes must stay together."""
    clock = shared()
    clock.observe(1_000.0, 1_000.0, 5_990_000 + drift_ms)
    assert (clock.at_ms(1_000.0), clock.jumped) == (5_990_000 + drift_ms, False)


def test_a_clock_that_was_the_wrong_one_adopts_the_others() -> None:
    """A machine that slept for a minute while the others went on."""
    clock = shared()
    clock.observe(12.0, 12.0, 5_062_000)
    clock.adopt()
    assert (clock.at_ms(12.0), clock.jumped) == (5_062_000, False)

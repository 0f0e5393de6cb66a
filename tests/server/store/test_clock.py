import pytest

from server.store.clock import StoreClock


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

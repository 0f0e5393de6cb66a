"""What is measured: every scenario can be run, and is told from the others by its name."""

import pytest

from bench.scenarios import SETS, Scenario

EVERY = [pytest.param(each, id=each.name) for each in {each for group in SETS.values() for each in group}]


@pytest.mark.parametrize("scenario", EVERY)
def test_a_scenario_can_be_run(scenario: Scenario) -> None:
    """Rooms that are full, a rate that is none or positive, a node at least."""
    assert scenario.racers >= scenario.room_size >= 2
    assert scenario.racers % scenario.room_size == 0
    assert scenario.rate >= 0
    assert scenario.nodes >= 1
    assert scenario.sampled_rooms >= 0


@pytest.mark.parametrize("scenario", EVERY)
def test_a_scenario_is_named_after_what_it_is(scenario: Scenario) -> None:
    """The records are read years later."""
    assert f"{scenario.racers:,}" in scenario.name
    pace = "closed loop" if scenario.rate == 0 else f"{scenario.rate:g} move"
    assert pace in scenario.name


@pytest.mark.parametrize("scenario", EVERY)
def test_what_is_wanted_beside_the_peer_is_measured_beside_the_peer(scenario: Scenario) -> None:
    """And nothing is left without a target where the peer runs."""
    assert scenario.with_peer == (scenario.target is not None)


def test_all_is_all_that_is_measured() -> None:
    """Names are the keys of a record: no two are the same."""
    everything = SETS["all"]
    assert len({each.name for each in everything}) == len(everything)
    assert {*SETS["peer"], *SETS["large"], *SETS["quick"]} == set(everything)

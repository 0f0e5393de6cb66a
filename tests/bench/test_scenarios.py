"""Scenarios: each can be run, and their names differ."""

import pytest

from bench.scenarios import SETS, Scenario

EVERY = [pytest.param(each, id=each.name) for each in dict.fromkeys(sum(SETS.values(), ()))]


@pytest.mark.parametrize("scenario", EVERY)
def test_a_scenario_can_be_run(scenario: Scenario) -> None:
    """Its rooms are full, its rate is 0 or positive, and it has a node."""
    assert scenario.racers >= scenario.room_size >= 2
    assert scenario.racers % scenario.room_size == 0
    assert scenario.rate >= 0
    assert scenario.nodes >= 1
    assert scenario.sampled_rooms >= 0


@pytest.mark.parametrize("scenario", EVERY)
def test_the_name_of_a_scenario_describes_it(scenario: Scenario) -> None:
    """Saved results are read years later."""
    assert f"{scenario.racers:,}" in scenario.name
    pace = "closed loop" if scenario.rate == 0 else f"{scenario.rate:g} move"
    assert pace in scenario.name


@pytest.mark.parametrize("scenario", EVERY)
def test_a_scenario_has_a_target_exactly_if_the_peer_runs_it(scenario: Scenario) -> None:
    assert scenario.with_peer == (scenario.target is not None)


def test_the_set_all_has_every_scenario_except_smoke() -> None:
    """Names are keys of the saved results, so they are unique."""
    everything = SETS["all"]
    assert len({each.name for each in everything}) == len(everything)
    assert {*SETS["peer"], *SETS["large"], *SETS["quick"]} == set(everything)

"""Base of the racers: when actions count from, refusals, ages of rivals' moves."""

import asyncio

from loadtest import Clock, Numbered, Wire, numbers, wired
from racetest import until

from bench.load.meter import Meter


def new_racer(clock: Clock | None = None) -> tuple[Numbered, Wire]:
    return wired(Numbered(Meter(clock=clock or Clock())))


def test_a_latency_counts_from_when_the_action_was_due() -> None:
    """Not from when it was sent: a server that stalls must not look faster by it."""
    clock = Clock(10.0)
    racer, wire = new_racer(clock)
    racer.act(9.25)
    clock.time = 10.5
    racer.acknowledged()
    assert (racer.meter.latencies, racer.meter.acknowledged) == ([1.25], 1)
    assert numbers(wire) == [1]


def test_an_acknowledgement_is_for_the_oldest_action_in_flight() -> None:
    """Servers answer in the order of the actions."""
    clock = Clock()
    racer, _ = new_racer(clock)
    for due in (1.0, 2.0, 3.0):
        racer.act(due)
    for clock.time in (5.0, 5.5, 6.5):
        racer.acknowledged()
    assert racer.meter.latencies == [4.0, 3.5, 3.5]


def test_in_closed_loop_an_acknowledgement_lets_the_racer_act() -> None:
    """Until the loop ends."""
    clock = Clock(1.0)
    racer, wire = new_racer(clock)
    racer.again = True
    racer.act(1.0)
    clock.time = 2.0
    racer.acknowledged()
    racer.again = False
    racer.acknowledged()
    assert (numbers(wire), racer.dues) == ([1, 2], [1.0, 2.0])


def test_after_a_refusal_a_racer_continues_with_the_expected_number() -> None:
    """The refusal is a fault, but does not end the run."""
    racer, wire = new_racer()
    racer.number = 6
    racer.act(0.0)
    racer.refused(expected=3)
    racer.act(0.0)
    racer.acknowledged()
    racer.act(0.0)
    assert numbers(wire) == [7, 3, 4]
    assert (racer.meter.faults, racer.meter.acknowledged) == (1, 1)


def test_refusals_of_actions_in_flight_reset_the_number_only_once() -> None:
    """Actions that are due meanwhile are sent after the last answer, and count from when they were due."""
    clock = Clock()
    racer, wire = new_racer(clock)
    for due in (1.0, 2.0, 3.0):
        racer.act(due)
    racer.acknowledged()
    racer.refused(expected=2)
    racer.act(4.0)
    assert numbers(wire) == [1, 2, 3]
    racer.refused(expected=2)
    assert numbers(wire) == [1, 2, 3, 2]
    clock.time = 7.0
    racer.acknowledged()
    assert racer.meter.latencies == [-1.0, 3.0]
    assert racer.meter.faults == 2


def test_an_acknowledgement_can_end_the_wait_after_a_refusal() -> None:
    """The store may have committed an action that was believed lost."""
    racer, wire = new_racer()
    racer.act(0.0)
    racer.act(0.0)
    racer.refused(expected=1)
    racer.act(0.0)
    racer.acknowledged()
    assert numbers(wire) == [1, 2, 1]


def test_a_racer_without_a_game_sends_nothing() -> None:
    """The server expects 0 then."""
    racer, wire = new_racer()
    racer.act(0.0)
    racer.refused(expected=0)
    racer.act(0.0)
    assert numbers(wire) == [1]


async def test_in_closed_loop_a_refused_racer_acts_again_after_a_pause() -> None:
    """Refusals that cause refusals would be a load of their own."""
    racer, wire = new_racer()
    racer.again = True
    racer.act(0.0)
    racer.refused(expected=1)
    assert numbers(wire) == [1]
    await until(lambda: numbers(wire) == [1, 1])


async def test_in_closed_loop_a_refused_racer_does_not_act_after_the_end() -> None:
    racer, wire = new_racer()
    racer.again = True
    racer.act(0.0)
    racer.refused(expected=1)
    racer.again = False
    after_the_pause = asyncio.get_running_loop().create_future()
    asyncio.get_running_loop().call_later(0.11, after_the_pause.set_result, None)
    await after_the_pause
    assert numbers(wire) == [1]


def test_nothing_is_sent_on_a_lost_connection() -> None:
    """The driver continues with the other racers."""
    racer, wire = new_racer()
    racer.connection_lost(None)
    racer.act(0.0)
    assert numbers(wire) == []


def test_the_age_of_a_move_is_recorded_when_standings_first_show_it() -> None:
    """From when it was due. Moves that were shown before, or in the first standings, have no age."""
    clock = Clock()
    watcher, _ = new_racer(clock)
    rival, _ = new_racer(clock)
    watcher.rivals = {"rival": rival}
    watcher.see_moves({"rival": 0, "stranger": 5})
    rival.act(1.0)
    rival.acknowledged()
    clock.time = 1.5
    watcher.see_moves({"rival": 1, "stranger": 6})
    clock.time = 2.0
    watcher.see_moves({"rival": 1, "stranger": 7})
    assert watcher.meter.ages == [0.5]


def test_a_racer_without_rivals_records_no_ages() -> None:
    """Only some rooms are sampled."""
    racer, _ = new_racer()
    racer.see_moves({"rival": 0})
    racer.see_moves({"rival": 1})
    assert racer.meter.ages == []


def test_standings_show_the_newest_acknowledged_move_while_others_are_in_flight() -> None:
    """In an overload the newest action that was sent is not yet visible."""
    racer, _ = new_racer()
    for due in (1.0, 2.0, 3.0):
        racer.act(due)
    racer.acknowledged()
    assert racer.due_of(moves=1) == 1.0


def test_standings_can_arrive_before_the_acknowledgement() -> None:
    """They arrive on another connection; then they show the oldest action in flight."""
    racer, _ = new_racer()
    racer.act(1.0)
    racer.acknowledged()
    racer.act(2.0)
    assert racer.due_of(moves=0) == 2.0


def test_standings_can_be_older_than_the_newest_acknowledgement() -> None:
    """With nothing in flight they show the previous action."""
    racer, _ = new_racer()
    for due in (1.0, 2.0):
        racer.act(due)
        racer.acknowledged()
    assert racer.due_of(moves=1) == 1.0


def test_there_are_no_ages_after_a_refusal() -> None:
    """Moves and undos may no longer alternate."""
    racer, _ = new_racer()
    for due in (1.0, 2.0):
        racer.act(due)
    racer.refused(expected=1)
    assert racer.due_of(moves=1) is None

"""A racer of any server: when its actions count from, what it does when refused, how old moves look."""

import asyncio

from loadtest import Clock, Numbered, Wire, numbers, wired
from racetest import until

from bench.load.meter import Meter


def somebody(clock: Clock | None = None) -> tuple[Numbered, Wire]:
    return wired(Numbered(Meter(clock=clock or Clock())))


def test_a_move_counts_from_when_it_was_due() -> None:
    """Not from when it was sent: a server that stalls us is not spared the wait."""
    clock = Clock(10.0)
    racer, wire = somebody(clock)
    racer.act(9.25)
    clock.time = 10.5
    racer.acknowledged()
    assert (racer.meter.latencies, racer.meter.acknowledged) == ([1.25], 1)
    assert numbers(wire) == [1]


def test_acknowledgements_are_of_the_oldest_under_way() -> None:
    """Servers answer in the order of the actions."""
    clock = Clock()
    racer, _ = somebody(clock)
    for due in (1.0, 2.0, 3.0):
        racer.act(due)
    for clock.time in (5.0, 5.5, 6.5):
        racer.acknowledged()
    assert racer.meter.latencies == [4.0, 3.5, 3.5]


def test_in_closed_loop_an_acknowledgement_lets_the_racer_act() -> None:
    """Until it is told to stop."""
    clock = Clock(1.0)
    racer, wire = somebody(clock)
    racer.again = True
    racer.act(1.0)
    clock.time = 2.0
    racer.acknowledged()
    racer.again = False
    racer.acknowledged()
    assert (numbers(wire), racer.dues) == ([1, 2], [1.0, 2.0])


def test_after_a_refusal_a_racer_goes_on_from_the_expected_number() -> None:
    """It is a fault, but not the end of the run."""
    racer, wire = somebody()
    racer.number = 6
    racer.act(0.0)
    racer.refused(expected=3)
    racer.act(0.0)
    racer.acknowledged()
    racer.act(0.0)
    assert numbers(wire) == [7, 3, 4]
    assert (racer.meter.faults, racer.meter.acknowledged) == (1, 1)


def test_what_is_refused_in_the_train_of_a_refusal_moves_nothing_twice() -> None:
    """What was under way is answered first; what is due meanwhile is sent then, as of when it was due."""
    clock = Clock()
    racer, wire = somebody(clock)
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


def test_an_acknowledgement_may_end_the_wait_after_a_refusal_as_well() -> None:
    """The store may have taken what was believed lost."""
    racer, wire = somebody()
    racer.act(0.0)
    racer.act(0.0)
    racer.refused(expected=1)
    racer.act(0.0)
    racer.acknowledged()
    assert numbers(wire) == [1, 2, 1]


def test_who_has_no_game_any_more_stays_silent() -> None:
    """Nought is expected of nobody."""
    racer, wire = somebody()
    racer.act(0.0)
    racer.refused(expected=0)
    racer.act(0.0)
    assert numbers(wire) == [1]


async def test_in_closed_loop_a_refused_racer_acts_again_in_a_moment() -> None:
    """Not at once: refusals that answer each other would be a load of their own."""
    racer, wire = somebody()
    racer.again = True
    racer.act(0.0)
    racer.refused(expected=1)
    assert numbers(wire) == [1]
    await until(lambda: numbers(wire) == [1, 1])


async def test_in_closed_loop_a_refused_racer_does_not_act_after_the_end() -> None:
    """The end of a run is the end."""
    racer, wire = somebody()
    racer.again = True
    racer.act(0.0)
    racer.refused(expected=1)
    racer.again = False
    behind_its_pause = asyncio.get_running_loop().create_future()
    asyncio.get_running_loop().call_later(0.11, behind_its_pause.set_result, None)
    await behind_its_pause
    assert numbers(wire) == [1]


def test_nothing_is_sent_on_a_lost_connection() -> None:
    """The driver goes on with the others."""
    racer, wire = somebody()
    racer.connection_lost(None)
    racer.act(0.0)
    assert numbers(wire) == []


def test_the_age_of_a_move_is_noted_when_standings_first_show_it() -> None:
    """From when it was due; what they have shown before, or show first of all, is of no age."""
    clock = Clock()
    watcher, _ = somebody(clock)
    rival, _ = somebody(clock)
    watcher.rivals = {"rival": rival}
    watcher.see_moves({"rival": 0, "stranger": 5})
    rival.act(1.0)
    rival.acknowledged()
    clock.time = 1.5
    watcher.see_moves({"rival": 1, "stranger": 6})
    clock.time = 2.0
    watcher.see_moves({"rival": 1, "stranger": 7})
    assert watcher.meter.ages == [0.5]


def test_who_does_not_watch_notes_no_ages() -> None:
    """Only some of the rooms are sampled."""
    racer, _ = somebody()
    racer.see_moves({"rival": 0})
    racer.see_moves({"rival": 1})
    assert racer.meter.ages == []


def test_standings_show_the_newest_acknowledged_move_though_others_are_under_way() -> None:
    """In an overload the newest that was sent is not the one that is seen."""
    racer, _ = somebody()
    for due in (1.0, 2.0, 3.0):
        racer.act(due)
    racer.acknowledged()
    assert racer.due_of(moves=1) == 1.0


def test_standings_may_come_before_the_acknowledgement_is_read() -> None:
    """They come on another connection; then they show the oldest that is under way."""
    racer, _ = somebody()
    racer.act(1.0)
    racer.acknowledged()
    racer.act(2.0)
    assert racer.due_of(moves=0) == 2.0


def test_standings_may_be_older_than_the_newest_acknowledgement() -> None:
    """With nothing under way they show the one before."""
    racer, _ = somebody()
    for due in (1.0, 2.0):
        racer.act(due)
        racer.acknowledged()
    assert racer.due_of(moves=1) == 1.0


def test_nothing_is_said_of_ages_while_a_refusal_is_sorted_out() -> None:
    """Moves and undoes may have lost their turns."""
    racer, _ = somebody()
    for due in (1.0, 2.0):
        racer.act(due)
    racer.refused(expected=1)
    assert racer.due_of(moves=1) is None

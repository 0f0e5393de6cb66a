"""Decisions about races: countdown, start, wins, forfeits, end."""

from typing import Any

import pytest

from protocol import from_client as ask
from protocol.errors import ErrorCode
from protocol.parts import CancelReason, LeaveReason, Phase, RacerState, Settings
from protocol.refusals import RefusalCode
from server.core import commands as cmd
from server.core import events as ev
from server.core.racing import all_done_at_ms, inactive_racers, is_over

NOW = 1_000_000
CODE = "SS1-S1-AAAAABD"
LIMIT = 1_800_000
UNDO = 10_000
ABSENT = 60_000
IDLE = 300_000


def over(story: Any, idle_since_ms: dict[str, int] | None = None) -> bool:
    """Return whether the running race is over now; racers not in `idle_since_ms` have done nothing yet."""
    return is_over(story.room, story.room.race, story.now, story.rules, idle_since_ms or {})


def race_of(story: Any, *racers: str) -> None:
    story.open()
    for each in racers[1:]:
        story.join(each)
    story.race(*racers)


# The countdown.


def test_the_host_starts_a_countdown_of_the_length_in_the_settings(story: Any) -> None:
    story.open(settings=Settings(countdown_s=12))
    story.ready("ann")
    assert story.start_countdown() == [ev.CountdownStarted(NOW, 1, NOW + 12_000, "n1")]
    assert (story.room.phase, story.room.starts_at_ms) == (Phase.COUNTDOWN, NOW + 12_000)


def test_the_node_of_the_host_draws_the_deal(story: Any) -> None:
    story.open()
    story.ready("ann")
    story.join("ann", node="n2")
    story.request("ann", ask.StartCountdown(), node="n2")
    assert story.room.drawing_node == "n2"


def test_a_second_start_is_refused_and_changes_nothing(story: Any) -> None:
    story.open()
    story.ready("ann")
    story.start_countdown()
    before = story.room.starts_at_ms
    assert story.later(10).start_countdown() is ErrorCode.COUNTDOWN_RUNNING
    assert story.room.starts_at_ms == before
    story.start_race()
    assert story.start_countdown() is ErrorCode.RACE_RUNNING


def test_a_countdown_needs_a_connected_member_who_is_ready(story: Any) -> None:
    story.open()
    story.join("bob")
    assert story.start_countdown() is ErrorCode.NOBODY_READY
    story.ready("bob")
    story.disconnect("bob")
    assert story.start_countdown() is ErrorCode.NOBODY_READY
    story.join("bob")
    assert story.start_countdown() == [ev.CountdownStarted(NOW, 1, NOW + 5_000, "n1")]


def test_the_host_cancels_the_countdown_and_members_stay_ready(story: Any) -> None:
    story.open()
    story.ready("ann")
    assert story.cancel_countdown() is ErrorCode.NO_COUNTDOWN
    story.start_countdown()
    assert story.cancel_countdown() == [ev.CountdownCancelled(NOW, CancelReason.BY_HOST)]
    assert (story.room.phase, story.room.members["ann"].ready) == (Phase.LOBBY, True)
    assert story.cancel_countdown() is ErrorCode.NO_COUNTDOWN


def test_a_deal_drawn_for_a_cancelled_countdown_starts_no_race(story: Any) -> None:
    story.open()
    story.ready("ann")
    story.start_countdown()
    story.cancel_countdown()
    assert story.start_race() == []
    assert story.room.phase is Phase.LOBBY


def test_an_owner_who_reconnects_during_the_countdown_can_cancel_it(story: Any) -> None:
    story.open()
    story.join("bob")
    story.disconnect("ann")
    story.later(5_000).tick()
    story.ready("bob")
    story.start_countdown("bob")
    story.join("ann")
    assert story.cancel_countdown("bob") is ErrorCode.NOT_HOST
    assert story.cancel_countdown("ann") == [ev.CountdownCancelled(story.now, CancelReason.BY_HOST)]


def test_settings_cannot_be_changed_during_countdown_and_race(story: Any) -> None:
    story.open()
    story.ready("ann")
    story.start_countdown()
    assert story.configure(Settings(suits=4)) is ErrorCode.COUNTDOWN_RUNNING
    story.start_race()
    assert story.configure(Settings(suits=4)) is ErrorCode.RACE_RUNNING
    assert story.room.settings == Settings()


def test_new_settings_after_a_race_open_the_lobby(story: Any) -> None:
    race_of(story, "ann")
    story.end_race()
    settings = Settings(suits=4)
    assert story.configure(settings, "SS1-S4-AAAAAAA") == [
        ev.LobbyOpened(story.now),
        ev.Configured(story.now, settings, "SS1-S4-AAAAAAA"),
    ]
    assert (story.room.phase, story.room.named_code) == (Phase.LOBBY, "SS1-S4-AAAAAAA")


def test_max_members_below_the_number_of_members_removes_none(story: Any) -> None:
    story.open()
    story.join("bob")
    story.configure(Settings(max_members=1))
    assert list(story.room.members) == ["ann", "bob"]
    assert story.join("cat") is ErrorCode.ROOM_FULL


# The start.


def test_all_ready_members_race_in_the_order_in_which_they_joined(story: Any) -> None:
    """A member who is not ready at the start watches this race."""
    story.open()
    for each in ("bob", "cat", "dan"):
        story.join(each)
    for each in ("dan", "bob", "ann"):
        story.ready(each)
    story.start_countdown()
    assert story.start_race() == [
        ev.RaceStarted(NOW + 5_000, 1, CODE, LIMIT, (("ann", "Ann"), ("bob", "Bob"), ("dan", "Dan")))
    ]


def test_the_race_does_not_start_before_the_countdown_ends(story: Any) -> None:
    story.open()
    story.ready("ann")
    story.start_countdown()
    assert story.later(4_999).do(cmd.StartRace(CODE)) == []
    assert story.later(1).do(cmd.StartRace(CODE)) == [
        ev.RaceStarted(NOW + 5_000, 1, CODE, LIMIT, (("ann", "Ann"),))
    ]


def test_the_race_starts_once_when_two_nodes_start_it(story: Any) -> None:
    """All racers get the deal of the start that is committed first."""
    story.open()
    story.ready("ann")
    story.start_countdown()
    story.start_race(CODE)
    assert story.start_race("SS1-S1-ZZZZZZZ") == []
    assert (story.room.races, story.room.race.code) == (1, CODE)


def test_a_countdown_of_zero_seconds_ends_at_once(story: Any) -> None:
    story.open(settings=Settings(countdown_s=0))
    story.ready("ann")
    story.start_countdown()
    assert story.start_race() == [ev.RaceStarted(NOW, 1, CODE, LIMIT, (("ann", "Ann"),))]


@pytest.mark.parametrize("in_time", [True, False])
def test_a_member_who_joins_at_the_moment_of_the_start_races_or_watches(story: Any, in_time: bool) -> None:
    """What is committed first decides; there is no third outcome."""
    story.open()
    story.ready("ann")
    story.start_countdown()
    story.later(5_000)
    if in_time:
        story.join("bob")
        story.ready("bob")
        story.start_race()
        assert list(story.room.race.racers) == ["ann", "bob"]
    else:
        story.start_race()
        story.join("bob")
        assert story.ready("bob") is ErrorCode.RACE_RUNNING
        assert list(story.room.race.racers) == ["ann"]


def test_ready_can_be_changed_until_the_start(story: Any) -> None:
    story.open()
    story.join("bob")
    story.ready("ann")
    story.start_countdown()
    story.ready("bob")
    story.ready("ann", False)
    story.start_race()
    assert list(story.room.race.racers) == ["bob"]


def test_the_countdown_is_cancelled_at_its_end_if_no_member_is_ready(story: Any) -> None:
    story.open()
    story.ready("ann")
    story.start_countdown()
    story.ready("ann", False)
    assert story.start_race() == [ev.CountdownCancelled(NOW + 5_000, CancelReason.NOBODY_READY)]
    assert (story.room.phase, story.room.races) == (Phase.LOBBY, 0)


def test_the_countdown_of_an_empty_room_is_cancelled_at_its_end(story: Any) -> None:
    story.open()
    story.ready("ann")
    story.start_countdown()
    story.leave("ann")
    assert story.start_race() == [ev.CountdownCancelled(NOW + 5_000, CancelReason.NOBODY_READY)]


def test_a_ready_member_who_has_just_lost_the_connection_races(story: Any) -> None:
    """A short loss of the connection never costs the race."""
    story.open()
    story.join("bob")
    story.ready("ann")
    story.ready("bob")
    story.start_countdown()
    story.disconnect("bob")
    story.start_race()
    assert list(story.room.race.racers) == ["ann", "bob"]


def test_a_ready_member_who_was_disconnected_for_a_minute_does_not_race(story: Any) -> None:
    """The race would not wait for them, so they get no result in it."""
    story.open()
    story.join("bob")
    story.ready("bob")
    story.disconnect("bob")
    story.later(ABSENT - 5_000).ready("ann")
    story.start_countdown()
    story.start_race()
    assert list(story.room.race.racers) == ["ann"]
    assert not story.room.members["bob"].ready


def test_a_named_code_is_used_for_one_race(story: Any) -> None:
    story.open(code=CODE)
    assert story.room.named_code == CODE
    story.race("ann")
    assert story.room.named_code is None


def test_a_named_code_is_kept_after_a_cancelled_countdown(story: Any) -> None:
    story.open(code=CODE)
    story.ready("ann")
    story.start_countdown()
    story.cancel_countdown()
    assert story.room.named_code == CODE


def test_new_settings_replace_the_named_code(story: Any) -> None:
    story.open(code=CODE)
    story.configure(Settings(), None)
    assert story.room.named_code is None


# Wins and forfeits.


def test_a_win_is_recorded_with_its_time(story: Any) -> None:
    race_of(story, "ann")
    assert story.later(90_000).win("ann") == [ev.RacerWon(story.now, "ann", 90_000, 851, 49)]
    ann = story.room.race.racers["ann"]
    assert (ann.state, ann.at_ms, ann.score, ann.moves) == (RacerState.WON, 90_000, 851, 49)


def test_a_racer_wins_once(story: Any) -> None:
    race_of(story, "ann")
    story.win("ann")
    assert story.win("ann") is RefusalCode.NOT_RACING
    assert story.forfeit("ann") is RefusalCode.NOT_RACING


def test_a_forfeit_can_be_undone_and_repeated(story: Any) -> None:
    race_of(story, "ann")
    assert story.undo_forfeit("ann") is RefusalCode.NOT_RACING
    assert story.forfeit("ann") == [ev.RacerForfeited(story.now, "ann")]
    assert story.forfeit("ann") is RefusalCode.NOT_RACING
    assert story.win("ann") is RefusalCode.NOT_RACING
    assert story.undo_forfeit("ann") == [ev.RacerForfeitUndone(story.now, "ann")]
    assert story.room.race.racers["ann"].state is RacerState.PLAYING
    assert story.forfeit("ann") == [ev.RacerForfeited(story.now, "ann")]


def test_a_member_who_does_not_race_cannot_win_or_forfeit(story: Any) -> None:
    race_of(story, "ann")
    story.join("bob")
    for command in (cmd.Win("bob", 1, 1, 1, 1), cmd.Forfeit("bob", 1), cmd.UndoForfeit("bob", 1)):
        assert story.do(command) is RefusalCode.NOT_RACING


def test_a_win_of_an_earlier_race_does_not_count_in_this_one(story: Any) -> None:
    race_of(story, "ann")
    story.end_race()
    assert story.win("ann") is RefusalCode.NOT_RACING
    story.race("ann")
    assert story.win("ann", race=1) is RefusalCode.NOT_RACING
    assert story.win("ann", race=2) == [ev.RacerWon(story.now, "ann", 0, 851, 49)]


def test_before_the_first_race_nothing_can_be_won_or_ended(story: Any) -> None:
    story.open()
    assert story.do(cmd.Win("ann", 1, 0, 0, 0)) is RefusalCode.NOT_RACING
    assert story.do(cmd.EndRace(1, ())) == []


# The end.


def test_a_race_that_two_nodes_end_ends_once(story: Any) -> None:
    """One of them commits the end; the other decides again, and nothing happens."""
    race_of(story, "ann", "bob")
    results = story.results()
    assert story.end_race() == [ev.RaceEnded(story.now, 1, CODE, results)]
    assert story.end_race() == []
    assert (story.room.phase, story.room.race.results) == (Phase.RESULTS, results)


def test_a_late_end_of_a_race_does_not_end_the_next_one(story: Any) -> None:
    """The next race can still be won and ended."""
    race_of(story, "ann")
    story.end_race()
    story.race("ann")
    assert story.end_race(race=1) == []
    assert story.win("ann") == [ev.RacerWon(story.now, "ann", 0, 851, 49)]
    assert over(story)
    assert story.end_race() == [ev.RaceEnded(story.now, 2, CODE, story.results())]


def test_a_race_is_over_when_all_racers_have_won(story: Any) -> None:
    race_of(story, "ann", "bob")
    story.win("ann")
    assert not over(story)
    story.win("bob")
    assert over(story)


def test_a_race_is_over_exactly_at_its_time_limit(story: Any) -> None:
    """Even if every racer is still playing."""
    race_of(story, "ann")
    story.later(LIMIT - 1)
    assert not over(story, {"ann": story.now})
    story.later(1)
    assert over(story, {"ann": story.now})


def test_a_race_waits_until_a_forfeit_cannot_be_undone(story: Any) -> None:
    race_of(story, "ann", "bob")
    story.later(1_000).forfeit("ann")
    story.later(2_000).forfeit("bob")
    assert all_done_at_ms(story.room, story.room.race, story.rules, {}) == story.now + UNDO
    story.later(UNDO - 1)
    assert not over(story)
    story.later(1)
    assert over(story)


def test_a_race_does_not_wait_for_a_racer_who_forfeits_and_leaves(story: Any) -> None:
    race_of(story, "ann", "bob")
    story.win("ann")
    story.forfeit("bob")
    story.leave("bob")
    assert over(story)


def test_a_race_waits_one_minute_for_a_disconnected_racer(story: Any) -> None:
    """Counted from the start for a racer who lost the connection before it."""
    story.open()
    story.join("bob")
    story.ready("ann")
    story.ready("bob")
    story.start_countdown()
    story.disconnect("bob")
    story.start_race()
    story.win("ann")
    assert not over_after(story, ABSENT - 1)
    assert over_after(story, 1)


def over_after(story: Any, ms: int) -> bool:
    """Return whether the race is over `ms` later if all connected racers move at that moment."""
    story.later(ms)
    return over(story, {each.player: story.now for each in story.room.connected()})


def test_a_race_waits_again_for_a_racer_who_reconnects_in_time(story: Any) -> None:
    race_of(story, "ann", "bob")
    story.win("ann")
    story.disconnect("bob")
    story.later(ABSENT - 1).join("bob")
    assert not over_after(story, ABSENT)


def test_a_race_waits_five_minutes_for_a_racer_who_does_nothing(story: Any) -> None:
    race_of(story, "ann", "bob")
    story.win("ann")
    story.later(IDLE - 1)
    assert not over(story)
    story.later(1)
    assert over(story)


def test_the_five_minutes_count_from_the_last_action(story: Any) -> None:
    race_of(story, "ann")
    moved = story.now + 200_000
    assert all_done_at_ms(story.room, story.room.race, story.rules, {"ann": moved}) == moved + IDLE


def test_a_race_does_not_wait_for_a_kicked_racer(story: Any) -> None:
    """The results contain what the racer played."""
    race_of(story, "ann", "bob")
    story.win("ann")
    assert not over(story)
    story.kick("bob")
    assert over(story)
    assert [each.player for each in story.results()] == ["ann", "bob"]


def test_a_race_does_not_wait_for_a_racer_who_left_until_they_join_again(story: Any) -> None:
    race_of(story, "ann", "bob")
    story.win("ann")
    story.leave("bob")
    assert over(story)
    story.join("bob")
    assert not over(story)
    assert story.win("bob") == [ev.RacerWon(story.now, "bob", 0, 851, 49)]


def test_a_race_that_all_racers_have_left_is_over(story: Any) -> None:
    race_of(story, "ann", "bob")
    story.leave("ann")
    assert not over(story)
    assert story.leave("bob") == [ev.MemberLeft(story.now, "bob", LeaveReason.LEFT)]
    assert over(story)


def test_a_winning_move_in_flight_counts_although_its_player_was_kicked(story: Any) -> None:
    race_of(story, "ann", "bob")
    story.kick("bob")
    assert story.win("bob") == [ev.RacerWon(story.now, "bob", 0, 851, 49)]


# Racers who are inactive when the race ends.


def inactive(story: Any, idle_since_ms: dict[str, int]) -> set[str]:
    """Return the racers who are inactive now, given the time of each one's last action."""
    return set(inactive_racers(story.room, story.room.race, story.now, story.rules, idle_since_ms))


def test_a_racer_is_inactive_after_a_minute_without_a_connection(story: Any) -> None:
    race_of(story, "ann", "bob", "cat")
    story.disconnect("bob")
    story.later(ABSENT - 1)
    acted = dict.fromkeys(("ann", "bob", "cat"), story.now)
    assert inactive(story, acted) == set()
    story.later(1)
    assert inactive(story, acted) == {"bob"}
    story.join("bob")
    assert inactive(story, acted) == set()


def test_a_racer_is_inactive_after_five_minutes_without_an_action(story: Any) -> None:
    """A racer who never acted is idle since the start."""
    race_of(story, "ann", "bob")
    story.later(IDLE - 1)
    acted = {"ann": story.now}
    assert inactive(story, acted) == set()
    story.later(1)
    assert inactive(story, acted) == {"bob"}


def test_a_racer_who_left_the_room_is_inactive(story: Any) -> None:
    race_of(story, "ann", "bob", "cat")
    story.leave("bob")
    story.kick("cat")
    assert inactive(story, {}) == {"bob", "cat"}


def test_a_racer_who_won_or_forfeited_is_not_inactive(story: Any) -> None:
    """Their state decides how they are ranked."""
    race_of(story, "ann", "bob", "cat")
    story.win("ann")
    story.forfeit("bob")
    story.leave("ann")
    story.later(IDLE)
    assert inactive(story, {}) == {"cat"}


def test_no_racer_becomes_inactive_after_the_time_limit(story: Any) -> None:
    """A node that ends the race late, after an outage for example, judges by the time limit."""
    race_of(story, "ann", "bob")
    story.later(LIMIT - 1)
    acted = dict.fromkeys(("ann", "bob"), story.now)
    story.later(IDLE)
    assert inactive(story, acted) == set()

"""The life of a race: countdown, start, winners, forfeits, end."""

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
    """Whether the running race is over now; who is not in `idle_since` has done nothing yet."""
    return is_over(story.room, story.room.race, story.now, story.rules, idle_since_ms or {})


def race_of(story: Any, *racers: str) -> None:
    story.open()
    for each in racers[1:]:
        story.join(each)
    story.race(*racers)


# The countdown.


def test_the_host_starts_the_countdown_of_the_settings(story: Any) -> None:
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


def test_two_people_press_start_together_and_one_countdown_runs(story: Any) -> None:
    story.open()
    story.ready("ann")
    story.start_countdown()
    before = story.room.starts_at_ms
    assert story.later(10).start_countdown() is ErrorCode.COUNTDOWN_RUNNING
    assert story.room.starts_at_ms == before
    story.start_race()
    assert story.start_countdown() is ErrorCode.RACE_RUNNING


def test_a_race_needs_somebody_who_is_ready_and_there(story: Any) -> None:
    story.open()
    story.join("bob")
    assert story.start_countdown() is ErrorCode.NOBODY_READY
    story.ready("bob")
    story.disconnect("bob")
    assert story.start_countdown() is ErrorCode.NOBODY_READY
    story.join("bob")
    assert story.start_countdown() == [ev.CountdownStarted(NOW, 1, NOW + 5_000, "n1")]


def test_the_host_stops_the_countdown_and_everybody_is_as_ready_as_before(story: Any) -> None:
    story.open()
    story.ready("ann")
    assert story.cancel_countdown() is ErrorCode.NO_COUNTDOWN
    story.start_countdown()
    assert story.cancel_countdown() == [ev.CountdownCancelled(NOW, CancelReason.BY_HOST)]
    assert (story.room.phase, story.room.members["ann"].ready) == (Phase.LOBBY, True)
    assert story.cancel_countdown() is ErrorCode.NO_COUNTDOWN


def test_a_deal_that_was_drawn_for_a_cancelled_countdown_starts_nothing(story: Any) -> None:
    story.open()
    story.ready("ann")
    story.start_countdown()
    story.cancel_countdown()
    assert story.start_race() == []
    assert story.room.phase is Phase.LOBBY


def test_an_owner_who_comes_back_during_the_countdown_may_stop_it(story: Any) -> None:
    story.open()
    story.join("bob")
    story.disconnect("ann")
    story.later(5_000).tick()
    story.ready("bob")
    story.start_countdown("bob")
    story.join("ann")
    assert story.cancel_countdown("bob") is ErrorCode.NOT_HOST
    assert story.cancel_countdown("ann") == [ev.CountdownCancelled(story.now, CancelReason.BY_HOST)]


def test_settings_stay_as_they_are_during_countdown_and_race(story: Any) -> None:
    story.open()
    story.ready("ann")
    story.start_countdown()
    assert story.configure(Settings(suits=4)) is ErrorCode.COUNTDOWN_RUNNING
    story.start_race()
    assert story.configure(Settings(suits=4)) is ErrorCode.RACE_RUNNING
    assert story.room.settings == Settings()


def test_new_settings_after_a_race_reopen_the_lobby(story: Any) -> None:
    race_of(story, "ann")
    story.end_race()
    settings = Settings(suits=4)
    assert story.configure(settings, "SS1-S4-AAAAAAA") == [
        ev.LobbyOpened(story.now),
        ev.Configured(story.now, settings, "SS1-S4-AAAAAAA"),
    ]
    assert (story.room.phase, story.room.named_code) == (Phase.LOBBY, "SS1-S4-AAAAAAA")


def test_fewer_seats_than_people_send_nobody_away(story: Any) -> None:
    story.open()
    story.join("bob")
    story.configure(Settings(max_members=1))
    assert list(story.room.members) == ["ann", "bob"]
    assert story.join("cat") is ErrorCode.ROOM_FULL


# The start.


def test_all_who_are_ready_race_in_the_order_in_which_they_came(story: Any) -> None:
    """Not ready at the start: you watch this one."""
    story.open()
    for each in ("bob", "cat", "dan"):
        story.join(each)
    for each in ("dan", "bob", "ann"):
        story.ready(each)
    story.start_countdown()
    assert story.start_race() == [
        ev.RaceStarted(NOW + 5_000, 1, CODE, LIMIT, (("ann", "Ann"), ("bob", "Bob"), ("dan", "Dan")))
    ]


def test_the_race_does_not_start_before_its_time(story: Any) -> None:
    story.open()
    story.ready("ann")
    story.start_countdown()
    assert story.later(4_999).do(cmd.StartRace(CODE)) == []
    assert story.later(1).do(cmd.StartRace(CODE)) == [
        ev.RaceStarted(NOW + 5_000, 1, CODE, LIMIT, (("ann", "Ann"),))
    ]


def test_two_nodes_end_the_countdown_and_one_race_starts(story: Any) -> None:
    """All racers get the deal of the one that was remembered first."""
    story.open()
    story.ready("ann")
    story.start_countdown()
    story.start_race(CODE)
    assert story.start_race("SS1-S1-ZZZZZZZ") == []
    assert (story.room.races, story.room.race.code) == (1, CODE)


def test_a_countdown_of_no_seconds_is_all_done_at_ms_once(story: Any) -> None:
    story.open(settings=Settings(countdown_s=0))
    story.ready("ann")
    story.start_countdown()
    assert story.start_race() == [ev.RaceStarted(NOW, 1, CODE, LIMIT, (("ann", "Ann"),))]


@pytest.mark.parametrize("in_time", [True, False])
def test_somebody_joins_in_the_instant_of_the_start_and_races_or_watches(story: Any, in_time: bool) -> None:
    """What is remembered first decides; there is no third outcome."""
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


def test_ready_and_not_ready_count_until_the_start(story: Any) -> None:
    story.open()
    story.join("bob")
    story.ready("ann")
    story.start_countdown()
    story.ready("bob")
    story.ready("ann", False)
    story.start_race()
    assert list(story.room.race.racers) == ["bob"]


def test_the_countdown_ends_without_a_race_when_nobody_is_ready_any_more(story: Any) -> None:
    story.open()
    story.ready("ann")
    story.start_countdown()
    story.ready("ann", False)
    assert story.start_race() == [ev.CountdownCancelled(NOW + 5_000, CancelReason.NOBODY_READY)]
    assert (story.room.phase, story.room.races) == (Phase.LOBBY, 0)


def test_the_countdown_of_a_room_that_all_have_left_ends_without_a_race(story: Any) -> None:
    story.open()
    story.ready("ann")
    story.start_countdown()
    story.leave("ann")
    assert story.start_race() == [ev.CountdownCancelled(NOW + 5_000, CancelReason.NOBODY_READY)]


def test_somebody_ready_who_lost_the_connection_a_moment_ago_races(story: Any) -> None:
    """A blip at the start never costs the race."""
    story.open()
    story.join("bob")
    story.ready("ann")
    story.ready("bob")
    story.start_countdown()
    story.disconnect("bob")
    story.start_race()
    assert list(story.room.race.racers) == ["ann", "bob"]


def test_somebody_ready_who_is_away_for_a_minute_does_not_race(story: Any) -> None:
    """Nobody would wait for them, and a result of a race that they never saw is none."""
    story.open()
    story.join("bob")
    story.ready("bob")
    story.disconnect("bob")
    story.later(ABSENT - 5_000).ready("ann")
    story.start_countdown()
    story.start_race()
    assert list(story.room.race.racers) == ["ann"]
    assert not story.room.members["bob"].ready


def test_a_code_that_the_host_named_is_for_one_race(story: Any) -> None:
    story.open(code=CODE)
    assert story.room.named_code == CODE
    story.race("ann")
    assert story.room.named_code is None


def test_a_named_code_outlives_a_countdown_that_was_stopped(story: Any) -> None:
    story.open(code=CODE)
    story.ready("ann")
    story.start_countdown()
    story.cancel_countdown()
    assert story.room.named_code == CODE


def test_a_later_host_may_replace_the_code(story: Any) -> None:
    story.open(code=CODE)
    story.configure(Settings(), None)
    assert story.room.named_code is None


# Winning, giving up.


def test_a_win_is_remembered_with_its_time(story: Any) -> None:
    race_of(story, "ann")
    assert story.later(90_000).win("ann") == [ev.RacerWon(story.now, "ann", 90_000, 851, 49)]
    ann = story.room.race.racers["ann"]
    assert (ann.state, ann.at_ms, ann.score, ann.moves) == (RacerState.WON, 90_000, 851, 49)


def test_a_winner_is_announced_once(story: Any) -> None:
    race_of(story, "ann")
    story.win("ann")
    assert story.win("ann") is RefusalCode.NOT_RACING
    assert story.forfeit("ann") is RefusalCode.NOT_RACING


def test_a_forfeit_can_be_taken_back_and_made_again(story: Any) -> None:
    race_of(story, "ann")
    assert story.undo_forfeit("ann") is RefusalCode.NOT_RACING
    assert story.forfeit("ann") == [ev.RacerForfeited(story.now, "ann")]
    assert story.forfeit("ann") is RefusalCode.NOT_RACING
    assert story.win("ann") is RefusalCode.NOT_RACING
    assert story.undo_forfeit("ann") == [ev.RacerForfeitUndone(story.now, "ann")]
    assert story.room.race.racers["ann"].state is RacerState.PLAYING
    assert story.forfeit("ann") == [ev.RacerForfeited(story.now, "ann")]


def test_somebody_who_does_not_race_wins_nothing(story: Any) -> None:
    race_of(story, "ann")
    story.join("bob")
    for command in (cmd.Win("bob", 1, 1, 1, 1), cmd.Forfeit("bob", 1), cmd.UndoForfeit("bob", 1)):
        assert story.do(command) is RefusalCode.NOT_RACING


def test_a_finish_of_an_earlier_race_does_not_count_in_this_one(story: Any) -> None:
    race_of(story, "ann")
    story.end_race()
    assert story.win("ann") is RefusalCode.NOT_RACING
    story.race("ann")
    assert story.win("ann", race=1) is RefusalCode.NOT_RACING
    assert story.win("ann", race=2) == [ev.RacerWon(story.now, "ann", 0, 851, 49)]


def test_before_the_first_race_there_is_nothing_to_win(story: Any) -> None:
    story.open()
    assert story.do(cmd.Win("ann", 1, 0, 0, 0)) is RefusalCode.NOT_RACING
    assert story.do(cmd.EndRace(1, ())) == []


# The end.


def test_two_nodes_end_a_race_and_it_ends_once(story: Any) -> None:
    """Of two last finishers' nodes, one commits the end; the other, decided again, changes nothing."""
    race_of(story, "ann", "bob")
    results = story.results()
    assert story.end_race() == [ev.RaceEnded(story.now, 1, CODE, results)]
    assert story.end_race() == []
    assert (story.room.phase, story.room.race.results) == (Phase.RESULTS, results)


def test_after_a_race_that_ended_early_the_next_one_ends_too(story: Any) -> None:
    """A late end of race 1 does not end race 2, and finishes of race 2 count."""
    race_of(story, "ann")
    story.end_race()
    story.race("ann")
    assert story.end_race(race=1) == []
    assert story.win("ann") == [ev.RacerWon(story.now, "ann", 0, 851, 49)]
    assert over(story)
    assert story.end_race() == [ev.RaceEnded(story.now, 2, CODE, story.results())]


def test_a_race_is_over_when_everybody_has_won(story: Any) -> None:
    race_of(story, "ann", "bob")
    story.win("ann")
    assert not over(story)
    story.win("bob")
    assert over(story)


def test_a_race_is_over_exactly_at_its_time_limit(story: Any) -> None:
    """Also with everybody playing on: a move at the limit itself is refused as too late."""
    race_of(story, "ann")
    story.later(LIMIT - 1)
    assert not over(story, {"ann": story.now})
    story.later(1)
    assert over(story, {"ann": story.now})


def test_a_forfeit_holds_the_race_until_it_cannot_be_taken_back(story: Any) -> None:
    race_of(story, "ann", "bob")
    story.later(1_000).forfeit("ann")
    story.later(2_000).forfeit("bob")
    assert all_done_at_ms(story.room, story.room.race, story.rules, {}) == story.now + UNDO
    story.later(UNDO - 1)
    assert not over(story)
    story.later(1)
    assert over(story)


def test_somebody_who_forfeits_and_leaves_holds_nobody(story: Any) -> None:
    race_of(story, "ann", "bob")
    story.win("ann")
    story.forfeit("bob")
    story.leave("bob")
    assert over(story)


def test_one_disconnected_racer_does_not_hold_everybody(story: Any) -> None:
    """A minute, counted from the start for somebody who was away before it."""
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
    """Whether the race is over so much later, when everybody who is there made a move just now."""
    story.later(ms)
    return over(story, {each.player: story.now for each in story.room.connected()})


def test_a_racer_who_comes_back_in_time_is_waited_for_again(story: Any) -> None:
    race_of(story, "ann", "bob")
    story.win("ann")
    story.disconnect("bob")
    story.later(ABSENT - 1).join("bob")
    assert not over_after(story, ABSENT)


def test_a_racer_who_never_moves_holds_nobody_after_five_minutes(story: Any) -> None:
    race_of(story, "ann", "bob")
    story.win("ann")
    story.later(IDLE - 1)
    assert not over(story)
    story.later(1)
    assert over(story)


def test_a_racer_who_moved_is_waited_for_from_that_move_on(story: Any) -> None:
    race_of(story, "ann")
    moved = story.now + 200_000
    assert all_done_at_ms(story.room, story.room.race, story.rules, {"ann": moved}) == moved + IDLE


def test_a_kicked_player_does_not_block_the_round(story: Any) -> None:
    """What they played so far stands in the results."""
    race_of(story, "ann", "bob")
    story.win("ann")
    assert not over(story)
    story.kick("bob")
    assert over(story)
    assert [each.player for each in story.results()] == ["ann", "bob"]


def test_a_racer_who_leaves_does_not_hold_the_others_and_may_come_back(story: Any) -> None:
    race_of(story, "ann", "bob")
    story.win("ann")
    story.leave("bob")
    assert over(story)
    story.join("bob")
    assert not over(story)
    assert story.win("bob") == [ev.RacerWon(story.now, "bob", 0, 851, 49)]


def test_a_race_that_all_have_left_is_over(story: Any) -> None:
    race_of(story, "ann", "bob")
    story.leave("ann")
    assert not over(story)
    assert story.leave("bob") == [ev.MemberLeft(story.now, "bob", LeaveReason.LEFT)]
    assert over(story)


def test_a_winning_move_that_was_on_its_way_counts_though_its_player_was_kicked(story: Any) -> None:
    race_of(story, "ann", "bob")
    story.kick("bob")
    assert story.win("bob") == [ev.RacerWon(story.now, "bob", 0, 851, 49)]


# Racers who are inactive when the race ends.


def inactive(story: Any, idle_since_ms: dict[str, int]) -> set[str]:
    """Return who is inactive now, by when each racer acted last."""
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
    """Their state tells how they are ranked, wherever they are."""
    race_of(story, "ann", "bob", "cat")
    story.win("ann")
    story.forfeit("bob")
    story.leave("ann")
    story.later(IDLE)
    assert inactive(story, {}) == {"cat"}


def test_nobody_becomes_inactive_after_the_time_limit(story: Any) -> None:
    """A node that ends the race late, after an outage for example, judges by the time limit."""
    race_of(story, "ann", "bob")
    story.later(LIMIT - 1)
    acted = dict.fromkeys(("ann", "bob"), story.now)
    story.later(IDLE)
    assert inactive(story, acted) == set()

"""People of a room: who comes, goes, is away, is host, is ready."""

from typing import Any

import pytest

from protocol.errors import ErrorCode
from protocol.parts import LeaveReason, Phase, Settings, StartMode
from server.core import commands as cmd
from server.core import events as ev
from server.core.members import countdown_due_at_ms

NOW = 1_000_000
GRACE = 5_000
SEAT = 15 * 60_000


# Coming in.


def test_who_opens_a_room_is_its_owner_and_host_and_is_in_it(story: Any) -> None:
    assert story.open(code="SS1-S1-AAAAABD", key="hash") == [
        ev.RoomOpened(NOW, "ann", Settings(), "hash", "SS1-S1-AAAAABD"),
        ev.MemberJoined(NOW, "ann", "Ann", "n1", False),
    ]
    assert (story.room.owner, story.room.host, list(story.room.members)) == ("ann", "ann", ["ann"])


def test_a_newcomer_is_told_apart_from_somebody_of_the_same_name(story: Any) -> None:
    """Identical names in one game confuse everybody; so do those that differ only in case."""
    story.open()
    assert story.join("bob", name="ANN") == [ev.MemberJoined(NOW, "bob", "ANN 2", "n1", False)]


def test_a_password_lets_in_only_those_who_know_it(story: Any) -> None:
    story.open(key="hash")
    assert story.join("bob") is ErrorCode.WRONG_PASSWORD
    assert story.join("bob", key="other") is ErrorCode.WRONG_PASSWORD
    assert story.join("bob", key="hash") == [ev.MemberJoined(NOW, "bob", "Bob", "n1", False)]


def test_a_room_without_password_takes_any(story: Any) -> None:
    story.open()
    assert story.join("bob", key="hash") == [ev.MemberJoined(NOW, "bob", "Bob", "n1", False)]


def test_a_locked_room_lets_nobody_new_in_until_it_is_opened(story: Any) -> None:
    story.open()
    assert story.lock() == [ev.LockChanged(NOW, True)]
    assert story.lock() == []
    assert story.join("bob") is ErrorCode.ROOM_LOCKED
    assert story.lock(False) == [ev.LockChanged(NOW, False)]
    assert story.join("bob") == [ev.MemberJoined(NOW, "bob", "Bob", "n1", False)]


def test_two_take_the_last_seat_and_one_of_them_gets_it(story: Any) -> None:
    """Whoever is remembered first has it; the other, decided again, learns that the room is full."""
    story.open(settings=Settings(max_members=2))
    story.join("bob")
    assert story.join("cat") is ErrorCode.ROOM_FULL
    story.leave("bob")
    assert story.join("cat") == [ev.MemberJoined(NOW, "cat", "Cat", "n1", False)]


def test_watchers_need_a_seat_too(story: Any) -> None:
    story.open(settings=Settings(max_members=1))
    assert story.join("bob", spectate=True) is ErrorCode.ROOM_FULL


@pytest.mark.parametrize("when", ["countdown", "racing", "results"])
def test_one_may_come_in_at_any_time(story: Any, when: str) -> None:
    """During a race a newcomer watches, and races next."""
    story.open()
    story.ready("ann")
    story.start_countdown()
    if when != "countdown":
        story.start_race()
    if when == "results":
        story.end_race()
    assert story.room.phase == when
    assert story.join("bob") == [ev.MemberJoined(story.now, "bob", "Bob", "n1", False)]
    assert story.room.race is None or list(story.room.race.racers) == ["ann"]


# Away and back.


def test_who_loses_the_connection_keeps_the_seat(story: Any) -> None:
    """A short absence never costs a seat, whatever the lock, the password or the number of people."""
    story.open(settings=Settings(max_members=2), key="hash")
    story.join("bob", key="hash")
    assert story.disconnect("bob") == [ev.MemberDisconnected(NOW, "bob")]
    story.lock()
    story.configure(Settings(max_members=1))
    story.later(60_000)
    assert story.join("bob", node="n2") == [ev.MemberReconnected(NOW + 60_000, "bob", "n2")]
    bob = story.room.members["bob"]
    assert (bob.disconnected_at_ms, bob.node, bob.name) == (None, "n2", "Bob")


def test_ready_outlives_an_absence(story: Any) -> None:
    story.open()
    story.join("bob")
    story.ready("bob")
    story.disconnect("bob")
    story.later(1_000).join("bob")
    assert story.room.members["bob"].ready


def test_coming_in_twice_on_one_node_is_one_coming(story: Any) -> None:
    story.open()
    assert story.join("ann") == []


def test_a_newer_connection_on_another_node_takes_over(story: Any) -> None:
    story.open()
    assert story.join("ann", node="n2") == [ev.MemberReconnected(NOW, "ann", "n2")]


def test_the_end_of_an_older_connection_does_not_make_its_player_away(story: Any) -> None:
    """A returning player must not stay marked as disconnected when the dead socket is noticed at last."""
    story.open()
    story.join("ann", node="n2")
    assert story.disconnect("ann", node="n1") == []
    assert story.disconnect("ann", node="n2") == [ev.MemberDisconnected(NOW, "ann")]
    assert story.disconnect("ann", node="n2") == []


def test_who_was_taken_for_gone_is_back_at_once(story: Any) -> None:
    """A node that stood still was taken for dead, but its connections live: they say so when it wakes."""
    story.open()
    story.join("bob", node="n2")
    story.do(cmd.DisconnectNodes(frozenset({"n2"})))
    assert story.do(cmd.Reconnect("bob", "n2")) == [ev.MemberReconnected(story.now, "bob", "n2")]
    assert story.do(cmd.Reconnect("bob", "n2")) == []


def test_who_has_connected_elsewhere_meanwhile_does_not_return_by_an_old_connection(story: Any) -> None:
    story.open()
    story.join("bob", node="n2")
    story.do(cmd.DisconnectNodes(frozenset({"n2"})))
    story.join("bob", node="n3")
    assert story.do(cmd.Reconnect("bob", "n2")) == []
    assert story.do(cmd.Reconnect("cat", "n2")) == []
    assert story.room.members["bob"].node == "n3"


def test_the_end_of_a_strangers_connection_means_nothing(story: Any) -> None:
    story.open()
    assert story.disconnect("bob") == []


def test_when_nodes_die_all_whom_they_held_are_away(story: Any) -> None:
    story.open()
    story.join("bob", node="n2")
    story.join("cat", node="n3")
    story.join("dan", node="n2")
    story.disconnect("dan", node="n2")
    assert story.do(cmd.DisconnectNodes(frozenset({"n1", "n2"}))) == [
        ev.MemberDisconnected(NOW, "ann"),
        ev.MemberDisconnected(NOW, "bob"),
    ]
    assert story.room.nodes() == {"n3"}


def test_a_seat_is_kept_for_a_quarter_of_an_hour(story: Any) -> None:
    """Empty rooms must not show ghosts for ever."""
    story.open()
    story.join("bob")
    story.disconnect("bob")
    assert story.later(SEAT - 1).tick() == []
    assert story.later(1).tick() == [ev.MemberLeft(NOW + SEAT, "bob", LeaveReason.EXPIRED)]
    assert story.join("bob") == [ev.MemberJoined(NOW + SEAT, "bob", "Bob", "n1", False)]


def test_a_racer_keeps_the_seat_to_the_end_of_the_race(story: Any) -> None:
    story.open()
    for each in ("bob", "cat"):
        story.join(each)
    story.race("ann", "bob")
    story.disconnect("bob")
    story.disconnect("cat")
    assert story.later(SEAT).tick() == [ev.MemberLeft(story.now, "cat", LeaveReason.EXPIRED)]
    story.end_race()
    assert story.tick() == [ev.MemberLeft(story.now, "bob", LeaveReason.EXPIRED)]


def test_who_is_there_never_loses_the_seat(story: Any) -> None:
    story.open()
    assert story.later(10 * SEAT).tick() == []


# The host.


def test_a_host_who_leaves_hands_over_to_the_longest_present(story: Any) -> None:
    """Host gone, nobody can act: never."""
    story.open()
    for each in ("bob", "cat", "dan"):
        story.join(each)
    story.disconnect("bob")
    assert story.leave("ann") == [ev.MemberLeft(NOW, "ann", LeaveReason.LEFT), ev.HostChanged(NOW, "cat")]


def test_a_host_who_is_away_hands_over_after_five_seconds(story: Any) -> None:
    story.open()
    for each in ("bob", "cat"):
        story.join(each)
    story.disconnect("ann")
    assert story.later(GRACE - 1).tick() == []
    assert story.later(1).tick() == [ev.HostChanged(NOW + GRACE, "bob")]
    assert story.later(1).tick() == []


def test_the_owner_is_host_again_on_coming_back(story: Any) -> None:
    story.open()
    story.join("bob")
    story.disconnect("ann")
    story.later(GRACE).tick()
    assert story.join("ann") == [
        ev.MemberReconnected(story.now, "ann", "n1"),
        ev.HostChanged(story.now, "ann"),
    ]


def test_an_owner_who_left_is_host_again_on_coming_in(story: Any) -> None:
    story.open()
    story.join("bob")
    story.leave("ann")
    assert story.join("ann") == [ev.MemberJoined(NOW, "ann", "Ann", "n1", False), ev.HostChanged(NOW, "ann")]


def test_an_owner_who_comes_back_in_time_was_host_all_along(story: Any) -> None:
    story.open()
    story.join("bob")
    story.disconnect("ann")
    assert story.later(GRACE - 1).join("ann") == [ev.MemberReconnected(story.now, "ann", "n1")]


def test_when_everybody_was_cut_off_the_host_stays_host_for_five_seconds(story: Any) -> None:
    """After a restart of the server all come back in any order; the first is not host by that."""
    story.open()
    story.join("bob")
    story.join("cat")
    story.leave("ann")
    assert story.room.host == "bob"
    story.do(cmd.DisconnectNodes(frozenset({"n1"})))
    assert story.later(1_000).join("cat") == [ev.MemberReconnected(story.now, "cat", "n1")]
    assert story.join("dan") == [ev.MemberJoined(story.now, "dan", "Dan", "n1", False)]
    assert story.join("bob") == [ev.MemberReconnected(story.now, "bob", "n1")]
    assert story.room.host == "bob"


def test_who_comes_first_to_a_room_without_its_host_is_host(story: Any) -> None:
    story.open()
    story.join("bob")
    story.disconnect("bob")
    story.disconnect("ann")
    assert story.later(GRACE).join("bob") == [
        ev.MemberReconnected(story.now, "bob", "n1"),
        ev.HostChanged(story.now, "bob"),
    ]


def test_a_newcomer_to_a_room_that_all_have_left_is_host(story: Any) -> None:
    story.open()
    story.leave("ann")
    assert story.room.members == {}
    assert story.join("bob") == [ev.MemberJoined(NOW, "bob", "Bob", "n1", False), ev.HostChanged(NOW, "bob")]


def test_a_newcomer_does_not_pass_by_the_longest_present(story: Any) -> None:
    """The host is overdue, but nobody has noticed yet: the longest present comes next all the same."""
    story.open()
    story.join("bob")
    story.disconnect("ann")
    story.later(GRACE)
    assert story.join("cat") == [ev.MemberJoined(story.now, "cat", "Cat", "n1", False)]
    assert story.tick() == [ev.HostChanged(story.now, "bob")]


def test_nobody_becomes_host_of_a_room_where_nobody_is(story: Any) -> None:
    story.open()
    story.join("bob")
    story.disconnect("ann")
    story.disconnect("bob")
    assert story.later(GRACE).tick() == []


def test_the_owner_comes_back_to_a_room_that_was_left_locked(story: Any) -> None:
    """Otherwise it would lie there with nobody who could open it."""
    story.open(key="hash")
    story.lock()
    story.leave("ann")
    assert story.join("bob", key="hash") is ErrorCode.ROOM_LOCKED
    assert story.join("ann") == [ev.MemberJoined(NOW, "ann", "Ann", "n1", False)]
    assert story.lock(False) == [ev.LockChanged(NOW, False)]


def test_the_owner_too_needs_a_seat(story: Any) -> None:
    story.open(settings=Settings(max_members=2))
    story.join("bob")
    story.leave("ann")
    story.join("cat")
    assert story.join("ann") is ErrorCode.ROOM_FULL


# Kicking.


def test_somebody_who_is_kicked_is_gone_and_cannot_come_back(story: Any) -> None:
    story.open()
    story.join("bob")
    assert story.kick("bob") == [ev.MemberLeft(NOW, "bob", LeaveReason.KICKED)]
    assert story.join("bob") is ErrorCode.KICKED


def test_somebody_who_is_away_can_be_kicked(story: Any) -> None:
    story.open()
    story.join("bob")
    story.disconnect("bob")
    assert story.kick("bob") == [ev.MemberLeft(NOW, "bob", LeaveReason.KICKED)]


def test_a_host_kicks_neither_themself_nor_a_stranger(story: Any) -> None:
    story.open()
    assert story.kick("ann") is ErrorCode.CANNOT_TARGET_SELF
    assert story.kick("bob") is ErrorCode.NO_SUCH_MEMBER


def test_an_owner_who_is_kicked_by_a_stand_in_can_come_back(story: Any) -> None:
    """A stand-in may free the seat of an owner who is away; the room stays the owner's."""
    story.open()
    story.join("bob")
    story.disconnect("ann")
    story.later(GRACE).tick()
    assert story.kick("ann", by="bob") == [ev.MemberLeft(story.now, "ann", LeaveReason.KICKED)]
    assert story.join("ann") == [
        ev.MemberJoined(story.now, "ann", "Ann", "n1", False),
        ev.HostChanged(story.now, "ann"),
    ]


def test_who_left_can_come_back(story: Any) -> None:
    story.open()
    story.join("bob")
    assert story.leave("bob") == [ev.MemberLeft(NOW, "bob", LeaveReason.LEFT)]
    assert story.leave("bob") is ErrorCode.NOT_IN_ROOM
    assert story.join("bob") == [ev.MemberJoined(NOW, "bob", "Bob", "n1", False)]


# Ready.


def test_saying_ready_twice_changes_nothing(story: Any) -> None:
    story.open()
    assert story.ready("ann") == [ev.ReadyChanged(NOW, "ann", True)]
    assert story.ready("ann") == []
    assert story.ready("ann", False) == [ev.ReadyChanged(NOW, "ann", False)]
    assert story.ready("ann", False) == []


def test_a_watcher_who_is_ready_watches_no_more(story: Any) -> None:
    story.open()
    story.join("bob", spectate=True)
    story.ready("bob")
    assert (story.room.members["bob"].spectator, story.room.members["bob"].ready) == (False, True)
    story.ready("bob", False)
    assert not story.room.members["bob"].spectator


def test_nobody_is_ready_for_the_next_race_while_one_runs(story: Any) -> None:
    """So the next race cannot start at once after a race."""
    story.open()
    story.join("bob")
    story.race("ann")
    assert story.ready("bob") is ErrorCode.RACE_RUNNING
    story.end_race()
    assert not any(each.ready for each in story.room.members.values())
    assert story.start_countdown() is ErrorCode.NOBODY_READY


def test_three_people_press_rematch_together_and_all_are_in(story: Any) -> None:
    """The first reopens the lobby; nobody is thrown out, no ghost stays."""
    story.open()
    for each in ("bob", "cat"):
        story.join(each)
    story.race("ann", "bob", "cat")
    story.end_race()
    assert story.ready("bob") == [ev.LobbyOpened(story.now), ev.ReadyChanged(story.now, "bob", True)]
    assert story.ready("ann") == [ev.ReadyChanged(story.now, "ann", True)]
    assert story.ready("cat") == [ev.ReadyChanged(story.now, "cat", True)]
    story.start_countdown()
    story.start_race()
    assert story.room.race is not None
    assert (story.room.race.number, list(story.room.race.racers)) == (2, ["ann", "bob", "cat"])


# Everybody ready starts.


def began(story: Any) -> ev.CountdownStarted:
    return ev.CountdownStarted(story.now, story.room.races + 1, story.now + 5_000, "n1")


def test_where_everybody_ready_starts_the_last_one_starts_the_countdown(story: Any) -> None:
    story.all_ready_room("bob", "cat")
    assert story.ready("ann") == [ev.ReadyChanged(NOW, "ann", True)]
    assert story.ready("cat") == [ev.ReadyChanged(NOW, "cat", True)]
    assert story.ready("bob") == [ev.ReadyChanged(NOW, "bob", True), began(story)]


def test_it_takes_two(story: Any) -> None:
    """Somebody alone is waiting for friends; the host starts a race alone with `start`."""
    story.all_ready_room()
    assert story.ready("ann") == [ev.ReadyChanged(NOW, "ann", True)]
    story.join("bob", spectate=True)
    assert story.later(GRACE).tick() == []
    assert story.start_countdown() == [began(story)]


def test_who_watches_is_not_waited_for(story: Any) -> None:
    story.all_ready_room("bob")
    story.join("cat", spectate=True)
    story.ready("ann")
    assert story.ready("bob") == [ev.ReadyChanged(NOW, "bob", True), began(story)]


def test_who_is_away_is_not_waited_for_when_the_last_one_present_is_ready(story: Any) -> None:
    story.all_ready_room("bob", "cat")
    story.disconnect("cat")
    story.ready("ann")
    assert story.ready("bob") == [ev.ReadyChanged(NOW, "bob", True), began(story)]


def test_somebody_ready_who_is_away_is_no_second(story: Any) -> None:
    story.all_ready_room("bob")
    story.ready("bob")
    story.disconnect("bob")
    assert story.ready("ann") == [ev.ReadyChanged(NOW, "ann", True)]
    assert story.join("bob") == [ev.MemberReconnected(NOW, "bob", "n1"), began(story)]


def test_the_countdown_starts_when_the_last_one_who_was_not_ready_leaves(story: Any) -> None:
    story.all_ready_room("bob", "cat")
    story.ready("ann")
    story.ready("bob")
    assert story.leave("cat") == [ev.MemberLeft(NOW, "cat", LeaveReason.LEFT), began(story)]


def test_the_countdown_starts_when_the_last_one_who_was_not_ready_is_kicked(story: Any) -> None:
    story.all_ready_room("bob", "cat")
    story.ready("ann")
    story.ready("bob")
    assert story.kick("cat") == [ev.MemberLeft(NOW, "cat", LeaveReason.KICKED), began(story)]


def test_the_countdown_starts_when_the_last_one_who_was_not_ready_stays_away(story: Any) -> None:
    """Five seconds, so that a blip does not cost the race; then nobody who is gone holds the others."""
    story.all_ready_room("bob", "cat")
    story.ready("ann")
    story.ready("bob")
    assert story.disconnect("cat") == [ev.MemberDisconnected(NOW, "cat")]
    assert countdown_due_at_ms(story.room, story.rules) == NOW + GRACE
    assert story.later(GRACE - 1).tick() == []
    assert story.later(1).tick() == [began(story)]


def test_the_countdown_does_not_start_when_the_absent_one_is_back_in_time(story: Any) -> None:
    story.all_ready_room("bob", "cat")
    story.ready("ann")
    story.ready("bob")
    story.disconnect("cat")
    assert story.later(1_000).join("cat") == [ev.MemberReconnected(story.now, "cat", "n1")]
    assert story.later(GRACE).tick() == []
    assert countdown_due_at_ms(story.room, story.rules) is None


def test_a_host_who_leaves_unready_hands_over_and_the_others_race(story: Any) -> None:
    story.all_ready_room("bob", "cat")
    story.ready("bob")
    story.ready("cat")
    assert story.leave("ann") == [
        ev.MemberLeft(NOW, "ann", LeaveReason.LEFT),
        ev.HostChanged(NOW, "bob"),
        began(story),
    ]


def test_one_of_two_who_leaves_starts_nothing(story: Any) -> None:
    story.all_ready_room("bob")
    story.ready("ann")
    assert story.leave("bob") == [ev.MemberLeft(NOW, "bob", LeaveReason.LEFT)]


def test_after_a_cancel_nothing_starts_by_itself_until_somebody_is_ready_anew(story: Any) -> None:
    """The host wants to wait; somebody who looks in and goes again must not start the race."""
    story.all_ready_room("bob")
    story.ready("ann")
    story.ready("bob")
    story.cancel_countdown()
    story.join("cat")
    assert story.leave("cat") == [ev.MemberLeft(NOW, "cat", LeaveReason.LEFT)]
    assert story.later(GRACE).tick() == []
    story.ready("bob", False)
    assert story.ready("bob") == [ev.ReadyChanged(story.now, "bob", True), began(story)]


def test_a_change_of_settings_starts_nothing_by_itself(story: Any) -> None:
    """All were ready, the host then lets everybody ready start: they see first what they would race."""
    story.open()
    story.join("bob")
    story.ready("ann")
    story.ready("bob")
    settings = Settings(start_mode=StartMode.ALL_READY, suits=4)
    assert story.configure(settings) == [ev.Configured(NOW, settings, None)]
    assert story.later(GRACE).tick() == []
    assert story.start_countdown() == [began(story)]


def test_where_the_host_starts_nothing_else_does(story: Any) -> None:
    story.open()
    story.join("bob")
    story.join("cat")
    story.ready("ann")
    story.ready("bob")
    assert story.leave("cat") == [ev.MemberLeft(NOW, "cat", LeaveReason.LEFT)]
    assert story.room.phase is Phase.LOBBY


def test_a_countdown_starts_once_however_many_leave(story: Any) -> None:
    """A countdown that repeats for each player would start the race many times."""
    story.all_ready_room("bob", "cat", "dan")
    story.ready("ann")
    story.ready("bob")
    assert story.leave("cat") == [ev.MemberLeft(NOW, "cat", LeaveReason.LEFT)]
    assert story.leave("dan") == [ev.MemberLeft(NOW, "dan", LeaveReason.LEFT), began(story)]
    story.join("eve")
    assert story.leave("eve") == [ev.MemberLeft(NOW, "eve", LeaveReason.LEFT)]
    assert story.later(1).tick() == []


@pytest.mark.parametrize("through", ["leaving", "changing the node"])
def test_the_deal_is_drawn_by_a_node_that_holds_a_racer_from_before_to_after(
    story: Any, through: str
) -> None:
    """Not by the one whose connection ends with what starts the countdown."""
    story.all_ready_room("cat")
    story.join("bob", node="n2")
    story.join("dan", node="n3")
    for each in ("ann", "bob", "dan"):
        story.ready(each)
    story.disconnect("cat")
    story.later(GRACE)
    came_of_it = story.leave("ann") if through == "leaving" else story.join("ann", node="n9")
    assert came_of_it[-1] == ev.CountdownStarted(story.now, 1, story.now + 5_000, "n2")

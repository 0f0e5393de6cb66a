"""Decisions about members: join, lost connections, the host, kicks, who is ready."""

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


# Join.


def test_the_owner_opens_a_room_and_is_its_host_and_first_member(story: Any) -> None:
    assert story.open(code="SS1-S1-AAAAABD", key="hash") == [
        ev.RoomOpened(NOW, "ann", Settings(), "hash", "SS1-S1-AAAAABD"),
        ev.MemberJoined(NOW, "ann", "Ann", "n1", False),
    ]
    assert (story.room.owner, story.room.host, list(story.room.members)) == ("ann", "ann", ["ann"])


def test_a_new_member_with_a_name_that_is_taken_gets_a_number(story: Any) -> None:
    """Equal names in one race confuse everybody; so do names that differ only in case."""
    story.open()
    assert story.join("bob", name="ANN") == [ev.MemberJoined(NOW, "bob", "ANN 2", "n1", False)]


def test_a_room_with_a_password_needs_the_right_one(story: Any) -> None:
    story.open(key="hash")
    assert story.join("bob") is ErrorCode.WRONG_PASSWORD
    assert story.join("bob", key="other") is ErrorCode.WRONG_PASSWORD
    assert story.join("bob", key="hash") == [ev.MemberJoined(NOW, "bob", "Bob", "n1", False)]


def test_a_room_without_a_password_ignores_a_given_one(story: Any) -> None:
    story.open()
    assert story.join("bob", key="hash") == [ev.MemberJoined(NOW, "bob", "Bob", "n1", False)]


def test_a_locked_room_refuses_new_members_until_it_is_unlocked(story: Any) -> None:
    story.open()
    assert story.lock() == [ev.LockChanged(NOW, True)]
    assert story.lock() == []
    assert story.join("bob") is ErrorCode.ROOM_LOCKED
    assert story.lock(False) == [ev.LockChanged(NOW, False)]
    assert story.join("bob") == [ev.MemberJoined(NOW, "bob", "Bob", "n1", False)]


def test_of_two_who_join_for_the_last_seat_one_gets_it(story: Any) -> None:
    """The join that is committed first counts; the other one is decided again and finds the room full."""
    story.open(settings=Settings(max_members=2))
    story.join("bob")
    assert story.join("cat") is ErrorCode.ROOM_FULL
    story.leave("bob")
    assert story.join("cat") == [ev.MemberJoined(NOW, "cat", "Cat", "n1", False)]


def test_spectators_need_a_seat_too(story: Any) -> None:
    story.open(settings=Settings(max_members=1))
    assert story.join("bob", spectate=True) is ErrorCode.ROOM_FULL


@pytest.mark.parametrize("when", ["countdown", "racing", "results"])
def test_new_members_can_join_in_every_phase(story: Any, when: str) -> None:
    """Who joins during a race watches it, and can race in the next one."""
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


# Lost connections.


def test_a_member_who_loses_the_connection_keeps_the_seat(story: Any) -> None:
    """Neither the lock, the password nor the number of members matters on return."""
    story.open(settings=Settings(max_members=2), key="hash")
    story.join("bob", key="hash")
    assert story.disconnect("bob") == [ev.MemberDisconnected(NOW, "bob")]
    story.lock()
    story.configure(Settings(max_members=1))
    story.later(60_000)
    assert story.join("bob", node="n2") == [ev.MemberReconnected(NOW + 60_000, "bob", "n2")]
    bob = story.room.members["bob"]
    assert (bob.disconnected_at_ms, bob.node, bob.name) == (None, "n2", "Bob")


def test_a_member_who_reconnects_is_as_ready_as_before(story: Any) -> None:
    story.open()
    story.join("bob")
    story.ready("bob")
    story.disconnect("bob")
    story.later(1_000).join("bob")
    assert story.room.members["bob"].ready


def test_joining_again_on_the_same_node_changes_nothing(story: Any) -> None:
    story.open()
    assert story.join("ann") == []


def test_a_newer_connection_on_another_node_replaces_the_older_one(story: Any) -> None:
    story.open()
    assert story.join("ann", node="n2") == [ev.MemberReconnected(NOW, "ann", "n2")]


def test_the_end_of_a_replaced_connection_does_not_disconnect_the_member(story: Any) -> None:
    """A dead socket is often noticed only after its player has returned."""
    story.open()
    story.join("ann", node="n2")
    assert story.disconnect("ann", node="n1") == []
    assert story.disconnect("ann", node="n2") == [ev.MemberDisconnected(NOW, "ann")]
    assert story.disconnect("ann", node="n2") == []


def test_a_member_of_a_node_that_was_taken_for_dead_reconnects_at_once(story: Any) -> None:
    """The connections of a paused node live on; it reports them when it continues."""
    story.open()
    story.join("bob", node="n2")
    story.do(cmd.DisconnectNodes(frozenset({"n2"})))
    assert story.do(cmd.Reconnect("bob", "n2")) == [ev.MemberReconnected(story.now, "bob", "n2")]
    assert story.do(cmd.Reconnect("bob", "n2")) == []


def test_an_old_connection_does_not_bring_back_a_member_who_joined_elsewhere(story: Any) -> None:
    story.open()
    story.join("bob", node="n2")
    story.do(cmd.DisconnectNodes(frozenset({"n2"})))
    story.join("bob", node="n3")
    assert story.do(cmd.Reconnect("bob", "n2")) == []
    assert story.do(cmd.Reconnect("cat", "n2")) == []
    assert story.room.members["bob"].node == "n3"


def test_the_end_of_a_connection_of_no_member_changes_nothing(story: Any) -> None:
    story.open()
    assert story.disconnect("bob") == []


def test_the_members_on_dead_nodes_are_disconnected(story: Any) -> None:
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


def test_a_seat_is_kept_for_fifteen_minutes(story: Any) -> None:
    """A room must not list members who will not return."""
    story.open()
    story.join("bob")
    story.disconnect("bob")
    assert story.later(SEAT - 1).tick() == []
    assert story.later(1).tick() == [ev.MemberLeft(NOW + SEAT, "bob", LeaveReason.EXPIRED)]
    assert story.join("bob") == [ev.MemberJoined(NOW + SEAT, "bob", "Bob", "n1", False)]


def test_a_racer_keeps_the_seat_until_the_race_ends(story: Any) -> None:
    story.open()
    for each in ("bob", "cat"):
        story.join(each)
    story.race("ann", "bob")
    story.disconnect("bob")
    story.disconnect("cat")
    assert story.later(SEAT).tick() == [ev.MemberLeft(story.now, "cat", LeaveReason.EXPIRED)]
    story.end_race()
    assert story.tick() == [ev.MemberLeft(story.now, "bob", LeaveReason.EXPIRED)]


def test_a_connected_member_never_loses_the_seat(story: Any) -> None:
    story.open()
    assert story.later(10 * SEAT).tick() == []


# The host.


def test_when_the_host_leaves_the_connected_member_who_joined_first_becomes_host(story: Any) -> None:
    """A room never stays without a host who can act."""
    story.open()
    for each in ("bob", "cat", "dan"):
        story.join(each)
    story.disconnect("bob")
    assert story.leave("ann") == [ev.MemberLeft(NOW, "ann", LeaveReason.LEFT), ev.HostChanged(NOW, "cat")]


def test_a_disconnected_host_is_replaced_after_five_seconds(story: Any) -> None:
    story.open()
    for each in ("bob", "cat"):
        story.join(each)
    story.disconnect("ann")
    assert story.later(GRACE - 1).tick() == []
    assert story.later(1).tick() == [ev.HostChanged(NOW + GRACE, "bob")]
    assert story.later(1).tick() == []


def test_the_owner_becomes_host_again_on_reconnecting(story: Any) -> None:
    story.open()
    story.join("bob")
    story.disconnect("ann")
    story.later(GRACE).tick()
    assert story.join("ann") == [
        ev.MemberReconnected(story.now, "ann", "n1"),
        ev.HostChanged(story.now, "ann"),
    ]


def test_an_owner_who_left_becomes_host_again_on_joining(story: Any) -> None:
    story.open()
    story.join("bob")
    story.leave("ann")
    assert story.join("ann") == [ev.MemberJoined(NOW, "ann", "Ann", "n1", False), ev.HostChanged(NOW, "ann")]


def test_an_owner_who_reconnects_in_time_stays_host(story: Any) -> None:
    story.open()
    story.join("bob")
    story.disconnect("ann")
    assert story.later(GRACE - 1).join("ann") == [ev.MemberReconnected(story.now, "ann", "n1")]


def test_the_host_stays_host_for_five_seconds_when_all_members_are_disconnected(story: Any) -> None:
    """After a restart of the server members reconnect in any order; the first does not become host."""
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


def test_the_first_member_who_reconnects_after_five_seconds_becomes_host(story: Any) -> None:
    story.open()
    story.join("bob")
    story.disconnect("bob")
    story.disconnect("ann")
    assert story.later(GRACE).join("bob") == [
        ev.MemberReconnected(story.now, "bob", "n1"),
        ev.HostChanged(story.now, "bob"),
    ]


def test_a_new_member_of_an_empty_room_becomes_host(story: Any) -> None:
    story.open()
    story.leave("ann")
    assert story.room.members == {}
    assert story.join("bob") == [ev.MemberJoined(NOW, "bob", "Bob", "n1", False), ev.HostChanged(NOW, "bob")]


def test_a_new_member_does_not_become_host_before_older_members(story: Any) -> None:
    """The host has been gone for too long, but no tick has noticed; the tick makes the older member host."""
    story.open()
    story.join("bob")
    story.disconnect("ann")
    story.later(GRACE)
    assert story.join("cat") == [ev.MemberJoined(story.now, "cat", "Cat", "n1", False)]
    assert story.tick() == [ev.HostChanged(story.now, "bob")]


def test_no_host_is_chosen_while_no_member_is_connected(story: Any) -> None:
    story.open()
    story.join("bob")
    story.disconnect("ann")
    story.disconnect("bob")
    assert story.later(GRACE).tick() == []


def test_the_owner_can_join_a_locked_room(story: Any) -> None:
    """Otherwise nobody could unlock it."""
    story.open(key="hash")
    story.lock()
    story.leave("ann")
    assert story.join("bob", key="hash") is ErrorCode.ROOM_LOCKED
    assert story.join("ann") == [ev.MemberJoined(NOW, "ann", "Ann", "n1", False)]
    assert story.lock(False) == [ev.LockChanged(NOW, False)]


def test_the_owner_needs_a_free_seat_too(story: Any) -> None:
    story.open(settings=Settings(max_members=2))
    story.join("bob")
    story.leave("ann")
    story.join("cat")
    assert story.join("ann") is ErrorCode.ROOM_FULL


# Kicks.


def test_a_kicked_member_is_removed_and_cannot_join_again(story: Any) -> None:
    story.open()
    story.join("bob")
    assert story.kick("bob") == [ev.MemberLeft(NOW, "bob", LeaveReason.KICKED)]
    assert story.join("bob") is ErrorCode.KICKED


def test_a_disconnected_member_can_be_kicked(story: Any) -> None:
    story.open()
    story.join("bob")
    story.disconnect("bob")
    assert story.kick("bob") == [ev.MemberLeft(NOW, "bob", LeaveReason.KICKED)]


def test_a_host_cannot_kick_themself_or_a_stranger(story: Any) -> None:
    story.open()
    assert story.kick("ann") is ErrorCode.CANNOT_TARGET_SELF
    assert story.kick("bob") is ErrorCode.NO_SUCH_MEMBER


def test_an_owner_who_was_kicked_by_a_stand_in_host_can_join_again(story: Any) -> None:
    """A stand-in host can free the seat of a disconnected owner; the room stays the owner's."""
    story.open()
    story.join("bob")
    story.disconnect("ann")
    story.later(GRACE).tick()
    assert story.kick("ann", by="bob") == [ev.MemberLeft(story.now, "ann", LeaveReason.KICKED)]
    assert story.join("ann") == [
        ev.MemberJoined(story.now, "ann", "Ann", "n1", False),
        ev.HostChanged(story.now, "ann"),
    ]


def test_a_member_who_left_can_join_again(story: Any) -> None:
    story.open()
    story.join("bob")
    assert story.leave("bob") == [ev.MemberLeft(NOW, "bob", LeaveReason.LEFT)]
    assert story.leave("bob") is ErrorCode.NOT_IN_ROOM
    assert story.join("bob") == [ev.MemberJoined(NOW, "bob", "Bob", "n1", False)]


# Ready.


def test_ready_twice_changes_nothing(story: Any) -> None:
    story.open()
    assert story.ready("ann") == [ev.ReadyChanged(NOW, "ann", True)]
    assert story.ready("ann") == []
    assert story.ready("ann", False) == [ev.ReadyChanged(NOW, "ann", False)]
    assert story.ready("ann", False) == []


def test_a_spectator_who_gets_ready_is_no_spectator_any_more(story: Any) -> None:
    story.open()
    story.join("bob", spectate=True)
    story.ready("bob")
    assert (story.room.members["bob"].spectator, story.room.members["bob"].ready) == (False, True)
    story.ready("bob", False)
    assert not story.room.members["bob"].spectator


def test_no_member_can_get_ready_during_a_race(story: Any) -> None:
    """So the next race cannot start immediately after a race."""
    story.open()
    story.join("bob")
    story.race("ann")
    assert story.ready("bob") is ErrorCode.RACE_RUNNING
    story.end_race()
    assert not any(each.ready for each in story.room.members.values())
    assert story.start_countdown() is ErrorCode.NOBODY_READY


def test_three_members_get_ready_together_after_a_race_and_all_of_them_race(story: Any) -> None:
    """The first opens the lobby; the others stay in the room."""
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


# Start mode `all_ready`.


def countdown(story: Any) -> ev.CountdownStarted:
    return ev.CountdownStarted(story.now, story.room.races + 1, story.now + 5_000, "n1")


def test_with_all_ready_the_last_member_who_gets_ready_starts_the_countdown(story: Any) -> None:
    story.all_ready_room("bob", "cat")
    assert story.ready("ann") == [ev.ReadyChanged(NOW, "ann", True)]
    assert story.ready("cat") == [ev.ReadyChanged(NOW, "cat", True)]
    assert story.ready("bob") == [ev.ReadyChanged(NOW, "bob", True), countdown(story)]


def test_with_all_ready_at_least_two_members_must_be_ready(story: Any) -> None:
    """A member alone waits for friends; the host can start a race alone with `start_countdown`."""
    story.all_ready_room()
    assert story.ready("ann") == [ev.ReadyChanged(NOW, "ann", True)]
    story.join("bob", spectate=True)
    assert story.later(GRACE).tick() == []
    assert story.start_countdown() == [countdown(story)]


def test_with_all_ready_spectators_need_not_be_ready(story: Any) -> None:
    story.all_ready_room("bob")
    story.join("cat", spectate=True)
    story.ready("ann")
    assert story.ready("bob") == [ev.ReadyChanged(NOW, "bob", True), countdown(story)]


def test_with_all_ready_disconnected_members_need_not_be_ready_when_the_last_one_gets_ready(
    story: Any,
) -> None:
    story.all_ready_room("bob", "cat")
    story.disconnect("cat")
    story.ready("ann")
    assert story.ready("bob") == [ev.ReadyChanged(NOW, "bob", True), countdown(story)]


def test_a_ready_member_who_is_disconnected_does_not_count_as_the_second(story: Any) -> None:
    story.all_ready_room("bob")
    story.ready("bob")
    story.disconnect("bob")
    assert story.ready("ann") == [ev.ReadyChanged(NOW, "ann", True)]
    assert story.join("bob") == [ev.MemberReconnected(NOW, "bob", "n1"), countdown(story)]


def test_the_countdown_starts_when_the_last_member_who_is_not_ready_leaves(story: Any) -> None:
    story.all_ready_room("bob", "cat")
    story.ready("ann")
    story.ready("bob")
    assert story.leave("cat") == [ev.MemberLeft(NOW, "cat", LeaveReason.LEFT), countdown(story)]


def test_the_countdown_starts_when_the_last_member_who_is_not_ready_is_kicked(story: Any) -> None:
    story.all_ready_room("bob", "cat")
    story.ready("ann")
    story.ready("bob")
    assert story.kick("cat") == [ev.MemberLeft(NOW, "cat", LeaveReason.KICKED), countdown(story)]


def test_the_countdown_starts_when_the_last_member_who_is_not_ready_stays_disconnected(story: Any) -> None:
    """After five seconds: a short loss of the connection does not cost the race."""
    story.all_ready_room("bob", "cat")
    story.ready("ann")
    story.ready("bob")
    assert story.disconnect("cat") == [ev.MemberDisconnected(NOW, "cat")]
    assert countdown_due_at_ms(story.room, story.rules) == NOW + GRACE
    assert story.later(GRACE - 1).tick() == []
    assert story.later(1).tick() == [countdown(story)]


def test_the_countdown_does_not_start_when_the_member_reconnects_in_time(story: Any) -> None:
    story.all_ready_room("bob", "cat")
    story.ready("ann")
    story.ready("bob")
    story.disconnect("cat")
    assert story.later(1_000).join("cat") == [ev.MemberReconnected(story.now, "cat", "n1")]
    assert story.later(GRACE).tick() == []
    assert countdown_due_at_ms(story.room, story.rules) is None


def test_when_a_host_who_is_not_ready_leaves_the_others_get_a_host_and_a_countdown(story: Any) -> None:
    story.all_ready_room("bob", "cat")
    story.ready("bob")
    story.ready("cat")
    assert story.leave("ann") == [
        ev.MemberLeft(NOW, "ann", LeaveReason.LEFT),
        ev.HostChanged(NOW, "bob"),
        countdown(story),
    ]


def test_a_member_who_leaves_one_other_alone_starts_nothing(story: Any) -> None:
    story.all_ready_room("bob")
    story.ready("ann")
    assert story.leave("bob") == [ev.MemberLeft(NOW, "bob", LeaveReason.LEFT)]


def test_after_a_cancelled_countdown_only_another_ready_starts_one(story: Any) -> None:
    """The host wants to wait; a member who joins and leaves must not start the race."""
    story.all_ready_room("bob")
    story.ready("ann")
    story.ready("bob")
    story.cancel_countdown()
    story.join("cat")
    assert story.leave("cat") == [ev.MemberLeft(NOW, "cat", LeaveReason.LEFT)]
    assert story.later(GRACE).tick() == []
    story.ready("bob", False)
    assert story.ready("bob") == [ev.ReadyChanged(story.now, "bob", True), countdown(story)]


def test_new_settings_do_not_start_a_countdown(story: Any) -> None:
    """All members are ready when the host chooses `all_ready`; they must see the new settings first."""
    story.open()
    story.join("bob")
    story.ready("ann")
    story.ready("bob")
    settings = Settings(start_mode=StartMode.ALL_READY, suits=4)
    assert story.configure(settings) == [ev.Configured(NOW, settings, None)]
    assert story.later(GRACE).tick() == []
    assert story.start_countdown() == [countdown(story)]


def test_with_start_mode_host_only_the_host_starts_a_countdown(story: Any) -> None:
    story.open()
    story.join("bob")
    story.join("cat")
    story.ready("ann")
    story.ready("bob")
    assert story.leave("cat") == [ev.MemberLeft(NOW, "cat", LeaveReason.LEFT)]
    assert story.room.phase is Phase.LOBBY


def test_a_countdown_starts_once_however_many_members_leave(story: Any) -> None:
    """A countdown for each of them would start the race many times."""
    story.all_ready_room("bob", "cat", "dan")
    story.ready("ann")
    story.ready("bob")
    assert story.leave("cat") == [ev.MemberLeft(NOW, "cat", LeaveReason.LEFT)]
    assert story.leave("dan") == [ev.MemberLeft(NOW, "dan", LeaveReason.LEFT), countdown(story)]
    story.join("eve")
    assert story.leave("eve") == [ev.MemberLeft(NOW, "eve", LeaveReason.LEFT)]
    assert story.later(1).tick() == []


@pytest.mark.parametrize("through", ["leaving", "changing the node"])
def test_the_deal_is_drawn_by_a_node_that_holds_a_racer_before_and_after(story: Any, through: str) -> None:
    """Not by the node whose connection ends with the event that starts the countdown."""
    story.all_ready_room("cat")
    story.join("bob", node="n2")
    story.join("dan", node="n3")
    for each in ("ann", "bob", "dan"):
        story.ready(each)
    story.disconnect("cat")
    story.later(GRACE)
    decision = story.leave("ann") if through == "leaving" else story.join("ann", node="n9")
    assert decision[-1] == ev.CountdownStarted(story.now, 1, story.now + 5_000, "n2")

"""The fold: how each event changes a room."""

from typing import Any

import pytest

from protocol.parts import CancelReason, LeaveReason, Phase, RacerState, Settings
from server.core import events as ev
from server.core.room import Member, Race, Racer, Room, fold

OPENED = ev.RoomOpened(5, "ann", Settings(max_members=3), "hash", "SS1-S1-AAAAABD")
RACE: list[ev.Event] = [
    OPENED,
    ev.MemberJoined(6, "ann", "Ann", "n1", False),
    ev.MemberJoined(7, "bob", "Bob", "n2", True),
    ev.ReadyChanged(8, "ann", True),
    ev.CountdownStarted(9, 1, 5_009, "n1"),
    ev.RaceStarted(5_009, 1, "SS1-S1-AAAAABD", 60_000, (("ann", "Ann"),)),
]


def room_after(*events: ev.Event) -> Room:
    room = Room("KQXMB")
    for event in events:
        fold(room, event)
    return room


def test_a_room_before_its_first_event_is_empty() -> None:
    room = Room("KQXMB")
    assert (room.length, room.members, room.phase, room.race) == (0, {}, Phase.LOBBY, None)


def test_a_room_knows_the_length_of_its_log_and_when_it_last_changed() -> None:
    room = room_after(*RACE)
    assert (room.length, room.changed_at_ms) == (6, 5_009)


def test_a_room_during_a_race() -> None:
    """The whole state at once: no member is ready any more, and the named code is used."""
    assert room_after(*RACE) == Room(
        code="KQXMB",
        length=6,
        owner="ann",
        host="ann",
        password="hash",  # noqa: S106 - stands for a hash
        settings=Settings(max_members=3),
        phase=Phase.RACING,
        members={
            "ann": Member("ann", "Ann", 1, "n1", False),
            "bob": Member("bob", "Bob", 2, "n2", True),
        },
        joins=2,
        starts_at_ms=5_009,
        drawing_node="n1",
        race=Race(1, "SS1-S1-AAAAABD", 5_009, 60_000, {"ann": Racer("ann", "Ann")}),
        race_codes={1: "SS1-S1-AAAAABD"},
        races=1,
        changed_at_ms=5_009,
    )


def test_the_time_limit_counts_from_the_start() -> None:
    race = room_after(*RACE).race
    assert race is not None
    assert race.ends_at_ms == 65_009


def test_wins_forfeits_and_undone_forfeits_change_the_racers() -> None:
    started: list[ev.Event] = [
        *RACE[:-1],
        ev.RaceStarted(5_009, 1, "c", 60_000, (("ann", "Ann"), ("bob", "Bob"))),
    ]
    room = room_after(
        *started,
        ev.RacerWon(6_000, "bob", 991, 851, 49),
        ev.RacerForfeited(7_000, "ann"),
        ev.RacerForfeitUndone(8_000, "ann"),
    )
    assert room.race is not None
    assert room.race.racers == {
        "ann": Racer("ann", "Ann", RacerState.PLAYING, forfeited_at_ms=7_000),
        "bob": Racer("bob", "Bob", RacerState.WON, 991, 851, 49),
    }


def test_chat_is_counted_and_not_kept() -> None:
    """Characters of all members; the text is only in the log."""
    room = room_after(*RACE[:3], ev.ChatMessage(8, "ann", "陳小明!"), ev.ChatMessage(9, "bob", "hi"))
    silent = room_after(*RACE[:3])
    silent.length, silent.changed_at_ms, silent.chat_characters = 5, 9, 6
    assert room == silent


def test_the_results_are_kept_until_the_next_race() -> None:
    room = room_after(*RACE, ev.RaceEnded(9_000, 1, "c", ()), ev.LobbyOpened(9_001))
    assert room.race is not None
    assert (room.phase, room.race.results) == (Phase.LOBBY, ())


def test_a_cancelled_countdown_leads_to_the_lobby_and_holds_the_next_one() -> None:
    room = room_after(*RACE[:-1], ev.CountdownCancelled(10, CancelReason.BY_HOST))
    assert (room.phase, room.held, room.members["ann"].ready) == (Phase.LOBBY, True, True)
    fold(room, ev.ReadyChanged(11, "ann", False))
    assert room.held
    fold(room, ev.ReadyChanged(12, "ann", True))
    assert not room.held


def test_a_member_who_leaves_and_joins_again_is_the_last_to_have_joined() -> None:
    """The connected member who joined first becomes host."""
    room = room_after(
        *RACE[:3], ev.MemberLeft(8, "ann", LeaveReason.LEFT), ev.MemberJoined(9, "ann", "Ann", "n1", False)
    )
    assert [each.player for each in room.connected()] == ["bob", "ann"]
    assert [each.join_number for each in room.connected()] == [2, 3]


def test_a_member_who_reconnects_keeps_the_place_of_the_first_join() -> None:
    room = room_after(*RACE[:3], ev.MemberDisconnected(8, "ann"))
    assert [each.player for each in room.connected()] == ["bob"]
    assert room.nodes() == {"n2"}
    fold(room, ev.MemberReconnected(9, "ann", "n2"))
    assert [each.player for each in room.connected()] == ["ann", "bob"]
    assert room.nodes() == {"n2"}


@pytest.mark.parametrize(
    "event",
    [
        ev.RacerWon(1, "ann", 1, 1, 1),
        ev.RacerForfeited(1, "ann"),
        ev.RacerForfeitUndone(1, "ann"),
        ev.RaceEnded(1, 1, "c", ()),
    ],
)
def test_an_event_of_a_race_without_a_race_raises(event: Any) -> None:
    with pytest.raises(ValueError, match="KQXMB"):
        room_after(OPENED, event)

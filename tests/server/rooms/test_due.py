"""When a room must be looked at again if nobody does anything."""

import pytest

from protocol.parts import Settings, StartMode
from server.core import events as ev
from server.core.room import Room, fold
from server.core.rules import Rules
from server.rooms.due import next_due

RULES = Rules(host_grace_ms=5_000, seat_ms=900_000, absent_ms=60_000, idle_ms=300_000, draw_grace_ms=6_000)


def room(*events: ev.Event, start: StartMode = StartMode.HOST) -> Room:
    """A room of Ada, who owns it, and Ben, both ready, in which these events have happened since."""
    told = Room("BCDFG")
    for event in (
        ev.RoomOpened(0, "ada", Settings(start_mode=start), None, None),
        ev.MemberJoined(0, "ada", "Ada", "here", False),
        ev.MemberJoined(0, "ben", "Ben", "there", False),
        ev.ReadyChanged(0, "ada", True),
        *events,
    ):
        fold(told, event)
    return told


def due(told: Room, node: str = "here", warning_at: int | None = None) -> int | None:
    return next_due(told, RULES, node, {"ada": 1_000, "ben": 2_000}, warning_at)


COUNTING = ev.CountdownStarted(0, 1, 5_000, "here")
RACING = ev.RaceStarted(5_000, 1, "SS1-S1-AAAAABD", 60_000, (("ada", "Ada"), ("ben", "Ben")))


def test_a_lobby_with_all_members_connected_has_no_deadline() -> None:
    """No timer runs for a room in which only members can change something."""
    assert due(room()) is None


@pytest.mark.parametrize(("node", "at"), [("here", 5_000), ("there", 11_000)])
def test_a_countdown_ends_at_its_node_and_after_a_grace_at_others(node: str, at: int) -> None:
    """Else every node would draw a deal, and a dead one would leave the countdown unfinished."""
    assert due(room(COUNTING), node) == at


def test_a_race_has_deadlines_for_its_warning_and_its_end() -> None:
    """The time limit ends it whatever anybody does."""
    assert due(room(COUNTING, RACING)) == 65_000
    assert due(room(COUNTING, RACING), warning_at=50_000) == 50_000


def test_an_absent_host_and_an_absent_member_have_deadlines() -> None:
    """The host hands over while somebody is there; when all are gone only their seats end."""
    assert due(room(ev.MemberDisconnected(1_000, "ada"))) == 6_000
    assert due(room(ev.MemberDisconnected(1_000, "ada"), ev.MemberDisconnected(2_000, "ben"))) == 901_000


def test_an_all_ready_room_whose_last_unready_member_is_absent_starts_after_the_grace() -> None:
    """Somebody who is gone holds nobody, and a blip costs nobody the race: three people, one of them gone."""
    told = room(
        ev.MemberJoined(0, "eve", "Eve", "here", False),
        ev.ReadyChanged(0, "ben", True),
        ev.MemberDisconnected(1_000, "eve"),
        start=StartMode.ALL_READY,
    )
    assert due(told) == 6_000

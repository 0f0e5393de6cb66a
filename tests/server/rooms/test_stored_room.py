"""What a room has in the store."""

from protocol.parts import Settings
from server.core import events as ev
from server.rooms.stored_room import game_logs, replayed
from server.store import keys

ENTRIES = [
    ev.to_bytes(event)
    for event in (
        ev.RoomOpened(1, "ada", Settings(), None, None),
        ev.MemberJoined(1, "ada", "Ada", "node", False),
        ev.MemberJoined(2, "ben", "Ben", "node", False),
        ev.CountdownStarted(2, 1, 3, "node"),
        ev.RaceStarted(3, 1, "SS1-S1-AAAAABD", 1000, (("ada", "Ada"), ("ben", "Ben"))),
        ev.RaceEnded(4, 1, "SS1-S1-AAAAABD", ()),
        ev.LobbyOpened(4),
        ev.CountdownStarted(4, 2, 5, "node"),
        ev.RaceStarted(5, 2, "SS1-S1-AAAAABE", 1000, (("ben", "Ben"),)),
    )
]


def test_a_room_is_the_fold_of_its_log() -> None:
    """Replayed from the first entry to the last."""
    room = replayed("BCDFG", ENTRIES)
    assert (room.code, room.length, room.races, list(room.members)) == ("BCDFG", 9, 2, ["ada", "ben"])


def test_every_racer_of_every_race_has_a_log() -> None:
    """Also of those who have left since."""
    assert game_logs("BCDFG", ENTRIES) == [
        keys.game_log("BCDFG", 1, "ada"),
        keys.game_log("BCDFG", 1, "ben"),
        keys.game_log("BCDFG", 2, "ben"),
    ]

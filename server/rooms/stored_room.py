"""What the store has of a room: its state, and the logs to remove together with it."""

from collections.abc import Iterable

from server.core import events as ev
from server.core.room import Room, fold
from server.store import keys


def replayed(code: str, entries: Iterable[bytes]) -> Room:
    """Return the state of a room from its log."""
    room = Room(code)
    for entry in entries:
        fold(room, ev.from_bytes(entry))
    return room


def game_logs(code: str, entries: Iterable[bytes]) -> list[str]:
    """Return the names of all racers' logs in all races of a room."""
    found: list[str] = []
    for entry in entries:
        event = ev.from_bytes(entry)
        if isinstance(event, ev.RaceStarted):
            found.extend(keys.game_log(code, event.race, player) for player, _ in event.racers)
    return found

"""The record of a finished race, by which it can be replayed and its results verified offline."""

from enum import StrEnum
from typing import Final

from msgspec import Struct, field

from protocol.parts import Columns, Ranking, Result

FORMAT: Final = "simonrace-record-2"


class ActionKind(StrEnum):
    """Kind of an accepted action, as it stands in a log."""

    MOVE = "move"
    AUTO_MOVE = "auto_move"
    UNDO = "undo"
    RESTART = "restart"
    FORFEIT = "forfeit"
    UNDO_FORFEIT = "undo_forfeit"


class Entry(Struct, frozen=True, omit_defaults=True):
    """One accepted action. It has the shape of the action that was sent; for `undo`, the move taken back."""

    at_ms: int
    type: ActionKind
    source: int | None = field(name="from", default=None)
    target: int | None = field(name="to", default=None)
    cards: int | None = None


class RacerRecord(Struct, frozen=True):
    """One racer's accepted actions and final board."""

    player: str
    actions: list[Entry]
    columns: Columns


class FinishedRace(Struct, frozen=True):
    """A finished race. `clock_jumped` tells that a clock of a server was set while it ran."""

    format: str
    room: str
    race: int
    code: str
    ranking: Ranking
    started_at_ms: int
    time_limit_ms: int
    racers: list[RacerRecord]
    results: list[Result]
    clock_jumped: bool = False

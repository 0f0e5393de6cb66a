"""The record of a finished race: all that is needed to replay it and to check its results offline."""

from enum import StrEnum
from typing import Final

from msgspec import Struct, field

from protocol.parts import Columns, Ranking, Result

FORMAT: Final = "simonrace-record-1"


class Deed(StrEnum):
    """What a racer did, as it stands in a log."""

    MOVE = "move"
    AUTO = "auto"
    UNDO = "undo"
    RESTART = "restart"
    FORFEIT = "forfeit"
    UNFORFEIT = "unforfeit"


class Entry(Struct, frozen=True, omit_defaults=True):
    """One accepted action, `at` ms after the start; `move`, `auto` and `undo` say which cards went."""

    at: int
    deed: Deed
    source: int | None = field(name="from", default=None)
    target: int | None = field(name="to", default=None)
    count: int | None = None


class RacerRecord(Struct, frozen=True):
    """One racer's whole log and the board at its end."""

    player: str
    actions: list[Entry]
    columns: Columns


class FinishedRace(Struct, frozen=True):
    """A finished race. `started` is the start on the servers' clock, in ms; `time_limit` in ms."""

    format: str
    room: str
    race: int
    code: str
    ranking: Ranking
    started: int
    time_limit: int
    racers: list[RacerRecord]
    results: list[Result]

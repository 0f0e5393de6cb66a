"""The record of a finished race, by which it can be replayed and its results verified offline."""

from typing import Annotated, Final

from msgspec import Meta, Struct, field

from protocol.described import Described
from protocol.fields import (
    AtMs,
    GameCode,
    MovedCards,
    MovedFrom,
    MovedTo,
    PlayerId,
    RaceNumber,
    RoomCode,
    TimeLimitMs,
)
from protocol.parts import Ranking, Result

FORMAT: Final = "simonrace-record-2"


class ActionKind(Described):
    """Kind of an accepted action, as it stands in a log."""

    MOVE = "move", "a move"
    AUTO_MOVE = "auto_move", "an automatic move, with the move that it became"
    UNDO = "undo", "a move was undone"
    RESTART = "restart", "the game was reset to the deal"
    FORFEIT = "forfeit", "the racer forfeited"
    UNDO_FORFEIT = "undo_forfeit", "the racer undid the forfeit; the action sent was `undo`"


class Entry(Struct, frozen=True, omit_defaults=True):
    """One accepted action. It has the shape of the action that was sent; for `undo`, the move undone."""

    at_ms: AtMs
    type: Annotated[ActionKind, Meta(description="kind of the action")]
    source: MovedFrom | None = field(name="from", default=None)
    target: MovedTo | None = field(name="to", default=None)
    cards: MovedCards | None = None


class RacerRecord(Struct, frozen=True):
    """One racer's accepted actions and final board."""

    player: PlayerId
    actions: Annotated[
        list[Entry], Meta(description="every accepted action in order; the first has number 1")
    ]
    columns: Annotated[list[list[str]], Meta(description="the board at the end, in the form of a deal")]


class FinishedRace(Struct, frozen=True):
    """A finished race."""

    format: Annotated[str, Meta(description="format of the record: `simonrace-record-2`")]
    room: RoomCode
    race: RaceNumber
    code: GameCode
    ranking: Annotated[Ranking, Meta(description="what decided the ranks")]
    started_at_ms: Annotated[int, Meta(description="start of the race on the servers' clock, in ms")]
    time_limit_ms: TimeLimitMs
    racers: Annotated[list[RacerRecord], Meta(description="one entry for each racer")]
    results: Annotated[list[Result], Meta(description="final results, best first")]
    clock_jumped: Annotated[
        bool, Meta(description="whether a clock of a server was set while the race ran")
    ] = False

"""Pieces that several messages share: settings, people, standings, results."""

from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct

from protocol import limits

Columns = list[list[str]]
"""Ten columns left to right, each from its first card to the free one; a card is `TH`: rank, suit."""


class Ranking(StrEnum):
    """What a race is won by."""

    TIME = "time"
    SCORE = "score"


class StartMode(StrEnum):
    """Who starts a race."""

    HOST = "host"
    ALL_READY = "all_ready"


class Phase(StrEnum):
    """Where a room is in its life."""

    LOBBY = "lobby"
    COUNTDOWN = "countdown"
    RACING = "racing"
    RESULTS = "results"


class RacerState(StrEnum):
    """How a racer stands in a race."""

    PLAYING = "playing"
    WON = "won"
    FORFEITED = "forfeited"
    UNFINISHED = "unfinished"


class LeaveReason(StrEnum):
    """Why somebody is no longer in a room."""

    LEFT = "left"
    KICKED = "kicked"
    EXPIRED = "expired"


class StopReason(StrEnum):
    """Why a countdown ended without a race."""

    CANCELLED = "cancelled"
    NOBODY_READY = "nobody_ready"


class Settings(Struct, frozen=True):
    """The settings of a room; every field has a default, so `{}` is a whole set of settings."""

    ranking: Ranking = Ranking.TIME
    suits: Annotated[int, Meta(ge=1, le=4, description="1, 2 or 4")] = 1
    winnable: bool = True
    start: StartMode = StartMode.HOST
    countdown: Annotated[int, Meta(ge=0, le=limits.COUNTDOWN_SECONDS, description="seconds")] = 5
    time_limit: Annotated[int, Meta(ge=1, le=limits.TIME_LIMIT_SECONDS, description="seconds")] = 1800
    seats: Annotated[int, Meta(ge=1, le=limits.ROOM_PEOPLE)] = 50
    live_boards: bool = False


class Person(Struct, frozen=True):
    """Somebody in a room. `name` is unique in the room; equal names got a suffix."""

    player: str
    name: str
    ready: bool
    watching: bool
    away: bool


class Standing(Struct, frozen=True, omit_defaults=True):
    """One racer's line of the live standings; `elapsed` only when won, in milliseconds since the start."""

    player: str
    rank: int
    score: int
    moves: int
    runs: int
    joined: Annotated[int, Meta(description="same-suit neighbours made so far, 48 when won")]
    state: RacerState = RacerState.PLAYING
    elapsed: int | None = None


class Result(Struct, frozen=True):
    """One racer's line of the results; `reached` is when the score was reached, in ms since the start.

    For a winner `reached` is the time of the race. Equal results have equal ranks: 1, 2, 2, 4.
    """

    player: str
    name: str
    rank: int
    state: RacerState
    score: int
    moves: int
    runs: int
    reached: int


class RaceView(Struct, frozen=True):
    """A running race as somebody sees it who comes in: times in milliseconds."""

    race: int
    code: str
    columns: Columns
    racers: list[str]
    elapsed: int
    time_limit: int


class GameView(Struct, frozen=True):
    """A racer's own game as the server has it; `n` is the number of the last action that was accepted."""

    n: int
    columns: Columns
    score: int
    moves: int
    runs: int
    undoable: int
    state: RacerState


class Row(Struct, frozen=True):
    """One line of a leaderboard; `race` is the room and the number of the race, as `ROOM/3`."""

    rank: int
    player: str
    name: str
    value: int
    race: str

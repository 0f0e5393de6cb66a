"""Objects that several messages share: settings, members, standings, results."""

from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct

from protocol import limits

Columns = list[list[str]]
"""Ten columns left to right, each from its first card to the free one; a card is `TH`: rank, suit."""


class Ranking(StrEnum):
    """What decides the ranks of a race."""

    TIME = "time"
    SCORE = "score"


class StartMode(StrEnum):
    """Who starts a race."""

    HOST = "host"
    ALL_READY = "all_ready"


class Phase(StrEnum):
    """Phase of a room."""

    LOBBY = "lobby"
    COUNTDOWN = "countdown"
    RACING = "racing"
    RESULTS = "results"


class RacerState(StrEnum):
    """State of a racer in a race."""

    PLAYING = "playing"
    WON = "won"
    FORFEITED = "forfeited"
    UNFINISHED = "unfinished"


class LeaveReason(StrEnum):
    """Why a member left the room."""

    LEFT = "left"
    KICKED = "kicked"
    EXPIRED = "expired"


class CancelReason(StrEnum):
    """Why a countdown was cancelled."""

    BY_HOST = "by_host"
    NOBODY_READY = "nobody_ready"


class StandingsMode(StrEnum):
    """Form in which a client wants the live standings."""

    WHOLE = "whole"
    CHANGES = "changes"


class LeaderboardKind(StrEnum):
    """What a leaderboard orders won games by."""

    TIME = "time"
    SCORE = "score"
    MOVES = "moves"


class Settings(Struct, frozen=True):
    """Settings of a room. Every field has a default, so `{}` is a complete set of settings."""

    ranking: Ranking = Ranking.TIME
    suits: Annotated[int, Meta(ge=1, le=4, description="1, 2 or 4")] = 1
    winnable: bool = True
    start_mode: StartMode = StartMode.HOST
    countdown_s: Annotated[int, Meta(ge=0, le=limits.COUNTDOWN_SECONDS, description="seconds")] = 5
    time_limit_s: Annotated[int, Meta(ge=1, le=limits.TIME_LIMIT_SECONDS, description="seconds")] = 1800
    max_members: Annotated[int, Meta(ge=1, le=limits.ROOM_MEMBERS)] = 50
    live_boards: bool = False


class Member(Struct, frozen=True):
    """A member of a room. `name` is unique in the room: equal names get a suffix."""

    player: str
    name: str
    ready: bool
    spectator: bool
    connected: bool


class StandingsRow(Struct, frozen=True, omit_defaults=True):
    """One racer's row of the live standings. `at_ms` is there only for a winner."""

    player: str
    rank: int
    score: int
    moves: int
    runs: int
    progress: Annotated[int, Meta(description="cards in order: neighbours of one suit, 48 when won")]
    state: RacerState = RacerState.PLAYING
    at_ms: int | None = None


class Result(Struct, frozen=True, omit_defaults=True):
    """One racer's row of the results. Equal results have equal ranks: 1, 2, 2, 4."""

    player: str
    name: str
    rank: int
    state: RacerState
    score: int
    moves: int
    runs: int
    reached_ms: int
    inactive: bool = False


class RaceView(Struct, frozen=True):
    """The running race, as a member who enters the room receives it."""

    race: int
    code: str
    columns: Columns
    racers: list[str]
    elapsed_ms: int
    time_limit_ms: int


class GameView(Struct, frozen=True):
    """A racer's game as the server has it. `n` is the number of the last accepted action."""

    n: int
    columns: Columns
    score: int
    moves: int
    runs: int
    undoable: int
    state: RacerState


class LeaderboardRow(Struct, frozen=True):
    """One row of a leaderboard. `race_id` is the room and the number of the race, as `ROOM/3`."""

    rank: int
    player: str
    name: str
    value: int
    race_id: str


class LeaderboardTable(Struct, frozen=True):
    """One leaderboard of a game code: what orders it, and its rows, best first."""

    kind: LeaderboardKind
    rows: list[LeaderboardRow]

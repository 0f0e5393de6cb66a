"""Objects that several messages share: settings, members, games, standings, results."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from protocol import limits
from protocol.described import Described
from protocol.fields import (
    Columns,
    GameCode,
    Moves,
    PlayerId,
    Progress,
    RaceNumber,
    Runs,
    Score,
    TimeLimitMs,
    Undoable,
)

__all__ = [
    "CancelReason",
    "Columns",
    "GameView",
    "LeaderboardKind",
    "LeaderboardRow",
    "LeaderboardTable",
    "LeaveReason",
    "Member",
    "Phase",
    "RaceView",
    "RacerState",
    "Ranking",
    "Result",
    "Settings",
    "StandingsMode",
    "StandingsRow",
    "StartMode",
]


class Ranking(Described):
    """What decides the ranks of a race."""

    TIME = "time", "winners by race time, then fewer moves"
    SCORE = "score", "winners by score, then race time"

    @property
    def mode(self) -> Literal["time", "score"]:
        """The value, as the type that ranking functions take."""
        return "score" if self is Ranking.SCORE else "time"


class StartMode(Described):
    """Who starts a race."""

    HOST = "host", "the host, by `start_countdown`"
    ALL_READY = "all_ready", "the last member who gets ready, if at least two are; the host may start earlier"


class Phase(Described):
    """Phase of a room."""

    LOBBY = "lobby", "members get ready"
    COUNTDOWN = "countdown", "the countdown runs"
    RACING = "racing", "a race runs"
    RESULTS = "results", "a race has ended; the first `ready` or `configure` reopens the lobby"


class RacerState(Described):
    """State of a racer in a race."""

    PLAYING = "playing", "is playing"
    WON = "won", "has removed all four runs; the game is over"
    FORFEITED = "forfeited", "has forfeited; `undo` undoes it within 10 seconds"
    UNFINISHED = "unfinished", "was still playing when the race ended; only in results"


class LeaveReason(Described):
    """Why a member left the room."""

    LEFT = "left", "by `leave`"
    KICKED = "kicked", "removed by the host; cannot enter again"
    EXPIRED = "expired", "disconnected for too long"


class CancelReason(Described):
    """Why a countdown was cancelled."""

    BY_HOST = "by_host", "by `cancel_countdown`"
    NOBODY_READY = "nobody_ready", "no member was ready at its end"


class StandingsMode(Described):
    """Form in which a client wants the live standings."""

    WHOLE = "whole", "whole `standings`"
    CHANGES = "changes", "changes to the last `standings`, if the server has them; otherwise whole ones"


class LeaderboardKind(Described):
    """What a leaderboard orders won games by."""

    TIME = "time", "race time in ms, shortest first"
    SCORE = "score", "score, highest first"
    MOVES = "moves", "number of moves, fewest first"


class Settings(Struct, frozen=True):
    """Settings of a room. Every field has a default, so `{}` is a complete set of settings."""

    ranking: Annotated[Ranking, Meta(description="what decides the ranks")] = Ranking.TIME
    suits: Annotated[
        int, Meta(ge=1, le=4, description="suits of a random deal: 1, 2 or 4; a named deal has its own")
    ] = 1
    winnable: Annotated[bool, Meta(description="whether a random deal is one that can be won")] = True
    start_mode: Annotated[StartMode, Meta(description="who starts a race")] = StartMode.HOST
    countdown_s: Annotated[
        int, Meta(ge=0, le=limits.COUNTDOWN_SECONDS, description="length of the countdown in seconds")
    ] = 5
    time_limit_s: Annotated[
        int, Meta(ge=1, le=limits.TIME_LIMIT_SECONDS, description="longest duration of a race in seconds")
    ] = 1800
    max_members: Annotated[
        int, Meta(ge=1, le=limits.ROOM_MEMBERS, description="most members of the room, spectators included")
    ] = 50
    live_boards: Annotated[bool, Meta(description="whether spectators can get boards during a race")] = False


class Member(Struct, frozen=True):
    """A member of a room."""

    player: PlayerId
    name: Annotated[str, Meta(description="name for people; unique in the room: equal names get a suffix")]
    ready: Annotated[bool, Meta(description="whether the member takes part in the next race")]
    spectator: Annotated[bool, Meta(description="whether the member entered to watch; `ready` ends that")]
    connected: Annotated[
        bool, Meta(description="whether the member has a connection; without, the seat is kept")
    ]


class StandingsRow(Struct, frozen=True, omit_defaults=True):
    """One racer's row of the live standings."""

    player: PlayerId
    rank: Annotated[int, Meta(description="rank from 1; equal rows have equal ranks")]
    score: Score
    moves: Moves
    runs: Runs
    progress: Progress
    state: Annotated[RacerState, Meta(description="state of the racer")] = RacerState.PLAYING
    at_ms: Annotated[int, Meta(description="race time of the winning move; absent unless won")] | None = None


class Result(Struct, frozen=True, omit_defaults=True):
    """One racer's row of the results. Equal results have equal ranks: 1, 2, 2, 4."""

    player: PlayerId
    name: Annotated[str, Meta(description="name in the room")]
    rank: Annotated[int, Meta(description="rank from 1; equal results have equal ranks")]
    state: Annotated[RacerState, Meta(description="state of the racer at the end")]
    score: Score
    moves: Moves
    runs: Runs
    reached_ms: Annotated[
        int, Meta(description="race time of the last action that changed the board; for a winner, of the win")
    ]
    inactive: Annotated[
        bool, Meta(description="whether the racer was disconnected or idle at the end: ranked like a forfeit")
    ] = False


class RaceView(Struct, frozen=True):
    """The running race, as a member who enters the room receives it."""

    race: RaceNumber
    code: GameCode
    columns: Columns
    racers: Annotated[list[str], Meta(description="player ids of all racers")]
    elapsed_ms: Annotated[int, Meta(description="race time at the message's `clock_ms`")]
    time_limit_ms: TimeLimitMs


class GameView(Struct, frozen=True):
    """A racer's game as the server has it."""

    n: Annotated[
        int, Meta(description="number of the last accepted action, or 0; the next action has `n` + 1")
    ]
    columns: Columns
    score: Score
    moves: Moves
    runs: Runs
    undoable: Undoable
    state: Annotated[RacerState, Meta(description="state of the racer")]


class LeaderboardRow(Struct, frozen=True):
    """One row of a leaderboard."""

    rank: Annotated[int, Meta(description="rank from 1; equal values have equal ranks")]
    player: PlayerId
    name: Annotated[str, Meta(description="name of the player in that race")]
    value: Annotated[int, Meta(description="race time in ms, score or number of moves")]
    race_id: Annotated[str, Meta(description="code of the room and number of the race, as `BKMRT/1`")]


class LeaderboardTable(Struct, frozen=True):
    """One leaderboard of a game code."""

    kind: Annotated[LeaderboardKind, Meta(description="what orders the leaderboard")]
    rows: Annotated[list[LeaderboardRow], Meta(description="best first")]

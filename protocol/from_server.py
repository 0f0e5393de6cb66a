"""Messages from the server to a client: one class for each, tagged by `type`.

Answers and messages that can come at any time are defined here; events of a room are defined in
`protocol.room_events` and importable from here too. `clock_ms` is one clock for all servers: only differences
between two samples have a meaning.
"""

from msgspec import field

from protocol.parts import (
    GameView,
    LeaderboardTable,
    Member,
    Phase,
    RacerState,
    RaceView,
    Result,
    Settings,
    StandingsRow,
)
from protocol.record import FinishedRace
from protocol.room_events import (
    ChatMessage,
    Configured,
    CountdownCancelled,
    CountdownStarted,
    Event,
    HostChanged,
    LobbyOpened,
    LockChanged,
    MemberDisconnected,
    MemberJoined,
    MemberLeft,
    MemberReconnected,
    Message,
    RaceEnded,
    RacerForfeited,
    RacerForfeitUndone,
    RacerWon,
    RaceStarted,
    ReadyChanged,
    RoomEvent,
)

__all__ = [
    "Accepted",
    "Board",
    "ChatMessage",
    "Configured",
    "CountdownCancelled",
    "CountdownStarted",
    "Done",
    "Error",
    "Event",
    "FromServer",
    "Game",
    "HostChanged",
    "Leaderboard",
    "LobbyOpened",
    "LockChanged",
    "MemberDisconnected",
    "MemberJoined",
    "MemberLeft",
    "MemberReconnected",
    "Message",
    "Notice",
    "Pong",
    "RaceEnded",
    "RaceStarted",
    "RacerForfeitUndone",
    "RacerForfeited",
    "RacerWon",
    "ReadyChanged",
    "RecordSent",
    "Refused",
    "Resumed",
    "Room",
    "RoomEvent",
    "Standings",
    "Welcome",
]


class Welcome(Message, frozen=True, kw_only=True, tag="welcome"):
    """The answer to `hello`. `token` comes only with a new identity, and only once: the client keeps it."""

    ref: int = 0
    protocol: int
    server: str
    player: str
    token: str | None = None
    name: str
    clock_ms: int


class Pong(Message, frozen=True, kw_only=True, tag="pong"):
    """The answer to `ping`."""

    ref: int = 0
    clock_ms: int


class Done(Message, frozen=True, kw_only=True, tag="done"):
    """The answer to a request that has no other: it was carried out and stored."""

    ref: int = 0


class Error(Message, frozen=True, kw_only=True, tag="error"):
    """A message was not carried out, and nothing changed. It echoes what it answers, as far as readable."""

    ref: int = 0
    request: str | None = None
    race: int | None = None
    n: int | None = None
    code: str
    text: str
    temporary: bool = False
    retry_in_ms: int | None = None


class Notice(Message, frozen=True, kw_only=True, tag="notice"):
    """A notice for people, sent at any time. `code` is one of `NoticeCode`."""

    code: str
    text: str
    retry_in_ms: int | None = None
    remaining_ms: int | None = None


class Room(Message, frozen=True, kw_only=True, tag="room"):
    """A snapshot of the room: the answer to `create` and `join`. It replaces what the client knew.

    `game` is there for a racer of the running race, `starts_in_ms` in a countdown, `results` after a race.
    """

    ref: int = 0
    seq: int
    clock_ms: int
    room: str
    you: str
    host: str
    owner: str
    phase: Phase
    settings: Settings
    locked: bool
    has_password: bool
    named_code: bool
    races: int
    members: list[Member]
    starts_in_ms: int | None = None
    current_race: RaceView | None = None
    game: GameView | None = None
    results: list[Result] | None = None


class Resumed(Message, frozen=True, kw_only=True, tag="resumed"):
    """The answer to `join` with `seen`. The missed events follow in order, up to `seq`."""

    ref: int = 0
    seq: int
    clock_ms: int
    game: GameView | None = None


class Accepted(Message, frozen=True, kw_only=True, gc=False, tag="accepted"):
    """Action `n` of race `race` is stored. Score, moves and runs are those after it.

    `from`, `to` and `cards` say which cards moved: for `undo`, the move that was undone. `run` is the suit of
    the king-to-ace run that left the table with this move (for `undo`: that came back). A `restart` has none
    of them: the board is the deal again.
    """

    race: int
    n: int
    at_ms: int
    score: int
    moves: int
    runs: int
    undoable: int
    source: int | None = field(name="from", default=None)
    target: int | None = field(name="to", default=None)
    cards: int | None = None
    run: str | None = None
    state: RacerState = RacerState.PLAYING


class Refused(Message, frozen=True, kw_only=True, tag="refused"):
    """Action `n` of race `race` was not carried out, and nothing changed. The next number is `expected`.

    `expected` is 0 if the client has no game in that race. After `busy`, send the action again in
    `retry_in_ms`; every later action of that race counts as refused, too.
    """

    race: int
    n: int
    expected: int
    code: str
    text: str
    retry_in_ms: int | None = None


class Game(Message, frozen=True, kw_only=True, tag="game"):
    """The client's own game as the server has it: the answer to `get_game`."""

    ref: int = 0
    race: int
    game: GameView


class Board(Message, frozen=True, kw_only=True, tag="board"):
    """A racer's board: the answer to `get_board`."""

    ref: int = 0
    race: int
    player: str
    game: GameView


class Standings(Message, frozen=True, kw_only=True, tag="standings"):
    """The live standings, best first. A newer message replaces an older one.

    In a race of more than 40 racers there are only the first ten rows and those around the client's own, each
    with its rank, and `racer_count`.
    """

    race: int
    elapsed_ms: int
    rows: list[StandingsRow]
    racer_count: int | None = None


class Leaderboard(Message, frozen=True, kw_only=True, tag="leaderboard"):
    """The leaderboards of a game code, one for each kind: won games only."""

    ref: int = 0
    code: str
    leaderboards: list[LeaderboardTable]


class RecordSent(Message, frozen=True, kw_only=True, tag="record"):
    """The record of a finished race: the answer to `get_record`."""

    ref: int = 0
    record: FinishedRace


FromServer = (
    Welcome
    | Pong
    | Done
    | Error
    | Notice
    | Room
    | Resumed
    | RoomEvent
    | Accepted
    | Refused
    | Game
    | Board
    | Standings
    | Leaderboard
    | RecordSent
)

"""Everything that the server says to a client: one class a message, tagged by `type`.

Here are the answers, and what is told at any time; the events of a room are in `protocol.room_events`, and
have their names here too. All clocks and durations are milliseconds; `clock` is the one clock of all servers,
to be used only for differences.
"""

from msgspec import field

from protocol.parts import GameView, Person, Phase, RacerState, RaceView, Result, Row, Settings, Standing
from protocol.record import FinishedRace
from protocol.room_events import (
    Configured,
    CountdownStarted,
    CountdownStopped,
    Event,
    HostChanged,
    LobbyOpened,
    LockChanged,
    Message,
    PersonAway,
    PersonBack,
    PersonJoined,
    PersonLeft,
    RaceOver,
    RacerForfeited,
    RacerReturned,
    RacerWon,
    RaceStarted,
    ReadyChanged,
    RoomEvent,
    Said,
)

__all__ = [
    "Accepted",
    "Board",
    "Configured",
    "CountdownStarted",
    "CountdownStopped",
    "Done",
    "Error",
    "Event",
    "FromServer",
    "Game",
    "HostChanged",
    "Leaderboard",
    "LobbyOpened",
    "LockChanged",
    "Message",
    "Notice",
    "PersonAway",
    "PersonBack",
    "PersonJoined",
    "PersonLeft",
    "Pong",
    "RaceOver",
    "RaceStarted",
    "RacerForfeited",
    "RacerReturned",
    "RacerWon",
    "ReadyChanged",
    "RecordSent",
    "Refused",
    "Resumed",
    "Room",
    "RoomEvent",
    "Said",
    "Standings",
    "Welcome",
]


class Welcome(Message, frozen=True, kw_only=True, tag="welcome"):
    """The answer to `hello`. `token` comes only with a new identity: keep both, they are shown once."""

    ref: int = 0
    protocol: int
    server: str
    player: str
    token: str | None = None
    name: str
    clock: int


class Pong(Message, frozen=True, kw_only=True, tag="pong"):
    """The answer to `ping`."""

    ref: int = 0
    clock: int


class Done(Message, frozen=True, kw_only=True, tag="done"):
    """A request without an answer of its own was carried out and is remembered."""

    ref: int = 0


class Error(Message, frozen=True, kw_only=True, tag="error"):
    """A request was not carried out; nothing has changed. `temporary`: the same may work later."""

    ref: int = 0
    code: str
    text: str
    temporary: bool = False


class Notice(Message, frozen=True, kw_only=True, tag="notice"):
    """Something to tell people: `code` is one of `NoticeCode`, `seconds` what it counts."""

    code: str
    text: str
    seconds: float | None = None


class Room(Message, frozen=True, kw_only=True, tag="room"):
    """The whole room: the answer to `create` and `join`; it replaces whatever the client knew.

    `game` is there for a racer of the running race, `starts_in` during a countdown, `results` after a race.
    """

    ref: int = 0
    seq: int
    clock: int
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
    people: list[Person]
    starts_in: int | None = None
    race: RaceView | None = None
    game: GameView | None = None
    results: list[Result] | None = None


class Resumed(Message, frozen=True, kw_only=True, tag="resumed"):
    """The answer to `join` with `seen`: the missed events follow, in order, up to `seq`."""

    ref: int = 0
    seq: int
    clock: int
    game: GameView | None = None


class Accepted(Message, frozen=True, kw_only=True, gc=False, tag="accepted"):
    """Action `n` is remembered. `at` is its time in ms since the start; the numbers are those after it.

    `from`, `to` and `count` say which cards went: for `undo`, the move that was taken back. `run` is the
    suit of the king-to-ace run that left the table with this move (for `undo`: that came back). A `restart`
    has none of them: the board is the deal again.
    """

    n: int
    at: int
    score: int
    moves: int
    runs: int
    undoable: int
    source: int | None = field(name="from", default=None)
    target: int | None = field(name="to", default=None)
    count: int | None = None
    run: str | None = None
    state: RacerState = RacerState.PLAYING


class Refused(Message, frozen=True, kw_only=True, tag="refused"):
    """Action `n` was not accepted and nothing has changed; the next number is `expected`.

    It is 0 for somebody who has no game at all.
    """

    n: int
    expected: int
    code: str
    text: str


class Game(Message, frozen=True, kw_only=True, tag="game"):
    """One's own game as the server has it: the answer to `get_game`."""

    ref: int = 0
    race: int
    game: GameView


class Board(Message, frozen=True, kw_only=True, tag="board"):
    """Somebody's board: the answer to `show_board`."""

    ref: int = 0
    race: int
    player: str
    game: GameView


class Standings(Message, frozen=True, kw_only=True, tag="standings"):
    """The live standings, best first; a newer one replaces an older.

    In a race of more than 40 they are the first ten and the rows around one's own, each with its rank, and
    `racers` tells how many there are in all.
    """

    race: int
    elapsed: int
    rows: list[Standing]
    racers: int | None = None


class Leaderboard(Message, frozen=True, kw_only=True, tag="leaderboard"):
    """The leaderboards of a game code: times in ms, scores, move counts of won games."""

    ref: int = 0
    code: str
    by_time: list[Row]
    by_score: list[Row]
    by_moves: list[Row]


class RecordSent(Message, frozen=True, kw_only=True, tag="record"):
    """Everything about a finished race: the answer to `get_record`."""

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

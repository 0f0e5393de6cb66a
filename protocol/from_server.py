"""Everything that the server says to a client: one class a message, tagged by `type`.

Messages with `seq` are events of a room, in order; a client gives the last one it saw to come back
without loss. Numbers may be skipped: the log has entries that are not for everybody. All clocks and
durations are milliseconds; `clock` is the one clock of all servers, to be used only for differences.
"""

from msgspec import Struct, field

from protocol.parts import (
    Columns,
    GameView,
    LeaveReason,
    Person,
    Phase,
    RacerState,
    RaceView,
    Result,
    Row,
    Settings,
    Standing,
    StopReason,
)
from protocol.record import FinishedRace


class Message(Struct, frozen=True, tag_field="type", kw_only=True, omit_defaults=True):
    """What all messages of the server share: the tag."""


class Event(Message, frozen=True, kw_only=True):
    """What all events of a room share: their place in its log."""

    seq: int


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


class PersonJoined(Event, frozen=True, kw_only=True, tag="person_joined"):
    """Somebody new is in the room."""

    person: Person


class PersonLeft(Event, frozen=True, kw_only=True, tag="person_left"):
    """Somebody is no longer in the room."""

    player: str
    reason: LeaveReason


class PersonAway(Event, frozen=True, kw_only=True, tag="person_away"):
    """Somebody lost the connection; the seat is kept."""

    player: str


class PersonBack(Event, frozen=True, kw_only=True, tag="person_back"):
    """Somebody who was away is back."""

    player: str


class ReadyChanged(Event, frozen=True, kw_only=True, tag="ready_changed"):
    """Somebody is ready for the next race, or is not any more."""

    player: str
    ready: bool


class Configured(Event, frozen=True, kw_only=True, tag="configured"):
    """The settings of the room are these now."""

    settings: Settings
    named_code: bool


class LockChanged(Event, frozen=True, kw_only=True, tag="lock_changed"):
    """The room was locked or opened."""

    locked: bool


class HostChanged(Event, frozen=True, kw_only=True, tag="host_changed"):
    """Somebody else is the host now."""

    player: str


class Said(Event, frozen=True, kw_only=True, tag="said"):
    """Somebody said a line."""

    player: str
    text: str


class CountdownStarted(Event, frozen=True, kw_only=True, tag="countdown_started"):
    """A race starts in `starts_in` milliseconds from `clock`."""

    race: int
    starts_in: int
    clock: int


class CountdownStopped(Event, frozen=True, kw_only=True, tag="countdown_stopped"):
    """The countdown ended without a race."""

    reason: StopReason


class RaceStarted(Event, frozen=True, kw_only=True, tag="race_started"):
    """The race runs: here is the deal. `elapsed` is what has passed since the start at `clock`."""

    race: int
    code: str
    columns: Columns
    racers: list[str]
    time_limit: int
    elapsed: int
    clock: int


class RacerWon(Event, frozen=True, kw_only=True, tag="racer_won"):
    """A racer has won in `elapsed` milliseconds."""

    player: str
    elapsed: int
    score: int
    moves: int


class RacerForfeited(Event, frozen=True, kw_only=True, tag="racer_forfeited"):
    """A racer has given up."""

    player: str


class RacerReturned(Event, frozen=True, kw_only=True, tag="racer_returned"):
    """A racer has taken the forfeit back."""

    player: str


class RaceOver(Event, frozen=True, kw_only=True, tag="race_over"):
    """The race is over; these are its final results."""

    race: int
    code: str
    results: list[Result]


class LobbyOpened(Event, frozen=True, kw_only=True, tag="lobby_opened"):
    """The room makes ready for the next race."""


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


RoomEvent = (
    PersonJoined
    | PersonLeft
    | PersonAway
    | PersonBack
    | ReadyChanged
    | Configured
    | LockChanged
    | HostChanged
    | Said
    | CountdownStarted
    | CountdownStopped
    | RaceStarted
    | RacerWon
    | RacerForfeited
    | RacerReturned
    | RaceOver
    | LobbyOpened
)
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

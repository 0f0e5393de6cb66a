"""Commands to a room, from members and from the server."""

from dataclasses import dataclass

from protocol.from_client import RoomRequest
from protocol.parts import Result, Settings


@dataclass(frozen=True, slots=True)
class OpenRoom:
    """Create the room, with its owner in it. Settings and code have been checked."""

    player: str
    name: str
    node: str
    settings: Settings
    code: str | None
    password: str | None


@dataclass(frozen=True, slots=True)
class JoinRoom:
    """Enter the room, or return to it; `password` is the hash of the one given."""

    player: str
    name: str
    node: str
    spectate: bool
    password: str | None


@dataclass(frozen=True, slots=True)
class Reconnect:
    """Mark a member as connected to a node although the room lists them as disconnected."""

    player: str
    node: str


@dataclass(frozen=True, slots=True)
class Disconnect:
    """Mark a member as disconnected after their connection to a node ended."""

    player: str
    node: str


@dataclass(frozen=True, slots=True)
class DisconnectNodes:
    """Mark as disconnected the members whose connections dead nodes held."""

    nodes: frozenset[str]


@dataclass(frozen=True, slots=True)
class LeaveRoom:
    """Give up a member's seat."""

    player: str


@dataclass(frozen=True, slots=True)
class MemberRequest:
    """Carry out a member's request; `code` is the checked game code of a `configure`."""

    player: str
    node: str
    request: RoomRequest
    code: str | None = None


@dataclass(frozen=True, slots=True)
class Tick:
    """Apply the rules that depend only on time: hand over the host, expire seats, start a countdown."""


@dataclass(frozen=True, slots=True)
class StartRace:
    """Start the race on the deal of this code, after the countdown."""

    code: str


@dataclass(frozen=True, slots=True)
class Win:
    """Record a racer's win, `at_ms` after the start of the race."""

    player: str
    race: int
    at_ms: int
    score: int
    moves: int


@dataclass(frozen=True, slots=True)
class Forfeit:
    """Record a racer's forfeit."""

    player: str
    race: int


@dataclass(frozen=True, slots=True)
class UndoForfeit:
    """Undo a racer's forfeit."""

    player: str
    race: int


@dataclass(frozen=True, slots=True)
class EndRace:
    """End the race; the results were computed from all racers' logs."""

    race: int
    results: tuple[Result, ...]


Command = (
    OpenRoom
    | JoinRoom
    | Reconnect
    | Disconnect
    | DisconnectNodes
    | LeaveRoom
    | MemberRequest
    | Tick
    | StartRace
    | Win
    | Forfeit
    | UndoForfeit
    | EndRace
)

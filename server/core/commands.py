"""What a room can be asked to do, by people and by the server itself."""

from dataclasses import dataclass

from protocol.from_client import RoomRequest
from protocol.parts import Result, Settings


@dataclass(frozen=True, slots=True)
class Open:
    """Create the room, with its owner in it. The request's settings and code were checked."""

    player: str
    name: str
    node: str
    settings: Settings
    code: str | None
    password: str | None


@dataclass(frozen=True, slots=True)
class Enter:
    """Somebody comes in, or back; `password` is the hash of what they gave."""

    player: str
    name: str
    node: str
    watch: bool
    password: str | None


@dataclass(frozen=True, slots=True)
class Return:
    """A member who was taken for gone is connected to a node all the same."""

    player: str
    node: str


@dataclass(frozen=True, slots=True)
class Drop:
    """Somebody's connection on a node ended."""

    player: str
    node: str


@dataclass(frozen=True, slots=True)
class DropNodes:
    """These nodes are gone, and with them every connection that they held."""

    nodes: frozenset[str]


@dataclass(frozen=True, slots=True)
class Depart:
    """Somebody gives up the seat."""

    player: str


@dataclass(frozen=True, slots=True)
class Ask:
    """A member's request to the room; `code` is the game code of a `configure`, checked and in form."""

    player: str
    node: str
    request: RoomRequest
    code: str | None = None


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed: do what waiting alone brings about."""


@dataclass(frozen=True, slots=True)
class Begin:
    """The countdown is over: start the race on the deal of this code."""

    code: str


@dataclass(frozen=True, slots=True)
class Win:
    """A racer's move was the winning one."""

    player: str
    race: int
    elapsed: int
    score: int
    moves: int


@dataclass(frozen=True, slots=True)
class GiveUp:
    """A racer forfeits."""

    player: str
    race: int


@dataclass(frozen=True, slots=True)
class TakeBack:
    """A racer takes the forfeit back."""

    player: str
    race: int


@dataclass(frozen=True, slots=True)
class Close:
    """The race is over; the results were computed from everybody's log."""

    race: int
    results: tuple[Result, ...]


Command = (
    Open | Enter | Return | Drop | DropNodes | Depart | Ask | Tick | Begin | Win | GiveUp | TakeBack | Close
)

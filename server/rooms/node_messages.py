"""Messages between nodes: a fast path to another node's inbox that may lose some."""

from typing import Final

import msgspec
from msgspec import Struct

from engine.ranking import Status
from protocol.parts import RacerState
from server.core.play import status_of


class RacerProgress(Struct, frozen=True, array_like=True, gc=False):
    """How far a racer's committed game has come; times are race times."""

    player: str
    n: int
    state: RacerState
    score: int
    moves: int
    runs: int
    reached_ms: int
    at_ms: int
    progress: int

    @property
    def status(self) -> Status:
        """Class in which the racer is ranked; absent or idle racers are recognized only in the results."""
        return status_of(self.state)


class RoomLogGrew(Struct, frozen=True, array_like=True, tag="room_log_grew"):
    """A room's log has this length now; a node that is behind reads it."""

    room: str
    length: int


class RaceProgressed(Struct, frozen=True, array_like=True, tag="race_progressed"):
    """Progress of some racers; the highest `n` of a racer counts.

    With `rolled_back` it counts even if it is less than before: the store has lost some of it.
    """

    room: str
    race: int
    rows: tuple[RacerProgress, ...]
    rolled_back: bool = False


class LeaderboardChanged(Struct, frozen=True, array_like=True, tag="leaderboard_changed"):
    """The leaderboards of a game code have changed."""

    code: str


NodeMessage = RoomLogGrew | RaceProgressed | LeaderboardChanged

_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder[NodeMessage](NodeMessage)


def to_bytes(message: NodeMessage) -> bytes:
    """Encode a message for an inbox."""
    return _ENCODER.encode(message)


def from_bytes(payload: bytes) -> NodeMessage:
    """Decode a message from an inbox. Raises msgspec.DecodeError."""
    return _DECODER.decode(payload)

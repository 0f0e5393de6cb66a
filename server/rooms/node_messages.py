"""What nodes tell each other: small messages to a node's inbox, a fast path that may lose some."""

from typing import Final

import msgspec
from msgspec import Struct

from engine.ranking import Status
from protocol.parts import RacerState
from server.core.play import status_of


class Progress(Struct, frozen=True, array_like=True, gc=False):
    """How far a racer's remembered game has come; `at` and `reached_ms` are race times."""

    player: str
    n: int
    state: RacerState
    score: int
    moves: int
    runs: int
    reached_ms: int
    at: int
    progress: int

    @property
    def status(self) -> Status:
        """Class in which the racer is ranked; absent or idle racers are told apart only in the results."""
        return status_of(self.state)


class RoomGrew(Struct, frozen=True, array_like=True, tag="room"):
    """A room's log has this length now: whoever is behind reads it."""

    room: str
    length: int


class RacersWent(Struct, frozen=True, array_like=True, tag="race"):
    """Some racers of a race have gone on; the latest news of a racer counts.

    `anew` tells that the store has lost some of what was told of them before.
    """

    room: str
    race: int
    rows: tuple[Progress, ...]
    anew: bool = False


class BoardChanged(Struct, frozen=True, array_like=True, tag="board"):
    """The leaderboards of a game code have changed."""

    code: str


News = RoomGrew | RacersWent | BoardChanged

_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder[News](News)


def to_bytes(news: News) -> bytes:
    """Encode news for an inbox."""
    return _ENCODER.encode(news)


def from_bytes(payload: bytes) -> News:
    """Decode what came to an inbox. Raises msgspec.DecodeError."""
    return _DECODER.decode(payload)

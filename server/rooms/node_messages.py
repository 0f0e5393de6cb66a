"""What nodes tell each other: small messages to a node's inbox, a fast path that may lose some."""

from typing import Final

import msgspec
from msgspec import Struct

from protocol.parts import RacerState

_WON: Final = RacerState.WON


class Progress(Struct, frozen=True, array_like=True, gc=False):
    """How far a racer's remembered game has come; `at` and `reached` in ms since the start of the race."""

    player: str
    n: int
    state: RacerState
    score: int
    moves: int
    runs: int
    reached_ms: int
    at: int
    joined: int

    @property
    def won(self) -> bool:
        """Whether the game is won."""
        return self.state is _WON


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

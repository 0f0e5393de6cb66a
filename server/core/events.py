"""What has happened in a room: the entries of its log. State is a fold over them (`server.core.room`).

Stored as MessagePack arrays with a short tag. A new field goes to the end and has a default, so that
logs written by an older server can be read. All times are milliseconds on the store's clock.
"""

from typing import Final

import msgspec
from msgspec import Struct

from protocol.parts import LeaveReason, Result, Settings, StopReason


class _Event(Struct, frozen=True, array_like=True):
    at: int


class Opened(_Event, frozen=True, tag="open"):
    """The room was created. `password` is a hash, `code` the deal that the owner named."""

    owner: str
    settings: Settings
    password: str | None
    code: str | None


class Joined(_Event, frozen=True, tag="join"):
    """Somebody new came in; `node` holds the connection."""

    player: str
    name: str
    node: str
    watching: bool


class Left(_Event, frozen=True, tag="left"):
    """Somebody gave up the seat, or lost it."""

    player: str
    reason: LeaveReason


class WentAway(_Event, frozen=True, tag="away"):
    """Somebody's connection ended; the seat is kept for a while."""

    player: str


class CameBack(_Event, frozen=True, tag="back"):
    """Somebody connected again, perhaps to another node."""

    player: str
    node: str


class ReadySet(_Event, frozen=True, tag="ready"):
    """Somebody is ready for the next race, or not."""

    player: str
    ready: bool


class SettingsSet(_Event, frozen=True, tag="set"):
    """The host replaced the settings; `code` names the deal of the next race."""

    settings: Settings
    code: str | None


class LockSet(_Event, frozen=True, tag="lock"):
    """The room was locked or opened."""

    locked: bool


class HostSet(_Event, frozen=True, tag="host"):
    """Somebody else is the host."""

    player: str


class Spoke(_Event, frozen=True, tag="say"):
    """Somebody said a line."""

    player: str
    text: str


class CountdownBegan(_Event, frozen=True, tag="count"):
    """Race number `race` starts at `starts_at`; `node` draws the deal."""

    race: int
    starts_at: int
    node: str


class CountdownEnded(_Event, frozen=True, tag="stop"):
    """The countdown ended without a race."""

    reason: StopReason


class Started(_Event, frozen=True, tag="race"):
    """The race began at `at`, on the deal of `code`; `racers` are (player, name)."""

    race: int
    code: str
    time_limit_ms: int
    racers: tuple[tuple[str, str], ...]


class Won(_Event, frozen=True, tag="won"):
    """A racer won, `elapsed` ms after the start."""

    player: str
    elapsed: int
    score: int
    moves: int


class GaveUp(_Event, frozen=True, tag="quit"):
    """A racer forfeited."""

    player: str


class TookBack(_Event, frozen=True, tag="unquit"):
    """A racer took the forfeit back in time."""

    player: str


class Ended(_Event, frozen=True, tag="end"):
    """The race is over, with its final results, best first."""

    race: int
    code: str
    results: tuple[Result, ...]


class LobbyReopened(_Event, frozen=True, tag="lobby"):
    """The room left the results behind and makes ready for the next race."""


Event = (
    Opened
    | Joined
    | Left
    | WentAway
    | CameBack
    | ReadySet
    | SettingsSet
    | LockSet
    | HostSet
    | Spoke
    | CountdownBegan
    | CountdownEnded
    | Started
    | Won
    | GaveUp
    | TookBack
    | Ended
    | LobbyReopened
)

_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder[Event](Event)


def to_bytes(event: Event) -> bytes:
    """Encode an event for the log."""
    return _ENCODER.encode(event)


def from_bytes(entry: bytes) -> Event:
    """Decode an entry of a room's log."""
    return _DECODER.decode(entry)

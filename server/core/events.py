"""Events of a room: the entries of its log. A room's state is a fold over them (`server.core.room`).

An event has the name of the message that members receive for it, if there is one. It is stored as a
MessagePack array with that tag. A new field goes to the end and has a default, so that logs of an older
server can be read. Times are milliseconds on the clock that all servers share.
"""

from typing import Final

import msgspec
from msgspec import Struct

from protocol.parts import CancelReason, LeaveReason, Result, Settings


class _Event(Struct, frozen=True, array_like=True):
    clock_ms: int


class RoomOpened(_Event, frozen=True, tag="room_opened"):
    """The owner created the room. `password` is a hash; `code` is the deal that the owner named."""

    owner: str
    settings: Settings
    password: str | None
    code: str | None


class MemberJoined(_Event, frozen=True, tag="member_joined"):
    """A new member entered; `node` holds the connection."""

    player: str
    name: str
    node: str
    spectator: bool


class MemberLeft(_Event, frozen=True, tag="member_left"):
    """A member gave up the seat, or lost it."""

    player: str
    reason: LeaveReason


class MemberDisconnected(_Event, frozen=True, tag="member_disconnected"):
    """A member lost the connection; the seat is kept for a while."""

    player: str


class MemberReconnected(_Event, frozen=True, tag="member_reconnected"):
    """A member connected again, perhaps to another node."""

    player: str
    node: str


class ReadyChanged(_Event, frozen=True, tag="ready_changed"):
    """A member is ready for the next race, or no longer is."""

    player: str
    ready: bool


class Configured(_Event, frozen=True, tag="configured"):
    """The host replaced the settings; `code` names the deal of the next race."""

    settings: Settings
    code: str | None


class LockChanged(_Event, frozen=True, tag="lock_changed"):
    """The host locked or unlocked the room."""

    locked: bool


class HostChanged(_Event, frozen=True, tag="host_changed"):
    """Another member became the host."""

    player: str


class ChatMessage(_Event, frozen=True, tag="chat_message"):
    """A member sent a line of chat."""

    player: str
    text: str


class CountdownStarted(_Event, frozen=True, tag="countdown_started"):
    """Race number `race` starts at `starts_at`; `node` draws the deal."""

    race: int
    starts_at_ms: int
    node: str


class CountdownCancelled(_Event, frozen=True, tag="countdown_cancelled"):
    """The countdown was cancelled; no race starts."""

    reason: CancelReason


class RaceStarted(_Event, frozen=True, tag="race_started"):
    """The race started on the deal of `code`; `racers` are pairs of player id and name."""

    race: int
    code: str
    time_limit_ms: int
    racers: tuple[tuple[str, str], ...]


class RacerWon(_Event, frozen=True, tag="racer_won"):
    """A racer won, `at_ms` after the start of the race."""

    player: str
    at_ms: int
    score: int
    moves: int


class RacerForfeited(_Event, frozen=True, tag="racer_forfeited"):
    """A racer forfeited."""

    player: str


class RacerForfeitUndone(_Event, frozen=True, tag="racer_forfeit_undone"):
    """A racer undid the forfeit in time."""

    player: str


class RaceEnded(_Event, frozen=True, tag="race_ended"):
    """The race ended, with its final results, best first."""

    race: int
    code: str
    results: tuple[Result, ...]


class LobbyOpened(_Event, frozen=True, tag="lobby_opened"):
    """The room returned to the lobby for the next race."""


Event = (
    RoomOpened
    | MemberJoined
    | MemberLeft
    | MemberDisconnected
    | MemberReconnected
    | ReadyChanged
    | Configured
    | LockChanged
    | HostChanged
    | ChatMessage
    | CountdownStarted
    | CountdownCancelled
    | RaceStarted
    | RacerWon
    | RacerForfeited
    | RacerForfeitUndone
    | RaceEnded
    | LobbyOpened
)

_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder[Event](Event)


def to_bytes(event: Event) -> bytes:
    """Encode an event for the log."""
    return _ENCODER.encode(event)


def from_bytes(entry: bytes) -> Event:
    """Decode an entry of a room's log."""
    return _DECODER.decode(entry)

"""Events of a room: one class for each, tagged by `type`.

Every event has a `seq`. A client that returns names the last one it received and gets those after it. Numbers
may be skipped, because the room's log has entries that are not sent to members.
"""

from msgspec import Struct

from protocol.parts import CancelReason, Columns, LeaveReason, Member, Result, Settings


class Message(Struct, frozen=True, tag_field="type", kw_only=True, omit_defaults=True):
    """Base of all messages from the server."""


class Event(Message, frozen=True, kw_only=True):
    """Base of all events of a room: the place in the room's log."""

    seq: int


class MemberJoined(Event, frozen=True, kw_only=True, tag="member_joined"):
    """A new member entered the room."""

    member: Member


class MemberLeft(Event, frozen=True, kw_only=True, tag="member_left"):
    """A member left the room."""

    player: str
    reason: LeaveReason


class MemberDisconnected(Event, frozen=True, kw_only=True, tag="member_disconnected"):
    """A member lost the connection. The seat is kept."""

    player: str


class MemberReconnected(Event, frozen=True, kw_only=True, tag="member_reconnected"):
    """A member connected again."""

    player: str


class ReadyChanged(Event, frozen=True, kw_only=True, tag="ready_changed"):
    """A member is ready for the next race, or no longer is."""

    player: str
    ready: bool


class Configured(Event, frozen=True, kw_only=True, tag="configured"):
    """The host replaced the settings."""

    settings: Settings
    named_code: bool


class LockChanged(Event, frozen=True, kw_only=True, tag="lock_changed"):
    """The host locked or unlocked the room."""

    locked: bool


class HostChanged(Event, frozen=True, kw_only=True, tag="host_changed"):
    """Another member became the host."""

    player: str


class ChatMessage(Event, frozen=True, kw_only=True, tag="chat_message"):
    """A member sent a line of chat."""

    player: str
    text: str


class CountdownStarted(Event, frozen=True, kw_only=True, tag="countdown_started"):
    """The countdown started: the race starts `starts_in_ms` after `clock_ms`."""

    race: int
    starts_in_ms: int
    clock_ms: int


class CountdownCancelled(Event, frozen=True, kw_only=True, tag="countdown_cancelled"):
    """The countdown was cancelled; no race starts."""

    reason: CancelReason


class RaceStarted(Event, frozen=True, kw_only=True, tag="race_started"):
    """The race started. `elapsed_ms` is the race time at `clock_ms`."""

    race: int
    code: str
    columns: Columns
    racers: list[str]
    time_limit_ms: int
    elapsed_ms: int
    clock_ms: int


class RacerWon(Event, frozen=True, kw_only=True, tag="racer_won"):
    """A racer won, `at_ms` after the start of the race."""

    player: str
    at_ms: int
    score: int
    moves: int


class RacerForfeited(Event, frozen=True, kw_only=True, tag="racer_forfeited"):
    """A racer forfeited."""

    player: str


class RacerForfeitUndone(Event, frozen=True, kw_only=True, tag="racer_forfeit_undone"):
    """A racer undid the forfeit."""

    player: str


class RaceEnded(Event, frozen=True, kw_only=True, tag="race_ended"):
    """The race ended, with its final results."""

    race: int
    code: str
    results: list[Result]


class LobbyOpened(Event, frozen=True, kw_only=True, tag="lobby_opened"):
    """The room returned to the lobby for the next race."""


RoomEvent = (
    MemberJoined
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

"""Events of a room: one class for each, tagged by `type`.

Every event has a `seq`. A client that returns sends the last one that it received and gets those after it.
Numbers can be skipped, because the room's log has entries that are not sent to members.
"""

from typing import Annotated

from msgspec import Meta

from protocol.base import Event
from protocol.fields import (
    AtMs,
    ChatText,
    ClockMs,
    Columns,
    GameCode,
    Moves,
    PlayerId,
    RaceNumber,
    Score,
    TimeLimitMs,
)
from protocol.parts import CancelReason, LeaveReason, Member, Result, Settings


class MemberJoined(Event, frozen=True, kw_only=True, tag="member_joined"):
    """A new member entered the room."""

    when = "event: to everybody else in the room"

    member: Annotated[Member, Meta(description="the new member")]


class MemberLeft(Event, frozen=True, kw_only=True, tag="member_left"):
    """A member left the room."""

    when = "event: to everybody in the room, including the member who left"

    player: PlayerId
    reason: Annotated[LeaveReason, Meta(description="why the member left")]


class MemberDisconnected(Event, frozen=True, kw_only=True, tag="member_disconnected"):
    """A member lost the connection. The seat is kept."""

    player: PlayerId


class MemberReconnected(Event, frozen=True, kw_only=True, tag="member_reconnected"):
    """A member connected again."""

    player: PlayerId


class ReadyChanged(Event, frozen=True, kw_only=True, tag="ready_changed"):
    """A member is ready for the next race, or no longer is."""

    player: PlayerId
    ready: Annotated[bool, Meta(description="whether the member takes part in the next race")]


class Configured(Event, frozen=True, kw_only=True, tag="configured"):
    """The host replaced the settings."""

    settings: Annotated[Settings, Meta(description="all settings of the room")]
    named_code: Annotated[
        bool,
        Meta(description="whether the host named the deal of the next race, which is sent at its start"),
    ]


class LockChanged(Event, frozen=True, kw_only=True, tag="lock_changed"):
    """The host locked or unlocked the room."""

    locked: Annotated[bool, Meta(description="whether new members are kept out")]


class HostChanged(Event, frozen=True, kw_only=True, tag="host_changed"):
    """Another member became the host."""

    player: Annotated[str, Meta(description="player id of the new host")]


class ChatMessage(Event, frozen=True, kw_only=True, tag="chat_message"):
    """A member sent a line of chat."""

    when = "event: to everybody in the room, including the sender"

    player: PlayerId
    text: ChatText


class CountdownStarted(Event, frozen=True, kw_only=True, tag="countdown_started"):
    """The countdown started: the race starts `starts_in_ms` after `clock_ms`."""

    race: RaceNumber
    starts_in_ms: Annotated[int, Meta(description="time until the start, from `clock_ms`")]
    clock_ms: ClockMs


class CountdownCancelled(Event, frozen=True, kw_only=True, tag="countdown_cancelled"):
    """The countdown was cancelled; no race starts."""

    reason: Annotated[CancelReason, Meta(description="why it was cancelled")]


class RaceStarted(Event, frozen=True, kw_only=True, tag="race_started"):
    """The race started. `elapsed_ms` is the race time at `clock_ms`."""

    when = "event: to everybody in the room, at the same instant"

    race: RaceNumber
    code: GameCode
    columns: Columns
    racers: Annotated[list[str], Meta(description="player ids of all racers")]
    time_limit_ms: TimeLimitMs
    elapsed_ms: Annotated[int, Meta(description="race time at `clock_ms`")]
    clock_ms: ClockMs


class RacerWon(Event, frozen=True, kw_only=True, tag="racer_won"):
    """A racer won."""

    player: PlayerId
    at_ms: AtMs
    score: Score
    moves: Moves


class RacerForfeited(Event, frozen=True, kw_only=True, tag="racer_forfeited"):
    """A racer forfeited."""

    player: PlayerId


class RacerForfeitUndone(Event, frozen=True, kw_only=True, tag="racer_forfeit_undone"):
    """A racer undid the forfeit."""

    player: PlayerId


class RaceEnded(Event, frozen=True, kw_only=True, tag="race_ended"):
    """The race ended, with its final results."""

    race: RaceNumber
    code: GameCode
    results: Annotated[list[Result], Meta(description="final results, best first")]


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

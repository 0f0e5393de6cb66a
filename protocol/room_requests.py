"""Requests to a room that can change it; every member receives the event that follows."""

from typing import Annotated

from msgspec import Meta

from protocol import limits
from protocol.answers import Done
from protocol.base import HOST_ERRORS, IN_ROOM_ERRORS, Code, Id, Request
from protocol.errors import ErrorCode as E
from protocol.parts import Settings

_BETWEEN_RACES = "in a room, in the lobby or after a race"


class Ready(Request, frozen=True, kw_only=True, tag="ready"):
    """Set whether the client takes part in the next race."""

    when = "in a room, except during a race"
    answers = (Done,)
    errors = (*IN_ROOM_ERRORS, E.RACE_RUNNING, E.ROOM_LOG_FULL)

    ready: Annotated[bool, Meta(description="whether the client takes part in the next race")] = True


class StartCountdown(Request, frozen=True, kw_only=True, tag="start_countdown"):
    """Start the countdown (host)."""

    when = _BETWEEN_RACES
    answers = (Done,)
    errors = (
        *HOST_ERRORS,
        E.COUNTDOWN_RUNNING,
        E.RACE_RUNNING,
        E.NOBODY_READY,
        E.ROOM_LOG_FULL,
    )


class CancelCountdown(Request, frozen=True, kw_only=True, tag="cancel_countdown"):
    """Cancel the countdown (host)."""

    when = "in a room, during the countdown"
    answers = (Done,)
    errors = (*HOST_ERRORS, E.NO_COUNTDOWN)


class Configure(Request, frozen=True, kw_only=True, tag="configure"):
    """Replace the settings (host; not during a countdown or race). `code` names the deal of the next race."""

    when = _BETWEEN_RACES
    answers = (Done,)
    errors = (
        *HOST_ERRORS,
        E.COUNTDOWN_RUNNING,
        E.RACE_RUNNING,
        E.BAD_SETTINGS,
        E.BAD_CODE,
        E.ROOM_LOG_FULL,
    )

    settings: Annotated[Settings, Meta(description="the new settings; an absent one gets its default")]
    code: Annotated[Code, Meta(description="game code of the next race; absent for a random deal")] | None = (
        None
    )


class Lock(Request, frozen=True, kw_only=True, tag="lock"):
    """Lock or unlock the room for new members (host)."""

    when = "in a room"
    answers = (Done,)
    errors = (*HOST_ERRORS, E.ROOM_LOG_FULL)

    locked: Annotated[bool, Meta(description="whether new members are kept out")] = True


class Kick(Request, frozen=True, kw_only=True, tag="kick"):
    """Remove a member, who cannot enter the room again (host)."""

    when = "in a room"
    answers = (Done,)
    errors = (*HOST_ERRORS, E.CANNOT_TARGET_SELF, E.NO_SUCH_MEMBER)

    player: Annotated[Id, Meta(description="player id of the member to remove")]


class Chat(Request, frozen=True, kw_only=True, tag="chat"):
    """Send a line of text to everybody in the room."""

    when = "in a room"
    answers = (Done,)
    errors = (*IN_ROOM_ERRORS, E.ROOM_LOG_FULL, E.CHAT_LIMIT_REACHED)

    text: Annotated[str, Meta(min_length=1, max_length=limits.CHAT_LENGTH, description="line of text")]


RoomRequest = Ready | StartCountdown | CancelCountdown | Configure | Lock | Kick | Chat

"""Messages from a client to the server: one class for each, tagged by `type`.

Requests about the connection and entering a room are defined here; the changes of a room in
`protocol.room_requests`, the requests that only read in `protocol.queries`, the actions of racers in
`protocol.actions`. All can be imported from here.
"""

from typing import Annotated

from msgspec import Meta

from protocol import limits
from protocol.actions import Action, AnyAction, AutoMove, Forfeit, Move, Restart, Undo
from protocol.answers import Done, Pong, Resumed, Room, Welcome
from protocol.base import IN_ROOM_ERRORS, Code, Id, Password, Request
from protocol.errors import ErrorCode as E
from protocol.fields import RoomCode
from protocol.parts import Settings, StandingsMode
from protocol.queries import (
    GetBoard,
    GetGame,
    GetRecord,
    Query,
    SubscribeLeaderboard,
    UnsubscribeLeaderboard,
)
from protocol.room_requests import (
    CancelCountdown,
    Chat,
    Configure,
    Kick,
    Lock,
    Ready,
    RoomRequest,
    StartCountdown,
)

__all__ = [
    "Action",
    "AnyAction",
    "AutoMove",
    "CancelCountdown",
    "Chat",
    "Configure",
    "Create",
    "Forfeit",
    "FromClient",
    "GetBoard",
    "GetGame",
    "GetRecord",
    "Hello",
    "Join",
    "Kick",
    "Leave",
    "Lock",
    "Move",
    "Ping",
    "Query",
    "Ready",
    "Request",
    "Restart",
    "RoomRequest",
    "StartCountdown",
    "SubscribeLeaderboard",
    "Undo",
    "UnsubscribeLeaderboard",
]


class Hello(Request, frozen=True, kw_only=True, tag="hello"):
    """Identify the client: the first message. Without `player` and `token` the server creates an identity."""

    when = "first, once"
    answers = (Welcome,)
    errors = (E.ALREADY_IDENTIFIED, E.BAD_NAME, E.BAD_TOKEN, E.TOO_MANY_PLAYERS, E.STORE_UNAVAILABLE)

    client: Annotated[
        str, Meta(max_length=limits.CLIENT_LENGTH, description="name and version of the client, for logs")
    ] = ""
    name: Annotated[
        str,
        Meta(
            max_length=4 * limits.NAME_LENGTH, description="name for people: 1 to 24 characters, normalized"
        ),
    ]
    player: (
        Annotated[Id, Meta(description="player id from an earlier `welcome`; absent for a new one")] | None
    ) = None
    token: Annotated[Id, Meta(description="token that came with the player id")] | None = None
    lang: Annotated[
        str,
        Meta(
            max_length=35,
            description="language of texts for people, a BCP 47 tag: Traditional Chinese for `zh-Hant`, "
            "`zh-TW`, `zh-HK` and `zh-MO`, English for every other",
        ),
    ] = "en"
    standings: Annotated[
        StandingsMode, Meta(description="form of the live standings that the client wants")
    ] = StandingsMode.WHOLE


class Ping(Request, frozen=True, kw_only=True, tag="ping"):
    """Ask for a `pong` with a sample of the servers' clock."""

    when = "at any time, even before `hello`"
    answers = (Pong,)


class Create(Request, frozen=True, kw_only=True, tag="create"):
    """Open a room and enter it. With `code`, its first race uses that deal."""

    when = "after `welcome`, in no room"
    answers = (Room,)
    errors = (
        E.ALREADY_IN_ROOM,
        E.BAD_SETTINGS,
        E.BAD_CODE,
        E.TOO_MANY_ROOMS,
        E.SERVER_FULL,
        E.DRAINING,
        E.STORE_UNAVAILABLE,
    )

    settings: Annotated[Settings, Meta(description="settings of the room; an absent one has its default")] = (
        Settings()
    )
    code: (
        Annotated[Code, Meta(description="game code of the first race; absent for a random deal")] | None
    ) = None
    password: Annotated[Password, Meta(description="password for new members; absent for none")] | None = None


class Join(Request, frozen=True, kw_only=True, tag="join"):
    """Enter a room, or return to it. With `seen`, the last `seq` received, missed events are replayed."""

    when = "after `welcome`, in no room; or in the room itself, for a fresh snapshot"
    answers = (Room, Resumed)
    errors = (
        E.ALREADY_IN_ROOM,
        E.NO_SUCH_ROOM,
        E.ROOM_LOG_FULL,
        E.KICKED,
        E.WRONG_PASSWORD,
        E.TOO_MANY_TRIES,
        E.ROOM_LOCKED,
        E.ROOM_FULL,
        E.STORE_UNAVAILABLE,
    )

    room: Annotated[RoomCode, Meta(min_length=1, max_length=64, description="code of the room, in any case")]
    password: (
        Annotated[Password, Meta(description="password of the room, unless the client has a seat")] | None
    ) = None
    spectate: Annotated[bool, Meta(description="enter as a spectator")] = False
    seen: Annotated[int, Meta(ge=0, lt=2**31, description="last `seq` that the client processed")] | None = (
        None
    )


class Leave(Request, frozen=True, kw_only=True, tag="leave"):
    """Give up the seat in the room. In a running race the game stays as it is."""

    when = "in a room"
    answers = (Done,)
    errors = IN_ROOM_ERRORS


FromClient = Hello | Ping | Create | Join | Leave | RoomRequest | Query | AnyAction

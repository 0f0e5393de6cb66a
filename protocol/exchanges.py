"""Requests with their answers and errors, and when each message is sent."""

from typing import Final, NamedTuple

from protocol.errors import ErrorCode as E


class Exchange(NamedTuple):
    """When a client may send a message, its answers, and its errors beyond `ANYWHERE`."""

    when: str
    answers: tuple[str, ...]
    errors: tuple[E, ...] = ()


ANYWHERE: Final = (E.UNDECODABLE, E.BAD_MESSAGE, E.UNKNOWN_TYPE, E.RATE_LIMITED, E.BUSY, E.HELLO_REQUIRED)
"""Errors that any request can get. Actions get all but the last three, for which they are `refused`."""

_IN_ROOM: Final = (E.NOT_IN_ROOM, E.STORE_UNAVAILABLE)
_HOST: Final = (*_IN_ROOM, E.NOT_HOST)
_ACTION: Final = Exchange("in a race that the client takes part in", ("accepted", "refused"))

REQUESTS: Final = {
    "hello": Exchange(
        "first, once",
        ("welcome",),
        (E.ALREADY_IDENTIFIED, E.BAD_NAME, E.BAD_TOKEN, E.TOO_MANY_PLAYERS, E.STORE_UNAVAILABLE),
    ),
    "ping": Exchange("at any time, even before `hello`", ("pong",)),
    "create": Exchange(
        "after `welcome`, in no room",
        ("room",),
        (
            E.ALREADY_IN_ROOM,
            E.BAD_SETTINGS,
            E.BAD_CODE,
            E.TOO_MANY_ROOMS,
            E.SERVER_FULL,
            E.DRAINING,
            E.STORE_UNAVAILABLE,
        ),
    ),
    "join": Exchange(
        "after `welcome`, in no room, or again in the same room for a fresh snapshot",
        ("room", "resumed"),
        (
            E.ALREADY_IN_ROOM,
            E.NO_SUCH_ROOM,
            E.ROOM_LOG_FULL,
            E.KICKED,
            E.WRONG_PASSWORD,
            E.TOO_MANY_TRIES,
            E.ROOM_LOCKED,
            E.ROOM_FULL,
            E.STORE_UNAVAILABLE,
        ),
    ),
    "leave": Exchange("in a room", ("done",), _IN_ROOM),
    "ready": Exchange(
        "in a room, except during a race", ("done",), (*_IN_ROOM, E.RACE_RUNNING, E.ROOM_LOG_FULL)
    ),
    "start_countdown": Exchange(
        "in a room, in the lobby or after a race",
        ("done",),
        (*_HOST, E.COUNTDOWN_RUNNING, E.RACE_RUNNING, E.NOBODY_READY, E.ROOM_LOG_FULL),
    ),
    "cancel_countdown": Exchange("in a room, during the countdown", ("done",), (*_HOST, E.NO_COUNTDOWN)),
    "configure": Exchange(
        "in a room, in the lobby or after a race",
        ("done",),
        (*_HOST, E.COUNTDOWN_RUNNING, E.RACE_RUNNING, E.BAD_SETTINGS, E.BAD_CODE, E.ROOM_LOG_FULL),
    ),
    "lock": Exchange("in a room", ("done",), (*_HOST, E.ROOM_LOG_FULL)),
    "kick": Exchange("in a room", ("done",), (*_HOST, E.CANNOT_TARGET_SELF, E.NO_SUCH_MEMBER)),
    "chat": Exchange("in a room", ("done",), (*_IN_ROOM, E.ROOM_LOG_FULL, E.CHAT_LIMIT_REACHED)),
    "get_game": Exchange("in a race that the client takes part in", ("game",), (*_IN_ROOM, E.NO_GAME)),
    "get_board": Exchange(
        "in a room, after a race, or as a spectator of one whose room has `live_boards`",
        ("board",),
        (*_IN_ROOM, E.NO_SUCH_MEMBER, E.BOARDS_HIDDEN),
    ),
    "get_record": Exchange("in a room, after a race", ("record",), (*_IN_ROOM, E.NO_RECORD)),
    "subscribe_leaderboard": Exchange(
        "after `welcome`", ("leaderboard",), (E.BAD_CODE, E.TOO_MANY_SUBSCRIPTIONS, E.STORE_UNAVAILABLE)
    ),
    "unsubscribe_leaderboard": Exchange("after `welcome`", ("done",), (E.BAD_CODE,)),
    "move": _ACTION,
    "auto_move": _ACTION,
    "undo": _ACTION,
    "restart": _ACTION,
    "forfeit": _ACTION,
}

TOLD: Final = {
    "welcome": "answer to `hello`",
    "pong": "answer to `ping`",
    "done": "answer to a request that has no other",
    "error": "answer to a message that was not carried out, or that could not be read",
    "notice": "at any time after the handshake",
    "room": "answer to `create` and `join`",
    "resumed": "answer to `join` with `seen`, when the server can replay everything missed",
    "member_joined": "event: to everybody else in the room",
    "member_left": "event: to everybody in the room, including the one who left",
    "member_disconnected": "event: to everybody in the room",
    "member_reconnected": "event: to everybody in the room",
    "ready_changed": "event: to everybody in the room",
    "configured": "event: to everybody in the room",
    "lock_changed": "event: to everybody in the room",
    "host_changed": "event: to everybody in the room",
    "chat_message": "event: to everybody in the room, including the sender",
    "countdown_started": "event: to everybody in the room",
    "countdown_cancelled": "event: to everybody in the room",
    "race_started": "event: to everybody in the room, at the same instant",
    "racer_won": "event: to everybody in the room",
    "racer_forfeited": "event: to everybody in the room",
    "racer_forfeit_undone": "event: to everybody in the room",
    "race_ended": "event: to everybody in the room",
    "lobby_opened": "event: to everybody in the room",
    "accepted": "answer to an action, once it is stored",
    "refused": "answer to an action that changed nothing",
    "game": "answer to `get_game`",
    "board": "answer to `show_board`",
    "standings": "during a race, to everybody in the room, when something has changed",
    "leaderboard": "answer to `follow_leaderboard`, and again whenever the leaderboards change",
    "record": "answer to `get_record`",
}


def moment(name: str) -> str:
    """Return when a message is sent. Raises KeyError for an unknown one."""
    if name in REQUESTS:
        return REQUESTS[name].when
    if name in TOLD:
        return TOLD[name]
    raise KeyError(f"neither REQUESTS nor TOLD in protocol/exchanges.py has an entry for {name}")

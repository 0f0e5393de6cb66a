"""Who answers what: for each request its answers and the errors it can meet, for each message its moment."""

from typing import Final, NamedTuple

from protocol.errors import ErrorCode as E


class Exchange(NamedTuple):
    """When a client may send a message, how it is answered, and with which errors beyond `ANYWHERE`."""

    when: str
    answers: tuple[str, ...]
    errors: tuple[E, ...] = ()


ANYWHERE: Final = (E.UNDECODABLE, E.BAD_MESSAGE, E.UNKNOWN_TYPE, E.TOO_FAST, E.HELLO_FIRST)
"""Errors that any request can meet; actions meet all but the last two, for which they are `refused`."""

_IN_ROOM: Final = (E.NOT_IN_ROOM, E.STORE_AWAY)
_HOST: Final = (*_IN_ROOM, E.NOT_HOST)
_ACTION: Final = Exchange("in a race that one takes part in", ("accepted", "refused"))

REQUESTS: Final = {
    "hello": Exchange(
        "first, once",
        ("welcome",),
        (E.ALREADY_GREETED, E.BAD_NAME, E.BAD_TOKEN, E.TOO_MANY_PLAYERS, E.STORE_AWAY),
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
            E.STORE_AWAY,
        ),
    ),
    "join": Exchange(
        "after `welcome`, in no room, or again in the same room for a fresh snapshot",
        ("room", "resumed"),
        (
            E.ALREADY_IN_ROOM,
            E.NO_SUCH_ROOM,
            E.ROOM_USED_UP,
            E.KICKED,
            E.WRONG_PASSWORD,
            E.TOO_MANY_TRIES,
            E.ROOM_LOCKED,
            E.ROOM_FULL,
            E.STORE_AWAY,
        ),
    ),
    "leave": Exchange("in a room", ("done",), _IN_ROOM),
    "ready": Exchange(
        "in a room, except during a race", ("done",), (*_IN_ROOM, E.RACE_RUNNING, E.ROOM_USED_UP)
    ),
    "start": Exchange(
        "in a room, in the lobby or after a race",
        ("done",),
        (*_HOST, E.COUNTDOWN_RUNNING, E.RACE_RUNNING, E.NOBODY_READY, E.ROOM_USED_UP),
    ),
    "cancel": Exchange("in a room, during the countdown", ("done",), (*_HOST, E.NO_COUNTDOWN)),
    "configure": Exchange(
        "in a room, in the lobby or after a race",
        ("done",),
        (*_HOST, E.COUNTDOWN_RUNNING, E.RACE_RUNNING, E.BAD_SETTINGS, E.BAD_CODE, E.ROOM_USED_UP),
    ),
    "lock": Exchange("in a room", ("done",), (*_HOST, E.ROOM_USED_UP)),
    "kick": Exchange("in a room", ("done",), (*_HOST, E.NOT_YOURSELF, E.NO_SUCH_PERSON)),
    "say": Exchange("in a room", ("done",), (*_IN_ROOM, E.ROOM_USED_UP, E.CHAT_USED_UP)),
    "get_game": Exchange("in a race that one takes part in", ("game",), (*_IN_ROOM, E.NO_GAME)),
    "show_board": Exchange(
        "in a room, after a race, or when watching one whose room has `live_boards`",
        ("board",),
        (*_IN_ROOM, E.NO_SUCH_PERSON, E.BOARDS_HIDDEN),
    ),
    "get_record": Exchange("in a room, after a race", ("record",), (*_IN_ROOM, E.NO_RECORD)),
    "follow_leaderboard": Exchange(
        "after `welcome`", ("leaderboard",), (E.BAD_CODE, E.TOO_MANY_FOLLOWED, E.STORE_AWAY)
    ),
    "unfollow_leaderboard": Exchange("after `welcome`", ("done",), (E.BAD_CODE,)),
    "move": _ACTION,
    "auto": _ACTION,
    "undo": _ACTION,
    "restart": _ACTION,
    "forfeit": _ACTION,
}

TOLD: Final = {
    "welcome": "answer to `hello`",
    "pong": "answer to `ping`",
    "done": "answer to a request that has no other",
    "error": "answer to a request that was not carried out, or to input that is no message",
    "notice": "at any time after the handshake",
    "room": "answer to `create` and `join`",
    "resumed": "answer to `join` with `seen`, when everything missed can be told",
    "person_joined": "event: to everybody else in the room",
    "person_left": "event: to everybody in the room, the one who left included",
    "person_away": "event: to everybody in the room",
    "person_back": "event: to everybody in the room",
    "ready_changed": "event: to everybody in the room",
    "configured": "event: to everybody in the room",
    "lock_changed": "event: to everybody in the room",
    "host_changed": "event: to everybody in the room",
    "said": "event: to everybody in the room, the speaker included",
    "countdown_started": "event: to everybody in the room",
    "countdown_stopped": "event: to everybody in the room",
    "race_started": "event: to everybody in the room, at the same instant",
    "racer_won": "event: to everybody in the room",
    "racer_forfeited": "event: to everybody in the room",
    "racer_returned": "event: to everybody in the room",
    "race_over": "event: to everybody in the room",
    "lobby_opened": "event: to everybody in the room",
    "accepted": "answer to an action, once it is remembered",
    "refused": "answer to an action that changed nothing",
    "game": "answer to `get_game`",
    "board": "answer to `show_board`",
    "standings": "during a race, to everybody in the room, when something has changed",
    "leaderboard": "answer to `follow_leaderboard`, and again whenever the leaderboards change",
    "record": "answer to `get_record`",
}


def moment(name: str) -> str:
    """Return when a message is said. Raises KeyError for an unknown one."""
    if name in REQUESTS:
        return REQUESTS[name].when
    if name in TOLD:
        return TOLD[name]
    raise KeyError(f"neither REQUESTS nor TOLD in protocol/exchanges.py has an entry for {name}")

"""Error codes, each with its sentence and whether the same request can succeed later."""

from enum import StrEnum
from typing import Self


class ErrorCode(StrEnum):
    """Code of an `error` message. `temporary` is whether the same request can succeed later."""

    sentence: str
    temporary: bool

    def __new__(cls, code: str, sentence: str, temporary: bool = False) -> Self:
        """Create a member from its code, its sentence and whether the error is temporary."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.sentence = sentence
        member.temporary = temporary
        return member

    UNDECODABLE = "undecodable", "The message cannot be decoded. Use the encoding of this connection."
    BAD_MESSAGE = "bad_message", "A field of the message is missing or has a wrong value."
    UNKNOWN_TYPE = "unknown_type", "This server does not know this type of message."
    RATE_LIMITED = "rate_limited", "Too many messages. Wait a moment, then send this one again.", True
    BUSY = "busy", "The server is overloaded. Try again in a moment.", True
    HELLO_REQUIRED = "hello_required", "Send `hello` first."
    ALREADY_IDENTIFIED = "already_identified", "This connection has already sent `hello`."
    BAD_NAME = (
        "bad_name",
        "A name has 1 to 24 visible characters, at least one of them a letter or digit.",
    )
    BAD_TOKEN = "bad_token", "The player id and the token do not match."
    NO_SUCH_ROOM = "no_such_room", "No room has this code. Check the code, or create a room."
    ROOM_FULL = "room_full", "The room is full.", True
    ROOM_LOCKED = "room_locked", "The host has locked the room.", True
    WRONG_PASSWORD = "wrong_password", "The password of the room is missing or wrong."
    TOO_MANY_TRIES = "too_many_tries", "Too many wrong passwords for this room. Try again later.", True
    ROOM_LOG_FULL = (
        "room_log_full",
        "The log of this room is full. Create a new room.",
    )
    CHAT_LIMIT_REACHED = "chat_limit_reached", "This room has reached its limit for chat. Races go on."
    KICKED = "kicked", "The host removed you from this room."
    ALREADY_IN_ROOM = "already_in_room", "This connection is already in a room. Leave it first."
    NOT_IN_ROOM = "not_in_room", "Join a room first."
    NOT_HOST = "not_host", "Only the host can do this."
    COUNTDOWN_RUNNING = "countdown_running", "The countdown is running. Cancel it first.", True
    NO_COUNTDOWN = "no_countdown", "No countdown is running."
    RACE_RUNNING = "race_running", "A race is running. Wait until it ends.", True
    NOBODY_READY = "nobody_ready", "No member is ready. Get ready, then start the countdown.", True
    BAD_SETTINGS = "bad_settings", "A setting is out of range."
    BAD_CODE = "bad_code", "This is not a game code. A valid one looks like SS1-S1-AAAAABD."
    NO_SUCH_MEMBER = "no_such_member", "No member of this room has this player id."
    CANNOT_TARGET_SELF = "cannot_target_self", "You cannot kick yourself. Leave the room instead."
    BOARDS_HIDDEN = "boards_hidden", "Boards are hidden until the race ends.", True
    NO_GAME = "no_game", "You have no game in a running race."
    NO_RECORD = "no_record", "This room has no finished race with this number."
    TOO_MANY_SUBSCRIPTIONS = (
        "too_many_subscriptions",
        "A connection can subscribe to 20 leaderboards. Unsubscribe from one first.",
    )
    TOO_MANY_ROOMS = "too_many_rooms", "Too many rooms were created from this address. Try again later.", True
    TOO_MANY_PLAYERS = (
        "too_many_players",
        "Too many new players were registered from this address. Try again later.",
        True,
    )
    SERVER_FULL = "server_full", "The server has reached its limit of rooms. Try again later.", True
    DRAINING = "draining", "The server is shutting down. Connect again in a moment.", True
    STORE_UNAVAILABLE = (
        "store_unavailable",
        "The server's store does not answer. Nothing stored is lost. Try again in a moment.",
        True,
    )

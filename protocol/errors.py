"""What can go wrong with a request: the codes, each beside its words and whether trying again helps."""

from enum import StrEnum
from typing import Self


class ErrorCode(StrEnum):
    """The reason in an `error` message; `temporary` says whether the same request may succeed later."""

    sentence: str
    temporary: bool

    def __new__(cls, code: str, sentence: str, temporary: bool = False) -> Self:
        """Make a member out of its code, its sentence and whether it passes by itself."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.sentence = sentence
        member.temporary = temporary
        return member

    UNDECODABLE = "undecodable", "This is no message in the encoding of the connection."
    BAD_MESSAGE = "bad_message", "This message has a missing, wrong or oversized field."
    UNKNOWN_TYPE = "unknown_type", "This server does not know that type of message."
    TOO_FAST = "too_fast", "Too many messages; slow down.", True
    HELLO_FIRST = "hello_first", "Say hello before anything else."
    ALREADY_GREETED = "already_greeted", "This connection has said hello already."
    BAD_NAME = (
        "bad_name",
        "A name has 1 to 24 characters, a letter or digit among them, and nothing invisible.",
    )
    BAD_TOKEN = "bad_token", "This player id and token do not belong together."
    NO_SUCH_ROOM = "no_such_room", "There is no room with this code; check it, or create one."
    ROOM_FULL = "room_full", "Every seat of this room is taken.", True
    ROOM_LOCKED = "room_locked", "The host has locked this room.", True
    WRONG_PASSWORD = "wrong_password", "This room has a password; give the right one."
    TOO_MANY_TRIES = "too_many_tries", "Too many wrong passwords for this room; try again later.", True
    ROOM_USED_UP = (
        "room_used_up",
        "Too much has happened in this room for anything new; open another one.",
    )
    CHAT_USED_UP = "chat_used_up", "Too much has been said in this room for another word; racing goes on."
    KICKED = "kicked", "The host has removed you from this room."
    ALREADY_IN_ROOM = "already_in_room", "This connection is in a room; leave it first."
    NOT_IN_ROOM = "not_in_room", "Join a room first."
    NOT_HOST = "not_host", "Only the host can do this."
    COUNTDOWN_RUNNING = "countdown_running", "The countdown is running; cancel it first.", True
    NO_COUNTDOWN = "no_countdown", "No countdown is running."
    RACE_RUNNING = "race_running", "A race is running; wait for its end.", True
    NOBODY_READY = "nobody_ready", "A race needs somebody who is ready.", True
    BAD_SETTINGS = "bad_settings", "These settings are out of range."
    BAD_CODE = "bad_code", "This is no game code; one looks like SS1-S1-AAAAABD."
    NO_SUCH_PERSON = "no_such_person", "Nobody in this room has that player id."
    NOT_YOURSELF = "not_yourself", "You cannot do this to yourself."
    BOARDS_HIDDEN = "boards_hidden", "Boards are hidden until the race is over.", True
    NO_GAME = "no_game", "You are not a racer of a running race."
    NO_RECORD = "no_record", "There is no finished race with this number in this room."
    TOO_MANY_FOLLOWED = "too_many_followed", "One connection follows at most 20 leaderboards; leave some."
    TOO_MANY_ROOMS = "too_many_rooms", "This address has opened too many rooms; try again later.", True
    TOO_MANY_PLAYERS = (
        "too_many_players",
        "This address has brought too many newcomers; try again later.",
        True,
    )
    SERVER_FULL = "server_full", "This server has no place for another room.", True
    DRAINING = "draining", "This server is about to stop; connect again in a moment.", True
    STORE_AWAY = "store_away", "The store cannot be reached now; nothing is lost, try again.", True

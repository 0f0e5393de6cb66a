"""Why the server closes a connection: the close codes, each with its verdict."""

from enum import IntEnum
from typing import Self


class CloseCode(IntEnum):
    """A WebSocket close code that the server sends; `reconnect` tells a client what to do then."""

    reconnect: bool
    sentence: str

    def __new__(cls, code: int, reconnect: bool, sentence: str) -> Self:
        """Make a member out of its number, its verdict and its sentence."""
        member = int.__new__(cls, code)
        member._value_ = code
        member.reconnect = reconnect
        member.sentence = sentence
        return member

    NORMAL = 1000, False, "Both sides are done."
    GOING_AWAY = 1001, True, "The server stops for good; another one may take over."
    PROTOCOL_ERROR = 1002, False, "A frame broke the WebSocket protocol."
    BAD_TEXT = 1007, False, "A text message was not UTF-8."
    POLICY = 1008, False, "Too many pings or fragments of messages."
    TOO_BIG = 1009, False, "A message was larger than 16 KiB."
    INTERNAL = 1011, True, "The server made a mistake; your game is kept."
    RESTART = 1012, True, "The server restarts; wait a random moment, then connect again."

    BAD_MESSAGE = 4001, False, "A message could not be decoded; mend the client."
    REPLACED = 4002, False, "You connected again elsewhere; the newest connection wins."
    BAD_TOKEN = 4003, False, "The player id and the token do not belong together."
    HELLO_TIMEOUT = 4004, True, "No hello within 10 seconds."
    TOO_FAST = 4005, True, "Far too many messages; wait before you connect again."


RECONNECT_WITHOUT_CODE = True
"""A connection that ended without a close frame (1005, 1006) is to be opened again."""

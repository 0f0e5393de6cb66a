"""Close codes of the server, each with its meaning and whether the client should reconnect."""

from enum import IntEnum
from typing import Self


class CloseCode(IntEnum):
    """WebSocket close code that the server sends. `reconnect` tells the client what to do."""

    reconnect: bool
    sentence: str

    def __new__(cls, code: int, reconnect: bool, sentence: str) -> Self:
        """Make a member from its number, whether to reconnect, and its sentence."""
        member = int.__new__(cls, code)
        member._value_ = code
        member.reconnect = reconnect
        member.sentence = sentence
        return member

    NORMAL = 1000, False, "Both sides are done."
    GOING_AWAY = 1001, True, "The server stops. Another one may take over."
    PROTOCOL_ERROR = 1002, False, "A frame broke the WebSocket protocol."
    BAD_TEXT = 1007, False, "A text message was not UTF-8."
    POLICY = 1008, False, "Too many pings or fragments of messages."
    TOO_BIG = 1009, False, "A message was larger than 16 KiB."
    INTERNAL = 1011, True, "The server failed to handle this connection. Connect again to see what is stored."
    RESTART = 1012, True, "The server restarts. Wait a random moment, then connect again."

    BAD_MESSAGE = 4001, False, "A message could not be decoded. The client has a fault."
    REPLACED = 4002, False, "You connected again elsewhere. The newest connection wins."
    BAD_TOKEN = 4003, False, "The player id and the token do not match."
    HELLO_TIMEOUT = 4004, True, "No `hello` came within 10 seconds."
    RATE_LIMITED = 4005, True, "Far too many messages. Wait before you connect again."


RECONNECT_WITHOUT_CODE = True
"""Whether to reconnect after a connection that ended without a close frame (1005, 1006)."""

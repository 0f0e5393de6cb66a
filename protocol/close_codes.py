"""Close codes of the server, each with its sentence and whether the client should reconnect."""

from enum import IntEnum
from typing import Self


class CloseCode(IntEnum):
    """WebSocket close code that the server sends. `reconnect` is whether the client should connect again."""

    reconnect: bool
    sentence: str

    def __new__(cls, code: int, reconnect: bool, sentence: str) -> Self:
        """Create a member from its number, whether to reconnect, and its sentence."""
        member = int.__new__(cls, code)
        member._value_ = code
        member.reconnect = reconnect
        member.sentence = sentence
        return member

    NORMAL = 1000, False, "The connection ended normally."
    GOING_AWAY = 1001, True, "The server is shutting down. Another one may take over."
    PROTOCOL_ERROR = 1002, False, "A frame violated the WebSocket protocol."
    BAD_TEXT = 1007, False, "A text message was not UTF-8."
    POLICY = 1008, False, "Too many pings or message fragments."
    TOO_BIG = 1009, False, "A message was larger than 16 KiB."
    INTERNAL = 1011, True, "The server failed to handle this connection. Connect again and resume."
    RESTART = 1012, True, "The server is restarting. Wait for a random time, then connect again."

    BAD_MESSAGE = 4001, False, "A message could not be decoded. The client has a bug."
    REPLACED = 4002, False, "You connected from elsewhere. The newest connection wins."
    BAD_TOKEN = 4003, False, "The player id and the token do not match."
    HELLO_TIMEOUT = 4004, True, "No `hello` arrived within 10 seconds."
    RATE_LIMITED = 4005, True, "Too many messages for too long. Wait before you connect again."


RECONNECT_WITHOUT_CODE = True
"""Whether to connect again after a connection that ended without a close frame (1005, 1006)."""

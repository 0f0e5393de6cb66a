"""Effects: what a key, a typed line or a message asks the shell to do outside the state."""

from dataclasses import dataclass
from enum import Enum, auto

from client_cli.core.commands import MoveCards, SimpleCommand
from protocol.from_client import FromClient


class Prompt(Enum):
    """What the line at the bottom of the screen asks for."""

    CHAT = auto()
    COMMAND = auto()
    GAME_CODE = auto()
    SAVE_PATH = auto()


@dataclass(frozen=True, slots=True)
class SendAction:
    """Send an action in the race."""

    command: MoveCards | SimpleCommand


@dataclass(frozen=True, slots=True)
class SendRequest:
    """Send a request to the server."""

    request: FromClient


@dataclass(frozen=True, slots=True)
class OpenPrompt:
    """Open the input line, with `text` already in it."""

    prompt: Prompt
    text: str = ""


@dataclass(frozen=True, slots=True)
class CopyText:
    """Copy a text to the clipboard."""

    text: str


@dataclass(frozen=True, slots=True)
class SaveRecord:
    """Save the record of the last race to a file."""

    path: str


@dataclass(frozen=True, slots=True)
class ApplyPreferences:
    """Apply the preferences of the state and save them."""


@dataclass(frozen=True, slots=True)
class RingBell:
    """Ring the terminal's bell."""


@dataclass(frozen=True, slots=True)
class LeaveRoom:
    """Leave the room, then close the screen."""


@dataclass(frozen=True, slots=True)
class CloseScreen:
    """Close the screen at once: the conversation with the server is over."""


Effect = (
    SendAction
    | SendRequest
    | OpenPrompt
    | CopyText
    | SaveRecord
    | ApplyPreferences
    | RingBell
    | LeaveRoom
    | CloseScreen
)
Effects = tuple[Effect, ...]

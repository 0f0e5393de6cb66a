"""What a key or a message brings about outside: carried out by the shell."""

from dataclasses import dataclass
from enum import Enum, auto

from client_cli.core.commands import MoveCards, SimpleCommand
from protocol.from_client import FromClient


class Typing(Enum):
    """What is being typed on the line at the bottom."""

    SAY = auto()
    COMMAND = auto()
    CODE = auto()
    SAVE = auto()


@dataclass(frozen=True, slots=True)
class Act:
    """Do something in the race."""

    command: MoveCards | SimpleCommand


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask the server for something."""

    request: FromClient


@dataclass(frozen=True, slots=True)
class Type:
    """Let somebody type a line, beginning with `start`."""

    what: Typing
    start: str = ""


@dataclass(frozen=True, slots=True)
class Copy:
    """Put a text where it can be pasted from."""

    text: str


@dataclass(frozen=True, slots=True)
class Keep:
    """Write the record of the last race into a file."""

    path: str


@dataclass(frozen=True, slots=True)
class Prefer:
    """Take up the preferences as they are now, and keep them."""


@dataclass(frozen=True, slots=True)
class Ring:
    """Ring the terminal's bell."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Give up the seat and end."""


@dataclass(frozen=True, slots=True)
class End:
    """The conversation is over: give the terminal back."""


Effect = Act | Ask | Type | Copy | Keep | Prefer | Ring | Leave | End
Effects = tuple[Effect, ...]

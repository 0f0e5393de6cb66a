"""Commands that people type. Columns are counted from 1 in the text and from 0 in commands."""

from dataclasses import dataclass
from typing import Final

import msgspec

from client_cli.core import room_settings
from client_cli.core.translatable import Translatable
from engine.layout import COLUMNS, PACK_SIZE
from protocol import limits
from protocol.parts import Settings


class InvalidCommandError(ValueError):
    """The line is not a command. `sentence` says what to type."""

    def __init__(self, sentence: str, /, **values: object) -> None:
        self.sentence = Translatable(sentence, **values)
        super().__init__(self.sentence)


@dataclass(frozen=True, slots=True)
class MoveCards:
    """Move cards. Without `cards` as many as fit; without a target to the best column."""

    source: int
    target: int | None = None
    cards: int | None = None


@dataclass(frozen=True, slots=True)
class SimpleCommand:
    """A command without an argument: one of SIMPLE."""

    word: str


@dataclass(frozen=True, slots=True)
class MemberCommand:
    """A command about a member of the room: `kick` or `show`."""

    word: str
    name: str


@dataclass(frozen=True, slots=True)
class Chat:
    """Send a chat message to the room."""

    text: str


@dataclass(frozen=True, slots=True)
class ChangeSetting:
    """Change a setting of the room; the value is the typed text."""

    key: str
    value: str


@dataclass(frozen=True, slots=True)
class NameDeal:
    """Name the deal of the next race; None asks for a random deal."""

    code: str | None


@dataclass(frozen=True, slots=True)
class ShowLeaderboard:
    """Show the leaderboards of a game code; None: of the last race."""

    code: str | None


@dataclass(frozen=True, slots=True)
class SaveRace:
    """Save the record of the last race in a file."""

    path: str


Command = (
    MoveCards | SimpleCommand | MemberCommand | Chat | ChangeSetting | NameDeal | ShowLeaderboard | SaveRace
)

SIMPLE: Final = (
    "undo",
    "restart",
    "forfeit",
    "ready",
    "unready",
    "start",
    "cancel",
    "lock",
    "unlock",
    "board",
    "who",
    "standings",
    "help",
    "wait",
    "quit",
)
_SHORT: Final = {"u": "undo", "r": "ready", "b": "board", "s": "standings", "?": "help", "q": "quit"}


def parse(line: str) -> Command | None:
    """Parse a line; None if it is blank. Raises InvalidCommandError."""
    word, _, rest = line.strip().partition(" ")
    rest = rest.strip()
    if not word:
        return None
    if word[0].isdigit() or (word[0] in "-+" and word[1:].isdigit()):
        return _move(line.split())
    word = _SHORT.get(word.lower(), word.lower())
    if word in SIMPLE:
        if rest:
            raise InvalidCommandError(
                "The command {word} takes no argument. Leave out {rest!r}.", word=word, rest=rest[:40]
            )
        return SimpleCommand(word)
    return _with_argument(word, rest)


def _with_argument(word: str, rest: str) -> Command:
    match word:
        case "leaderboard" | "lb":
            return ShowLeaderboard(rest or None)
        case "kick" | "show":
            return MemberCommand(word, _require(rest, f"{word} NAME"))
        case "chat" | "say":
            text = _require(rest, "chat TEXT")
            if len(text) > limits.CHAT_LENGTH:
                raise InvalidCommandError(
                    "A chat line has at most {count} characters.", count=limits.CHAT_LENGTH
                )
            return Chat(text)
        case "set":
            key, _, value = _require(rest, "set KEY VALUE, for example: set suits 2").partition(" ")
            return ChangeSetting(key.lower(), _require(value.strip(), f"set {key} VALUE"))
        case "code":
            code = _require(rest, "code CODE, for example: code SS1-S1-AAAAABD")
            return NameDeal(None if code.lower() in {"none", "random"} else code)
        case "save":
            return SaveRace(_require(rest, "save FILE, for example: save race.json"))
        case _:
            raise InvalidCommandError(
                "There is no command {word!r}. Type help to see all commands.", word=word[:20]
            )


def _require(rest: str, form: str) -> str:
    if not rest:
        raise InvalidCommandError("Type: {form}", form=form)
    return rest


def _move(words: list[str]) -> MoveCards:
    if len(words) > 3 or not all(each.isascii() and each.isdigit() and len(each) <= 3 for each in words):
        raise InvalidCommandError(
            "{text!r} is not a move. Write a move as 3 7, or 3 7 2 for two cards, or 3 alone.",
            text=" ".join(words)[:40],
        )
    numbers = [int(each) for each in words]
    if not all(1 <= column <= COLUMNS for column in numbers[:2]):
        raise InvalidCommandError("There is no such column. Columns are numbered from 1 to 10.")
    if len(numbers) == 3 and not 1 <= numbers[2] <= PACK_SIZE:
        raise InvalidCommandError(
            "The third number is the number of cards to move, from 1 to {most}.", most=PACK_SIZE
        )
    source, target = numbers[0] - 1, numbers[1] - 1 if len(numbers) > 1 else None
    return MoveCards(source, target, numbers[2] if len(numbers) == 3 else None)


def changed_settings(settings: Settings, command: ChangeSetting) -> Settings:
    """Return settings with one of them changed. Raises InvalidCommandError."""
    setting = room_settings.find(command.key)
    if setting is None:
        raise InvalidCommandError(
            "There is no setting {key!r}. The settings are: {all}.",
            key=command.key[:40],
            all=", ".join(each.key for each in room_settings.SETTINGS),
        )
    value = setting.values.parse(command.value.lower().replace("-", "_"))
    if value is None:
        raise InvalidCommandError(
            "{value!r} is not a value of {key}. Give {choices}.",
            key=setting.key,
            choices=setting.values.description,
            value=command.value[:40],
        )
    return msgspec.structs.replace(settings, **{setting.field: value})

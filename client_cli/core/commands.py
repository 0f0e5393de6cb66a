"""What people type, read into commands; columns are counted from 1 here and from 0 afterwards."""

import textwrap
from dataclasses import dataclass
from typing import Final

import msgspec

from client_cli.core import room_settings
from client_cli.core.translatable import Translatable
from client_cli.core.translatable import gettext_noop as _
from engine.layout import COLUMNS, PACK_SIZE
from protocol import limits
from protocol.parts import Settings


class InvalidCommandError(ValueError):
    """A line that is no command; the sentence says what to type."""

    def __init__(self, sentence: str, /, **values: object) -> None:
        self.sentence = Translatable(sentence, **values)
        super().__init__(self.sentence)


@dataclass(frozen=True, slots=True)
class MoveCards:
    """Move cards; without `cards` those that fit, without a target to the best place."""

    source: int
    target: int | None = None
    cards: int | None = None


@dataclass(frozen=True, slots=True)
class SimpleCommand:
    """A command without more to say: one of SIMPLE."""

    word: str


@dataclass(frozen=True, slots=True)
class MemberCommand:
    """A command about somebody in the room: `kick` or `show`."""

    word: str
    name: str


@dataclass(frozen=True, slots=True)
class Chat:
    """Send a line to everybody in the room."""

    text: str


@dataclass(frozen=True, slots=True)
class ChangeSetting:
    """Change one of the room's settings; the value is still what was typed."""

    key: str
    value: str


@dataclass(frozen=True, slots=True)
class NameDeal:
    """Name the deal of the next race; None takes that back."""

    code: str | None


@dataclass(frozen=True, slots=True)
class ShowLeaderboard:
    """Ask for the leaderboards of a game code, or those of the last race."""

    code: str | None


@dataclass(frozen=True, slots=True)
class SaveRace:
    """Keep the record of the last race in a file."""

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

_SET: Final = _("set KEY VALUE             change a setting of the room (host); the keys are:")
_INDENT: Final = " " * 26
_HELP_WIDTH: Final = 79

_HELP: Final = (
    _("3 7          move what fits from column 3 to column 7"),
    _("3 7 2        move the last 2 cards from column 3 to column 7"),
    _("3            move the group at the end of column 3 to the best place"),
    _("undo, u      take the last action back (a forfeit for 10 seconds)"),
    _("restart      begin the deal again; the clock goes on"),
    _("forfeit      give up this race"),
    _("ready, unready            take part in the next race, or not"),
    _("start, cancel             begin the countdown, or stop it (host)"),
    _SET,
    _("code CODE, code none      name the next deal, or have it drawn (host)"),
    _("lock, unlock, kick NAME   who may come in, who must go (host)"),
    _("chat TEXT                 send a line to everybody in the room"),
    _("who, standings, board     members, the race so far, your board"),
    _("show NAME                 somebody's board, after the race or if live"),
    _("leaderboard [CODE]        the best results on a deal"),
    _("save FILE    keep the last race; check it with: simonrace verify FILE"),
    _("wait         in a script: go on when the race is over"),
    _("help, ?      this list"),
    _("quit, q      leave the room"),
)


def setting_keys() -> list[str]:
    """Return the keys of the command `set`."""
    return [each.key for each in room_settings.SETTINGS]


def help_lines() -> list[str]:
    """Return the list of commands, to be translated line by line."""
    keys = textwrap.wrap(
        ", ".join(setting_keys()), _HELP_WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT
    )
    at = _HELP.index(_SET) + 1
    return [*_HELP[:at], *keys, *_HELP[at:]]


_HOW_TO_MOVE: Final = Translatable("write a move as 3 7, or 3 7 2 for two cards, or 3 alone")


def parse(line: str) -> Command | None:
    """Read a typed line, None if it is blank; InvalidCommandError if it is no command."""
    word, _, rest = line.strip().partition(" ")
    rest = rest.strip()
    if not word:
        return None
    if word[0].isdigit() or (word[0] in "-+" and word[1:].isdigit()):
        return _shift(line.split())
    word = _SHORT.get(word.lower(), word.lower())
    if word in SIMPLE:
        if rest:
            raise InvalidCommandError("`{word}` stands alone; leave out {rest!r}.", word=word, rest=rest[:40])
        return SimpleCommand(word)
    return _with_words(word, rest)


def _with_words(word: str, rest: str) -> Command:
    match word:
        case "leaderboard" | "lb":
            return ShowLeaderboard(rest or None)
        case "kick" | "show":
            return MemberCommand(word, _needed(rest, f"{word} NAME"))
        case "chat" | "say":
            text = _needed(rest, "chat TEXT")
            if len(text) > limits.CHAT_LENGTH:
                raise InvalidCommandError(
                    "A chat line has at most {count} characters.", count=limits.CHAT_LENGTH
                )
            return Chat(text)
        case "set":
            key, _, value = _needed(rest, "set KEY VALUE, for example: set suits 2").partition(" ")
            return ChangeSetting(key.lower(), _needed(value.strip(), f"set {key} VALUE"))
        case "code":
            code = _needed(rest, "code CODE, for example: code SS1-S1-AAAAABD")
            return NameDeal(None if code.lower() in {"none", "random"} else code)
        case "save":
            return SaveRace(_needed(rest, "save FILE, for example: save race.json"))
        case _:
            raise InvalidCommandError(
                "There is no command {word!r}; type help to see them all.", word=word[:20]
            )


def _needed(rest: str, form: str) -> str:
    if not rest:
        raise InvalidCommandError("Type: {form}", form=form)
    return rest


def _shift(words: list[str]) -> MoveCards:
    if len(words) > 3 or not all(each.isascii() and each.isdigit() and len(each) <= 3 for each in words):
        raise InvalidCommandError("{text!r} is no move: {how}.", text=" ".join(words)[:40], how=_HOW_TO_MOVE)
    numbers = [int(each) for each in words]
    if not all(1 <= column <= COLUMNS for column in numbers[:2]):
        raise InvalidCommandError("There are ten columns, counted from 1 to 10.")
    if len(numbers) == 3 and not 1 <= numbers[2] <= PACK_SIZE:
        raise InvalidCommandError("A move takes one card or more: the third number is how many.")
    source, target = numbers[0] - 1, numbers[1] - 1 if len(numbers) > 1 else None
    return MoveCards(source, target, numbers[2] if len(numbers) == 3 else None)


def changed_settings(settings: Settings, command: ChangeSetting) -> Settings:
    """Return the settings after a change; InvalidCommandError if there is no such setting or value."""
    setting = room_settings.find(command.key)
    if setting is None:
        raise InvalidCommandError(
            "There is no setting {key!r}; there are: {all}.",
            key=command.key[:40],
            all=", ".join(setting_keys()),
        )
    value = setting.values.parse(command.value.lower().replace("-", "_"))
    if value is None:
        raise InvalidCommandError(
            "{key} is {choices}, not {value!r}.",
            key=setting.key,
            choices=setting.values.description,
            value=command.value[:40],
        )
    return msgspec.structs.replace(settings, **{setting.field: value})

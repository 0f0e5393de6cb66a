"""What people type, read into commands; columns are counted from 1 here and from 0 afterwards."""

from dataclasses import dataclass
from typing import Any, Final

import msgspec

from protocol import limits
from protocol.parts import Settings


class InvalidCommandError(ValueError):
    """A line that is no command; the message says in one sentence what to type."""


@dataclass(frozen=True, slots=True)
class Shift:
    """Move cards; without a count those that fit, without a target to the best place."""

    source: int
    target: int | None = None
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Simple:
    """A command without more to say: one of SIMPLE."""

    word: str


@dataclass(frozen=True, slots=True)
class About:
    """A command about somebody in the room: `kick` or `show`."""

    word: str
    name: str


@dataclass(frozen=True, slots=True)
class Chat:
    """Say something to everybody."""

    text: str


@dataclass(frozen=True, slots=True)
class Change:
    """Change one of the room's settings; the value is still what was typed."""

    key: str
    value: str


@dataclass(frozen=True, slots=True)
class NameDeal:
    """Name the deal of the next race; None takes that back."""

    code: str | None


@dataclass(frozen=True, slots=True)
class LookUp:
    """Ask for the leaderboards of a game code, or those of the last race."""

    code: str | None


@dataclass(frozen=True, slots=True)
class Save:
    """Keep the record of the last race in a file."""

    path: str


Command = Shift | Simple | About | Chat | Change | NameDeal | LookUp | Save

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

HELP: Final = (
    "3 7          move what fits from column 3 to column 7",
    "3 7 2        move the last 2 cards from column 3 to column 7",
    "3            move the group at the end of column 3 to the best place",
    "undo, u      take the last action back (a forfeit for 10 seconds)",
    "restart      begin the deal again; the clock goes on",
    "forfeit      give up this race",
    "ready, unready            take part in the next race, or not",
    "start, cancel             begin the countdown, or stop it (host)",
    "set KEY VALUE             change the room (host): ranking, suits, winnable,",
    "                          start, countdown, time_limit, seats, live_boards",
    "code CODE, code none      name the next deal, or have it drawn (host)",
    "lock, unlock, kick NAME   who may come in, who must go (host)",
    "say TEXT                  say something to everybody",
    "who, standings, board     people, the race so far, your board",
    "show NAME                 somebody's board, after the race or if live",
    "leaderboard [CODE]        the best results on a deal",
    "save FILE    keep the last race; check it with: simonrace verify FILE",
    "wait         in a script: go on when the race is over",
    "help, ?      this list",
    "quit, q      leave the room",
)

_HOW_TO_MOVE: Final = "write a move as 3 7, or 3 7 2 for two cards, or 3 alone"


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
            raise InvalidCommandError(f"`{word}` stands alone; leave out {rest[:40]!r}.")
        return Simple(word)
    return _with_words(word, rest)


def _with_words(word: str, rest: str) -> Command:
    match word:
        case "leaderboard" | "lb":
            return LookUp(rest or None)
        case "kick" | "show":
            return About(word, _needed(rest, f"{word} NAME"))
        case "say":
            text = _needed(rest, "say TEXT")
            if len(text) > limits.CHAT_LENGTH:
                raise InvalidCommandError(f"Say it in at most {limits.CHAT_LENGTH} characters.")
            return Chat(text)
        case "set":
            key, _, value = _needed(rest, "set KEY VALUE, for example: set suits 2").partition(" ")
            return Change(key.lower(), _needed(value.strip(), f"set {key} VALUE"))
        case "code":
            code = _needed(rest, "code CODE, for example: code SS1-S1-AAAAABD")
            return NameDeal(None if code.lower() in {"none", "random"} else code)
        case "save":
            return Save(_needed(rest, "save FILE, for example: save race.json"))
        case _:
            raise InvalidCommandError(f"There is no command {word[:20]!r}; type help to see them all.")


def _needed(rest: str, form: str) -> str:
    if not rest:
        raise InvalidCommandError(f"Type: {form}")
    return rest


def _shift(words: list[str]) -> Shift:
    if len(words) > 3 or not all(each.isascii() and each.isdigit() and len(each) <= 3 for each in words):
        raise InvalidCommandError(f"{' '.join(words)[:40]!r} is no move: {_HOW_TO_MOVE}.")
    numbers = [int(each) for each in words]
    if not all(1 <= column <= 10 for column in numbers[:2]):
        raise InvalidCommandError("There are ten columns, counted from 1 to 10.")
    if len(numbers) == 3 and not 1 <= numbers[2] <= 52:
        raise InvalidCommandError("A move takes one card or more: the third number is how many.")
    source, target = numbers[0] - 1, numbers[1] - 1 if len(numbers) > 1 else None
    return Shift(source, target, numbers[2] if len(numbers) == 3 else None)


_YES_NO: Final = {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}
SETTINGS: Final[dict[str, str]] = {
    "ranking": "time or score",
    "suits": "1, 2 or 4",
    "winnable": "yes or no",
    "start": "host or all_ready",
    "countdown": f"seconds, 0 to {limits.COUNTDOWN_SECONDS}",
    "time_limit": f"seconds, 1 to {limits.TIME_LIMIT_SECONDS}",
    "seats": f"1 to {limits.ROOM_PEOPLE}",
    "live_boards": "yes or no",
}


def changed(settings: Settings, change: Change) -> Settings:
    """Return the settings with one of them changed; InvalidCommandError if it cannot be so."""
    key = change.key.replace("-", "_")
    if key not in SETTINGS:
        raise InvalidCommandError(
            f"There is no setting {change.key[:40]!r}; there are: {', '.join(SETTINGS)}."
        )
    value: Any = change.value.lower().replace("-", "_")
    if key in {"winnable", "live_boards"}:
        value = _YES_NO.get(value, value)
    fields = {**msgspec.to_builtins(settings), key: value}
    try:
        wanted = msgspec.convert(fields, Settings, strict=isinstance(value, bool))
    except msgspec.ValidationError:
        wanted = None
    if wanted is None or wanted.suits not in {1, 2, 4}:
        raise InvalidCommandError(f"{key} is {SETTINGS[key]}, not {change.value[:40]!r}.")
    return wanted

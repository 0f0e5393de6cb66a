"""Every key and what it does: the one table that keys are looked up in, hints and help are made from."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from client_cli.core.translatable import gettext_noop as _


class Where(Enum):
    """What is on the screen, as far as keys mean something else there."""

    LOBBY = auto()
    RACE = auto()
    WON = auto()
    WATCH = auto()
    RESULTS = auto()
    REPLAY = auto()
    MENU = auto()
    TEXT = auto()
    ENDED = auto()


class Do(Enum):
    """What a key does."""

    COLUMN = auto()
    LEFT = auto()
    RIGHT = auto()
    MORE = auto()
    FEWER = auto()
    HERE = auto()
    BACK = auto()
    BEST = auto()
    UNDO = auto()
    RESTART = auto()
    FORFEIT = auto()
    AUTO_PLACE = auto()
    READY = auto()
    START = auto()
    ROOM_SETTINGS = auto()
    PEOPLE = auto()
    LOCK = auto()
    COPY = auto()
    LAST_RESULTS = auto()
    NEXT_RACE = auto()
    REPLAY = auto()
    CHART = auto()
    SAVE = auto()
    PLAY = auto()
    STEP_BACK = auto()
    STEP_ON = auto()
    RUN_BACK = auto()
    RUN_ON = auto()
    FIRST = auto()
    LAST = auto()
    SLOWER = auto()
    FASTER = auto()
    NEXT_PLAYER = auto()
    LAST_PLAYER = auto()
    UP = auto()
    DOWN = auto()
    LESS = auto()
    GREATER = auto()
    CHOOSE = auto()
    SAY = auto()
    COMMAND = auto()
    LEADERBOARD = auto()
    OPTIONS = auto()
    HELP = auto()
    LEAVE = auto()
    CLOSE = auto()


@dataclass(frozen=True, slots=True)
class Key:
    """Keys that do one thing, how they are written, and the words for it: short for hints, long for help."""

    keys: tuple[str, ...]
    shown: str
    does: Do
    short: str
    long: str


def _key(keys: str, shown: str, does: Do, short: str, long: str) -> Key:
    return Key(tuple(keys.split()), shown, does, short, long)


ROOM: Final = (
    _key("t", "t", Do.SAY, _("talk"), _("say something to everybody")),
    _key("l", "l", Do.LEADERBOARD, _("leaderboard"), _("the best results on this deal")),
    _key("o", "o", Do.OPTIONS, _("options"), _("options: bell, colours, comforts")),
    _key(":", ":", Do.COMMAND, _("command"), _("type a command of the line client, such as 3 7 2")),
    _key("? f1", "?", Do.HELP, _("help"), _("this list of keys")),
    _key("q ctrl+q ctrl+c", "q", Do.LEAVE, _("leave"), _("leave the room")),
)
_TABLE: Final[dict[Where, tuple[Key, ...]]] = {
    Where.LOBBY: (
        _key("r enter", "r", Do.READY, _("ready"), _("take part in the next race, or not")),
        _key("s", "s", Do.START, _("start"), _("begin the countdown, or stop it (host)")),
        _key("e", "e", Do.ROOM_SETTINGS, _("settings"), _("the room's settings (host changes them)")),
        _key("c", "c", Do.COPY, _("copy"), _("copy the line with which friends join")),
        _key("k", "k", Do.PEOPLE, _("people"), _("people of the room; remove somebody (host)")),
        _key("x", "x", Do.LOCK, _("lock"), _("let nobody new in, or let them in again (host)")),
        _key("v", "v", Do.LAST_RESULTS, _("results"), _("results of the last race")),
        *ROOM,
    ),
    Where.RACE: (
        _key(
            "1 2 3 4 5 6 7 8 9 0",
            "1-9 0",
            Do.COLUMN,
            _("column"),
            _("pick up from a column, drop on another; the same twice: best place"),
        ),
        _key("left", "←→", Do.LEFT, "", _("move the cursor from column to column")),
        _key("right", "", Do.RIGHT, "", ""),
        _key("up", "↑↓", Do.MORE, "", _("hold one card more, or one fewer")),
        _key("down", "", Do.FEWER, "", ""),
        _key("space enter", "space", Do.HERE, _("take"), _("pick up or drop at the cursor")),
        _key("escape", "esc", Do.BACK, _("put back"), _("put the group back")),
        _key("a b", "a", Do.BEST, _("best"), _("send the group to the best column")),
        _key("u backspace ctrl+z", "u", Do.UNDO, _("undo"), _("take the last action back, or a forfeit")),
        _key("R", "R", Do.RESTART, _("restart"), _("begin the deal again; the clock goes on")),
        _key("F", "F", Do.FORFEIT, _("forfeit"), _("give up this race; undo takes it back for 10 seconds")),
        _key("p", "p", Do.AUTO_PLACE, _("auto"), _("auto placement on or off")),
        *ROOM,
    ),
    Where.WON: ROOM,
    Where.WATCH: (
        _key("left up", "←→", Do.LAST_PLAYER, _("board"), _("whose board is shown, if the room allows it")),
        _key("right down tab", "", Do.NEXT_PLAYER, "", ""),
        *ROOM,
    ),
    Where.RESULTS: (
        _key("n r enter", "n", Do.NEXT_RACE, _("next race"), _("be ready for the next race")),
        _key("w", "w", Do.REPLAY, _("watch again"), _("watch a racer's game again")),
        _key("g", "g", Do.CHART, _("chart"), _("chart of progress, cards left or score")),
        _key("s", "s", Do.SAVE, _("save"), _("keep the race in a file")),
        _key("escape", "esc", Do.CLOSE, "", _("back to the room")),
        *ROOM,
    ),
    Where.REPLAY: (
        _key("space enter", "space", Do.PLAY, _("play"), _("play or pause")),
        _key("left", "←→", Do.STEP_BACK, _("step"), _("one action back or on")),
        _key("right", "", Do.STEP_ON, "", ""),
        _key("[ pageup", "[ ]", Do.RUN_BACK, _("run"), _("back or on to where a run left the table")),
        _key("] pagedown", "", Do.RUN_ON, "", ""),
        _key("- <", "- +", Do.SLOWER, _("speed"), _("slower or faster")),
        _key("+ = >", "", Do.FASTER, "", ""),
        _key("up", "↑↓", Do.LAST_PLAYER, _("racer"), _("the racer before or after in the results")),
        _key("down tab", "", Do.NEXT_PLAYER, "", ""),
        _key("home", "home", Do.FIRST, "", _("the deal")),
        _key("end", "end", Do.LAST, "", _("the end of this game")),
        _key("s", "s", Do.SAVE, _("save"), _("keep the race in a file")),
        _key("escape q ctrl+c", "esc", Do.CLOSE, _("back"), _("back to the results")),
        _key("? f1", "?", Do.HELP, _("help"), _("this list of keys")),
    ),
    Where.MENU: (
        _key("up", "↑↓", Do.UP, _("choose"), _("choose a line")),
        _key("down", "", Do.DOWN, "", ""),
        _key("left", "←→", Do.LESS, _("change"), _("change what it says")),
        _key("right", "", Do.GREATER, "", ""),
        _key("enter space", "enter", Do.CHOOSE, _("do"), _("do what the line says")),
        _key("escape q e o k ctrl+c", "esc", Do.CLOSE, _("back"), _("back to the room")),
    ),
    Where.TEXT: (
        _key("up pageup", "↑↓", Do.UP, _("scroll"), _("scroll a long page")),
        _key("down pagedown space", "", Do.DOWN, "", ""),
        _key("escape q enter ? f1 l ctrl+c", "esc", Do.CLOSE, _("back"), _("back to the room")),
    ),
    Where.ENDED: (
        _key("q enter escape space ctrl+q ctrl+c", "q", Do.LEAVE, _("leave"), _("leave the room")),
    ),
}

PLAIN: Final = str.maketrans({"←": "<", "→": ">", "↑": "^", "↓": "v"})
"""What stands for arrows where there is only ASCII."""

TITLES: Final = {
    Where.LOBBY: _("In the lobby"),
    Where.RACE: _("In a race"),
    Where.WATCH: _("Watching"),
    Where.RESULTS: _("After a race"),
    Where.REPLAY: _("Watching a game again"),
    Where.MENU: _("In a menu"),
}


def table(where: Where) -> tuple[Key, ...]:
    """Return the keys that mean something there."""
    return _TABLE[where]


def find(where: Where, pressed: str) -> Do | None:
    """Return what a key does there, None if nothing."""
    return next((each.does for each in _TABLE[where] if pressed in each.keys), None)

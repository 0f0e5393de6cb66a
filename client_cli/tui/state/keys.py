"""Table of all keys. Keys are looked up in it; the hints and the help page are made from it."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from client_cli.core.translatable import gettext_noop as _


class Mode(Enum):
    """Screens on which keys have the same meanings."""

    LOBBY = auto()
    RACE = auto()
    WON = auto()
    SPECTATE = auto()
    RESULTS = auto()
    REPLAY = auto()
    MENU = auto()
    MEMBERS = auto()
    TEXT = auto()
    ENDED = auto()


class KeyAction(Enum):
    """What a key does."""

    COLUMN = auto()
    LEFT = auto()
    RIGHT = auto()
    HOLD_MORE = auto()
    HOLD_FEWER = auto()
    PICK_OR_DROP = auto()
    PUT_BACK = auto()
    AUTO_MOVE = auto()
    UNDO = auto()
    RESTART = auto()
    FORFEIT = auto()
    AUTO_PLACE = auto()
    READY = auto()
    START = auto()
    ROOM_SETTINGS = auto()
    MEMBERS = auto()
    LOCK = auto()
    COPY_INVITATION = auto()
    LAST_RESULTS = auto()
    NEXT_RACE = auto()
    REPLAY = auto()
    NEXT_MEASURE = auto()
    SAVE = auto()
    PLAY = auto()
    STEP_BACK = auto()
    STEP_FORWARD = auto()
    PREVIOUS_RUN = auto()
    NEXT_RUN = auto()
    GO_TO_START = auto()
    GO_TO_END = auto()
    SLOWER = auto()
    FASTER = auto()
    NEXT_RACER = auto()
    PREVIOUS_RACER = auto()
    UP = auto()
    DOWN = auto()
    PREVIOUS_VALUE = auto()
    NEXT_VALUE = auto()
    CHOOSE = auto()
    CHAT = auto()
    COMMAND = auto()
    LEADERBOARD = auto()
    OPTIONS = auto()
    HELP = auto()
    LEAVE = auto()
    CLOSE = auto()


@dataclass(frozen=True, slots=True)
class KeyBinding:
    """Keys that do one thing."""

    keys: tuple[str, ...]
    label: str  # how the keys are written on the screen; empty if the binding before this one shows them
    action: KeyAction
    hint: str  # a word for the last line of the screen; empty for no hint
    help: str  # a line of the help page; empty if the binding before this one explains both


def _key(keys: str, label: str, action: KeyAction, hint: str, help_line: str) -> KeyBinding:
    return KeyBinding(tuple(keys.split()), label, action, hint, help_line)


ROOM_KEYS: Final = (
    _key("t", "t", KeyAction.CHAT, _("chat"), _("send a chat message to the room")),
    _key("l", "l", KeyAction.LEADERBOARD, _("leaderboard"), _("the best results on this deal")),
    _key("o", "o", KeyAction.OPTIONS, _("options"), _("options: bell, colours, mouse")),
    _key(":", ":", KeyAction.COMMAND, _("command"), _("type a command of the line client, such as 3 7 2")),
    _key("? f1", "?", KeyAction.HELP, _("help"), _("this list of keys")),
    _key("q ctrl+q ctrl+c", "q", KeyAction.LEAVE, _("leave"), _("leave the room")),
)
_BINDINGS: Final[dict[Mode, tuple[KeyBinding, ...]]] = {
    Mode.LOBBY: (
        _key("r enter", "r", KeyAction.READY, _("ready"), _("take part in the next race, or not")),
        _key("s", "s", KeyAction.START, _("start"), _("start the countdown, or cancel it (host)")),
        _key(
            "e",
            "e",
            KeyAction.ROOM_SETTINGS,
            _("settings"),
            _("show the room's settings, or change them (host)"),
        ),
        _key("c", "c", KeyAction.COPY_INVITATION, _("copy"), _("copy the command that friends join with")),
        _key("k", "k", KeyAction.MEMBERS, _("members"), _("list the members, remove one (host)")),
        _key("x", "x", KeyAction.LOCK, _("lock"), _("lock the room for new members, or unlock it (host)")),
        _key("v", "v", KeyAction.LAST_RESULTS, _("results"), _("show the results of the last race")),
        *ROOM_KEYS,
    ),
    Mode.RACE: (
        _key(
            "1 2 3 4 5 6 7 8 9 0",
            "1-9 0",
            KeyAction.COLUMN,
            _("column"),
            _("pick up from a column, drop on another; same twice: best column"),
        ),
        _key("left", "←→", KeyAction.LEFT, "", _("move the cursor from column to column")),
        _key("right", "", KeyAction.RIGHT, "", ""),
        _key("up", "↑↓", KeyAction.HOLD_MORE, "", _("hold one more card, or one fewer")),
        _key("down", "", KeyAction.HOLD_FEWER, "", ""),
        _key("space enter", "space", KeyAction.PICK_OR_DROP, _("take"), _("pick up or drop at the cursor")),
        _key("escape", "esc", KeyAction.PUT_BACK, _("put back"), _("put the group back")),
        _key("a b", "a", KeyAction.AUTO_MOVE, _("best"), _("send the group to the best column")),
        _key("u backspace ctrl+z", "u", KeyAction.UNDO, _("undo"), _("undo the last action, or the forfeit")),
        _key("R", "R", KeyAction.RESTART, _("restart"), _("start the deal again; the clock keeps running")),
        _key(
            "F",
            "F",
            KeyAction.FORFEIT,
            _("forfeit"),
            _("forfeit this race; you can undo it within 10 seconds"),
        ),
        _key("p", "p", KeyAction.AUTO_PLACE, _("auto"), _("turn auto placement on or off")),
        *ROOM_KEYS,
    ),
    Mode.WON: ROOM_KEYS,
    Mode.SPECTATE: (
        _key(
            "left up",
            "←→",
            KeyAction.PREVIOUS_RACER,
            _("board"),
            _("show another racer's board, if the room allows it"),
        ),
        _key("right down tab", "", KeyAction.NEXT_RACER, "", ""),
        *ROOM_KEYS,
    ),
    Mode.RESULTS: (
        _key("n r enter", "n", KeyAction.NEXT_RACE, _("next race"), _("get ready for the next race")),
        _key("w", "w", KeyAction.REPLAY, _("replay"), _("replay a racer's game")),
        _key("g", "g", KeyAction.NEXT_MEASURE, _("chart"), _("chart progress, cards left or score")),
        _key("s", "s", KeyAction.SAVE, _("save"), _("save the race in a file")),
        _key("escape", "esc", KeyAction.CLOSE, "", _("go back to the room")),
        *ROOM_KEYS,
    ),
    Mode.REPLAY: (
        _key("space enter", "space", KeyAction.PLAY, _("play"), _("play or pause")),
        _key("left", "←→", KeyAction.STEP_BACK, _("step"), _("go one action back or forward")),
        _key("right", "", KeyAction.STEP_FORWARD, "", ""),
        _key(
            "[ pageup",
            "[ ]",
            KeyAction.PREVIOUS_RUN,
            _("run"),
            _("go to the previous or next removal of a run"),
        ),
        _key("] pagedown", "", KeyAction.NEXT_RUN, "", ""),
        _key("- <", "- +", KeyAction.SLOWER, _("speed"), _("play slower or faster")),
        _key("+ = >", "", KeyAction.FASTER, "", ""),
        _key(
            "up",
            "↑↓",
            KeyAction.PREVIOUS_RACER,
            _("racer"),
            _("show the previous or next racer of the results"),
        ),
        _key("down tab", "", KeyAction.NEXT_RACER, "", ""),
        _key("home", "home", KeyAction.GO_TO_START, "", _("go to the deal")),
        _key("end", "end", KeyAction.GO_TO_END, "", _("go to the end of this game")),
        _key("s", "s", KeyAction.SAVE, _("save"), _("save the race in a file")),
        _key("escape q ctrl+c", "esc", KeyAction.CLOSE, _("back"), _("go back to the results")),
        _key("? f1", "?", KeyAction.HELP, _("help"), _("this list of keys")),
    ),
    Mode.MENU: (
        _key("up", "↑↓", KeyAction.UP, _("choose"), _("choose a line")),
        _key("down", "", KeyAction.DOWN, "", ""),
        _key("left", "←→", KeyAction.PREVIOUS_VALUE, _("change"), _("change its value")),
        _key("right", "", KeyAction.NEXT_VALUE, "", ""),
        _key(
            "enter space", "enter", KeyAction.CHOOSE, _("apply"), _("apply the settings, or choose the line")
        ),
        _key("escape q e o ctrl+c", "esc", KeyAction.CLOSE, _("back"), _("go back to the room")),
    ),
    Mode.MEMBERS: (
        _key("up", "↑↓", KeyAction.UP, _("choose"), _("choose a line")),
        _key("down", "", KeyAction.DOWN, "", ""),
        _key("enter space", "enter", KeyAction.CHOOSE, _("remove"), _("list the members, remove one (host)")),
        _key("escape q k ctrl+c", "esc", KeyAction.CLOSE, _("back"), _("go back to the room")),
    ),
    Mode.TEXT: (
        _key("up pageup", "↑↓", KeyAction.UP, _("scroll"), _("scroll a long page")),
        _key("down pagedown space", "", KeyAction.DOWN, "", ""),
        _key("escape q enter ? f1 l ctrl+c", "esc", KeyAction.CLOSE, _("back"), _("go back to the room")),
    ),
    Mode.ENDED: (
        _key("q enter escape space ctrl+q ctrl+c", "q", KeyAction.LEAVE, _("leave"), _("leave the room")),
    ),
}

ASCII_ARROWS: Final = str.maketrans({"←": "<", "→": ">", "↑": "^", "↓": "v"})
"""Translation of the arrows for terminals that show ASCII only."""

MODE_TITLES: Final = {
    Mode.LOBBY: _("In the lobby"),
    Mode.RACE: _("In a race"),
    Mode.SPECTATE: _("As a spectator"),
    Mode.RESULTS: _("After a race"),
    Mode.REPLAY: _("In a replay"),
    Mode.MENU: _("In a menu"),
}


def bindings(mode: Mode) -> tuple[KeyBinding, ...]:
    """Return the keys of a mode, the most important first."""
    return _BINDINGS[mode]


def find_action(mode: Mode, key: str) -> KeyAction | None:
    """Return what a key does in a mode, None if nothing."""
    return next((each.action for each in _BINDINGS[mode] if key in each.keys), None)

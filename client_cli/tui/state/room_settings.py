"""Settings of the room as lines of a menu: edited in a draft, then requested at once."""

from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Final

import msgspec

from client_cli.core.translatable import note as _
from client_cli.text import times
from client_cli.text.translation import Words
from protocol.parts import Ranking, Settings, StartMode

_CHOICES: Final[dict[str, tuple[Any, ...]]] = {
    "suits": (1, 2, 4),
    "winnable": (True, False),
    "ranking": tuple(Ranking),
    "start_mode": tuple(StartMode),
    "countdown_s": (0, 3, 5, 10, 15, 30, 60),
    "time_limit_s": (60, 120, 180, 300, 600, 900, 1200, 1800, 2700, 3600, 7200, 86400),
    "max_members": (1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 30, 50, 100, 200, 500, 1000),
    "live_boards": (True, False),
}
FIELDS: Final = tuple(_CHOICES)
CODE_LINE: Final = len(FIELDS)
"""Menu line below the settings: the game code of the next race."""

LABELS: Final = {
    "suits": _("suits"),
    "winnable": _("deals"),
    "ranking": _("won by"),
    "start_mode": _("started by"),
    "countdown_s": _("countdown"),
    "time_limit_s": _("time limit"),
    "max_members": _("most members"),
    "live_boards": _("boards"),
}


@dataclass(frozen=True, slots=True)
class Draft:
    """Settings being edited, and the game code named for the next race."""

    settings: Settings
    code: str | None


def change_value(draft: Draft, line: int, step: int) -> Draft:
    """Return the draft with the value of a line changed to the next (step 1) or previous (-1) choice."""
    if line >= len(FIELDS):
        return draft
    field = FIELDS[line]
    value, choices = getattr(draft.settings, field), _CHOICES[field]
    if isinstance(value, (bool, Enum)) or value in choices:
        wanted = choices[(choices.index(value) + step) % len(choices)]
    else:  # set by a command, between two of the choices
        others = [each for each in choices if (each > value) == (step > 0)]
        wanted = (others[0] if step > 0 else others[-1]) if others else choices[0 if step > 0 else -1]
    return replace(draft, settings=msgspec.structs.replace(draft.settings, **{field: wanted}))


def value_text(settings: Settings, field: str, words: Words) -> str:
    """Return the value of a setting as text."""
    value = getattr(settings, field)
    match field:
        case "suits":
            return words.many("{count} suit", "{count} suits", value)
        case "winnable":
            return words("can be won") if value else words("any")
        case "ranking":
            return words("time") if value is Ranking.TIME else words("score")
        case "start_mode":
            return words("the host") if value is StartMode.HOST else words("all ready")
        case "countdown_s":
            return words.many("{count} second", "{count} seconds", value)
        case "time_limit_s":
            return times.rough(value * 1000)
        case "live_boards":
            return words("live to spectators") if value else words("hidden")
        case _:
            return str(value)

"""The room's settings as lines that can be changed one by one before they are asked for."""

from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Final

import msgspec

from client_cli.core.translatable import gettext_noop as _
from client_cli.text import times
from client_cli.text.translation import Translation
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
"""The line below the settings: the deal of the next race."""

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
    """Settings as they are being changed, and the deal that is named for the next race."""

    settings: Settings
    code: str | None


def stepped(draft: Draft, line: int, step: int) -> Draft:
    """Return the draft with the value of a line exchanged for the next one up or down."""
    if line >= len(FIELDS):
        return draft
    field = FIELDS[line]
    now, choices = getattr(draft.settings, field), _CHOICES[field]
    if isinstance(now, (bool, Enum)) or now in choices:
        wanted = choices[(choices.index(now) + step) % len(choices)]
    else:  # a value that was typed elsewhere lies between ours
        others = [each for each in choices if (each > now) == (step > 0)]
        wanted = (others[0] if step > 0 else others[-1]) if others else choices[0 if step > 0 else -1]
    return replace(draft, settings=msgspec.structs.replace(draft.settings, **{field: wanted}))


def value(settings: Settings, field: str, translate: Translation) -> str:
    """Return the value of a setting in words."""
    now = getattr(settings, field)
    match field:
        case "suits":
            return translate.plural("{count} suit", "{count} suits", now)
        case "winnable":
            return translate("can be won") if now else translate("any")
        case "ranking":
            return translate("time") if now is Ranking.TIME else translate("score")
        case "start_mode":
            return translate("the host") if now is StartMode.HOST else translate("all ready")
        case "countdown_s":
            return translate.plural("{count} second", "{count} seconds", now)
        case "time_limit_s":
            return times.rough(now * 1000)
        case "live_boards":
            return translate("live to spectators") if now else translate("hidden")
        case _:
            return str(now)

"""The room's settings as lines of a menu, changed one by one before they are sent."""

from dataclasses import dataclass, replace
from enum import Enum

import msgspec

from client_cli.core import room_settings
from protocol.parts import Settings


@dataclass(frozen=True, slots=True)
class Draft:
    """Settings as they are being changed, and the deal that is named for the next race."""

    settings: Settings
    code: str | None


def code_line() -> int:
    """Return the number of the line below the settings: the deal of the next race."""
    return len(room_settings.SETTINGS)


def stepped(draft: Draft, line: int, step: int) -> Draft:
    """Return the draft with the value of a line exchanged for the next one up or down."""
    if line >= code_line():
        return draft
    setting = room_settings.SETTINGS[line]
    now, choices = getattr(draft.settings, setting.field), setting.values.choices
    if isinstance(now, (bool, Enum)) or now in choices:
        wanted = choices[(choices.index(now) + step) % len(choices)]
    else:  # a value that was typed elsewhere lies between ours
        others = [each for each in choices if (each > now) == (step > 0)]
        wanted = (others[0] if step > 0 else others[-1]) if others else choices[0 if step > 0 else -1]
    return replace(draft, settings=msgspec.structs.replace(draft.settings, **{setting.field: wanted}))

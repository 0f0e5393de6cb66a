"""Settings of the room as lines of a menu: edited in a draft, then requested at once."""

from dataclasses import dataclass, replace
from enum import Enum

import msgspec

from client_cli.core import room_settings
from protocol.parts import Settings


@dataclass(frozen=True, slots=True)
class Draft:
    """Settings being edited, and the game code named for the next race."""

    settings: Settings
    code: str | None


def code_line() -> int:
    """Return the menu line below the settings: the game code of the next race."""
    return len(room_settings.SETTINGS)


def change_value(draft: Draft, line: int, step: int) -> Draft:
    """Return the draft with the value of a line changed to the next (step 1) or previous (-1) choice."""
    if line >= code_line():
        return draft
    setting = room_settings.SETTINGS[line]
    value, choices = getattr(draft.settings, setting.field), setting.values.choices
    if isinstance(value, (bool, Enum)) or value in choices:
        wanted = choices[(choices.index(value) + step) % len(choices)]
    else:  # set by a command, between two of the choices
        others = [each for each in choices if (each > value) == (step > 0)]
        wanted = (others[0] if step > 0 else others[-1]) if others else choices[0 if step > 0 else -1]
    return replace(draft, settings=msgspec.structs.replace(draft.settings, **{setting.field: wanted}))

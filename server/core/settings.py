"""Settings and game codes that people choose: checked, and put in their one form."""

from typing import Final, NamedTuple

import msgspec

from engine.code import GameCode, InvalidGameCode
from protocol.errors import ErrorCode
from protocol.parts import Settings

_SUITS: Final = (1, 2, 4)


class Checked(NamedTuple):
    """Settings that are in range; `code` is a game code in its form, whose suits the settings have."""

    settings: Settings
    code: str | None


def check(settings: Settings, code: str | None) -> Checked | ErrorCode:
    """Return what somebody chose, or what is wrong with it."""
    if code is not None:
        try:
            named = GameCode.parse(code)
        except InvalidGameCode:
            return ErrorCode.BAD_CODE
        return Checked(msgspec.structs.replace(settings, suits=named.suits), str(named))
    if settings.suits not in _SUITS:
        return ErrorCode.BAD_SETTINGS
    return Checked(settings, None)

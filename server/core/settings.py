"""Check of settings and game codes that people choose."""

from typing import Final, NamedTuple

import msgspec

from engine.code import GameCode, InvalidGameCode
from protocol.errors import ErrorCode
from protocol.parts import Settings

_SUITS: Final = (1, 2, 4)


class Checked(NamedTuple):
    """Checked settings. `code` is a normalized game code, or None; the settings have its number of suits."""

    settings: Settings
    code: str | None


def check(settings: Settings, code: str | None) -> Checked | ErrorCode:
    """Return checked settings, or the error if a setting or the code is not valid."""
    if code is not None:
        try:
            named = GameCode.parse(code)
        except InvalidGameCode:
            return ErrorCode.BAD_CODE
        return Checked(msgspec.structs.replace(settings, suits=named.suits), str(named))
    if settings.suits not in _SUITS:
        return ErrorCode.BAD_SETTINGS
    return Checked(settings, None)

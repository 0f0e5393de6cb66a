"""Preferences for the full screen, saved beside the identities."""

import contextlib
from pathlib import Path
from typing import Final

import msgspec

FILE_NAME: Final = "preferences.json"


class Preferences(msgspec.Struct, frozen=True, omit_defaults=True):
    """Preferences that can be turned on and off."""

    bell: bool = True
    auto_place: bool = False
    double_click: bool = True
    dark: bool = True


def read(home: Path) -> Preferences:
    """Return the saved preferences; the defaults if the file is missing or damaged."""
    try:
        return msgspec.json.decode((home / FILE_NAME).read_bytes(), type=Preferences)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return Preferences()


def write(home: Path, chosen: Preferences) -> None:
    """Save preferences. A failure is ignored: the defaults apply next time."""
    with contextlib.suppress(OSError):
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        (home / FILE_NAME).write_bytes(msgspec.json.encode(chosen) + b"\n")

"""How somebody likes the full screen, kept beside the identities."""

import contextlib
from pathlib import Path
from typing import Final

import msgspec

FILE_NAME: Final = "preferences.json"


class Preferences(msgspec.Struct, frozen=True, omit_defaults=True):
    """The comforts that can be turned on and off."""

    bell: bool = True
    auto_place: bool = False
    double_click: bool = True
    dark: bool = True


def read(home: Path) -> Preferences:
    """Return what is kept in a folder; a file that is missing or damaged counts as nothing chosen."""
    try:
        return msgspec.json.decode((home / FILE_NAME).read_bytes(), type=Preferences)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return Preferences()


def write(home: Path, chosen: Preferences) -> None:
    """Keep what was chosen. A folder that cannot be written to only means that it is chosen again."""
    with contextlib.suppress(OSError):
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        (home / FILE_NAME).write_bytes(msgspec.json.encode(chosen) + b"\n")

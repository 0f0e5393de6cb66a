"""Records of races saved in files."""

from pathlib import Path

import msgspec

from client_cli.core.translatable import Translatable
from protocol.record import FinishedRace


class SaveError(Exception):
    """The file cannot be written. `sentence` says why."""

    def __init__(self, path: Path, why: str | None) -> None:
        self.sentence = Translatable("Cannot save the race in {path} ({why}).", path=path, why=why)
        super().__init__(self.sentence)


def save(record: FinishedRace, name: str) -> Translatable:
    """Write a record to a file; return a sentence about it. Raises SaveError."""
    path = Path(name).expanduser()
    try:
        path.write_bytes(msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n")
    except OSError as fault:
        raise SaveError(path, fault.strerror) from None
    return Translatable(
        "Race {race} is saved in {path}. Verify it with: simonrace verify {path}", race=record.race, path=path
    )

"""Keep the record of a race in a file."""

from pathlib import Path

import msgspec

from client_cli.core.translatable import Translatable
from protocol.record import FinishedRace


class NotKeptError(Exception):
    """The file cannot be written; the sentence says why."""

    def __init__(self, path: Path, why: str | None) -> None:
        self.sentence = Translatable("The race cannot be kept in {path}: {why}.", path=path, why=why)
        super().__init__(self.sentence)


def keep(record: FinishedRace, name: str) -> Translatable:
    """Write a record into a file, and return the sentence that says so; may raise NotKeptError."""
    path = Path(name).expanduser()
    try:
        path.write_bytes(msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n")
    except OSError as fault:
        raise NotKeptError(path, fault.strerror) from None
    return Translatable(
        "Race {race} is kept in {path}; check it with: simonrace verify {path}", race=record.race, path=path
    )

"""Records of races saved in files."""

from pathlib import Path

import pytest
from fullscreen.example_race import record

from client_cli.core.verify import read, verify
from client_cli.files.saved_records import SaveError, save


def test_a_saved_record_can_be_verified(tmp_path: Path) -> None:
    path = tmp_path / "race.json"
    assert save(record(), str(path)) == f"Race 1 is saved in {path}. Verify it with: simonrace verify {path}"
    kept = verify(read(path.read_bytes()))
    assert kept.same_score == 4


def test_a_record_that_cannot_be_saved_is_reported_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(SaveError) as fault:
        save(record(), str(tmp_path))
    assert fault.value.sentence == f"Cannot save the race in {tmp_path} (Is a directory)."

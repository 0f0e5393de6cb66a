"""How somebody likes the full screen."""

from pathlib import Path

import pytest

from client_cli.files.preferences import FILE_NAME, Preferences, read, write


def test_what_was_chosen_is_kept_and_defaults_need_no_file(tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert read(home) == Preferences()
    write(home, Preferences(bell=False, dark=False))
    assert read(home) == Preferences(bell=False, dark=False)
    assert home.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("contents", [b"", b"{", b'{"bell":"loud"}', b"\xff\xff"])
def test_a_damaged_file_counts_as_nothing_chosen(tmp_path: Path, contents: bytes) -> None:
    (tmp_path / FILE_NAME).write_bytes(contents)
    assert read(tmp_path) == Preferences()


def test_a_folder_that_cannot_be_written_to_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file")
    write(tmp_path / "home", Preferences())
    assert read(tmp_path / "home") == Preferences()

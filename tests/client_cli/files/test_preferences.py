"""Preferences for the full screen."""

from pathlib import Path

import pytest

from client_cli.files.preferences import FILE_NAME, Preferences, read, write


def test_preferences_are_saved_and_have_defaults(tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert read(home) == Preferences()
    write(home, Preferences(bell=False, dark=False))
    assert read(home) == Preferences(bell=False, dark=False)
    assert home.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("contents", [b"", b"{", b'{"bell":"loud"}', b"\xff\xff"])
def test_a_damaged_file_means_the_defaults(tmp_path: Path, contents: bytes) -> None:
    (tmp_path / FILE_NAME).write_bytes(contents)
    assert read(tmp_path) == Preferences()


def test_a_failed_write_is_ignored(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file")
    write(tmp_path / "home", Preferences())
    assert read(tmp_path / "home") == Preferences()

"""Identities in a file."""

import stat
from pathlib import Path

import pytest

from client_cli.core.conversation import Identity
from client_cli.files.identity import FILE_NAME, Identities, IdentityFileError, folder

HOME, AWAY = "ws://localhost:7466", "wss://play.example.org"


def test_each_server_and_name_has_an_identity(tmp_path: Path) -> None:
    """Two people at one machine can race each other; a name is the same in any case."""
    kept = Identities(tmp_path)
    kept.save(HOME, "Ada", Identity("p1", "t1"))
    kept.save(HOME, "陳小明", Identity("p2", "t2"))
    kept.save(AWAY, "Ada", Identity("p3", "t3"))
    again = Identities(tmp_path)
    assert again.get(HOME, "ADA") == Identity("p1", "t1")
    assert again.get(HOME, "陳小明") == Identity("p2", "t2")
    assert again.get(AWAY, "Ada") == Identity("p3", "t3")
    assert again.get(AWAY, "Ben") is None
    assert again.last_name() == "Ada"


def test_a_name_has_another_identity_as_a_spectator(tmp_path: Path) -> None:
    """A server keeps the newest connection of an identity, so a spectator must not replace a racer."""
    kept = Identities(tmp_path)
    kept.save(HOME, "Ada", Identity("p1", "t1"))
    assert kept.get(HOME, "Ada", spectator=True) is None
    kept.save(HOME, "Ada", Identity("p2", "t2"), spectator=True)
    again = Identities(tmp_path)
    assert again.get(HOME, "ada") == Identity("p1", "t1")
    assert again.get(HOME, "ada", spectator=True) == Identity("p2", "t2")
    assert again.get(AWAY, "Ada", spectator=True) is None


def test_only_the_user_can_read_the_file(tmp_path: Path) -> None:
    home = tmp_path / "new" / "simonrace"
    Identities(home).save(HOME, "Ada", Identity("p1", "t1"))
    assert stat.S_IMODE((home / FILE_NAME).stat().st_mode) == 0o600
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert [each.name for each in home.iterdir()] == [FILE_NAME]


def test_writing_makes_the_file_private(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text("{}")
    (tmp_path / FILE_NAME).chmod(0o644)
    Identities(tmp_path).save(HOME, "Ada", Identity("p1", "t1"))
    assert stat.S_IMODE((tmp_path / FILE_NAME).stat().st_mode) == 0o600


def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Identities(tmp_path)
    kept.save(HOME, "Ada", Identity("p1", "t1"))
    before = (tmp_path / FILE_NAME).read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(IdentityFileError, match="No space left on device"):
        kept.save(HOME, "Ben", Identity("p2", "t2"))
    assert (tmp_path / FILE_NAME).read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == [FILE_NAME]


@pytest.mark.parametrize("content", ["", "{", '{"servers": 3}', "\xff"])
def test_a_damaged_file_is_reported_and_not_overwritten(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE_NAME).write_text(content, encoding="latin-1")
    with pytest.raises(IdentityFileError, match="is damaged"):
        Identities(tmp_path).save(HOME, "Ada", Identity("p1", "t1"))
    assert (tmp_path / FILE_NAME).read_text(encoding="latin-1") == content


def test_a_file_in_place_of_the_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    with pytest.raises(IdentityFileError):
        Identities(tmp_path / "home").save(HOME, "Ada", Identity("p1", "t1"))


def test_the_folder_is_in_the_user_s_configuration() -> None:
    assert folder({"SIMONRACE_HOME": "/x", "XDG_CONFIG_HOME": "/y"}) == Path("/x")
    assert folder({"XDG_CONFIG_HOME": "/y"}) == Path("/y/simonrace")
    assert folder({}) == Path.home() / ".config" / "simonrace"

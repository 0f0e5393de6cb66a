"""The backup script and its timer, with a stand-in for the docker command."""

import os
import re
import subprocess
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
FOLDER: Final = ROOT / "deploy" / "backup"
SCRIPT: Final = FOLDER / "backup.sh"
PAGES: Final = [ROOT / "docs" / name for name in ("hosting.md", "backup.md", "upgrade.md", "monitoring.md")]

DOCKER: Final = """#!/bin/sh
# The store is the folder $STORE; its own copy and check of the data are $DUMP.
[ "$1" = compose ] && shift
case "$*" in
    "exec -T store sh -c "*) printf data >"$STORE/backup.rdb"; exit "${CHECK:-0}" ;;
    "cp store:/data/backup.rdb "*) cat "$STORE/backup.rdb" >"$3"; printf '%s' "${SPOIL:-}" >>"$3" ;;
    "exec -T store sha256sum /data/backup.rdb") sha256sum "$STORE/backup.rdb" ;;
    "exec -T store rm -f /data/backup.rdb") rm -f "$STORE/backup.rdb" ;;
    *) echo "unexpected: $*" >&2; exit 99 ;;
esac
"""


def make_backup(tmp_path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    programs, store = tmp_path / "bin", tmp_path / "store"
    programs.mkdir(exist_ok=True)
    store.mkdir(exist_ok=True)
    (programs / "docker").write_text(DOCKER)
    (programs / "docker").chmod(0o755)
    path = f"{programs}:{os.environ['PATH']}"
    return subprocess.run(
        [SCRIPT, "backups"],
        env={**os.environ, "PATH": path, "STORE": str(store), **environment},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def files(tmp_path: Path) -> list[str]:
    """Return what is in the folder of backups, hidden files too, and assert that the store is tidy."""
    assert list((tmp_path / "store").iterdir()) == []
    return sorted(each.name for each in (tmp_path / "backups").iterdir())


def earlier(tmp_path: Path, count: int) -> list[str]:
    (tmp_path / "backups").mkdir()
    names = [f"simonrace-202001{day:02}T000000Z.rdb" for day in range(1, count + 1)]
    for name in names:
        (tmp_path / "backups" / name).write_text("earlier")
    return names


def test_a_backup_is_named_after_its_time_and_the_latest_are_kept(tmp_path: Path) -> None:
    """Only the owner may read it. Other files of the folder stay."""
    names = earlier(tmp_path, 4)
    (tmp_path / "backups" / "notes.txt").write_text("mine")
    done = make_backup(tmp_path, KEEP="3")
    assert done.returncode == 0, done.stderr
    new = Path(done.stdout.strip())
    assert re.fullmatch(r"simonrace-\d{8}T\d{6}Z\.rdb", new.name)
    assert (new.read_text(), new.stat().st_mode & 0o777) == ("data", 0o600)
    assert files(tmp_path) == sorted(["notes.txt", *names[2:], new.name])


@pytest.mark.parametrize("fault", [{"CHECK": "1"}, {"SPOIL": "x"}])
def test_a_backup_that_fails_leaves_the_earlier_ones(tmp_path: Path, fault: dict[str, str]) -> None:
    """It ends with an error, for systemd to see, and leaves no partial file."""
    names = earlier(tmp_path, 3)
    assert make_backup(tmp_path, KEEP="1", **fault).returncode != 0
    assert files(tmp_path) == names


def test_the_unit_and_the_timer_belong_together() -> None:
    unit = (FOLDER / "simonrace-backup.service").read_text()
    timer = (FOLDER / "simonrace-backup.timer").read_text()
    started = re.search(r"^ExecStart=/opt/simonrace/(\S+) ", unit, re.M)
    assert started
    assert (ROOT / started[1]).samefile(SCRIPT)
    assert os.access(SCRIPT, os.X_OK)
    assert "Persistent=true" in timer
    assert "Unit=" not in timer, "a timer starts the service of its own name"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_recipe_redirects_data_or_leaves_out_dependencies(page: Path) -> None:
    """PowerShell rewrites what `>` gets; `up --no-deps` makes the next `up` recreate the container."""
    blocks = re.findall(r"^```\w*\n(.*?)^```", page.read_text(), re.M | re.S)
    commands = [line for block in blocks for line in block.splitlines() if line.startswith("docker ")]
    assert commands
    for line in commands:
        outside = re.sub(r"'[^']*'", "''", line)
        assert not re.search(r"[<>]", outside), line
        assert not re.search(r"\bup\b.*--no-deps", outside), line

"""A local server for a while."""

import asyncio
import sys
from pathlib import Path

import pytest

from client_cli.core.errors import Failure
from client_cli.net.local_server import local_server

GREETING = "print('Simon Race listens on ws://127.0.0.1:7466', flush=True)"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of temporary files."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def left_in(folder: Path) -> list[str]:
    return [each.name for each in folder.iterdir()]


async def test_a_server_is_found_by_the_line_it_prints_and_its_data_is_removed(folder: Path) -> None:
    program = f"{GREETING}\nimport time\ntime.sleep(600)"
    async with local_server((sys.executable, "-c", program)) as server:
        assert server.url == "ws://127.0.0.1:7466"
        assert len(left_in(folder)) == 1
    assert left_in(folder) == []


async def test_a_server_gets_a_private_folder_a_free_port_and_no_settings(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the user's SIMONRACE_REDIS, bots would race in real rooms."""
    monkeypatch.setenv("SIMONRACE_REDIS", "redis://example.org")
    seen = folder / "seen"
    program = (
        "import os, sys, pathlib\n"
        f"pathlib.Path({str(seen)!r}).write_text(repr([sys.argv[1:], 'SIMONRACE_REDIS' in os.environ]))\n"
        f"{GREETING}"
    )
    async with local_server((sys.executable, "-c", program)):
        words, has_redis = eval(seen.read_text())  # noqa: S307  # we wrote it ourselves
    assert words[:5] == ["--host", "127.0.0.1", "--port", "0", "--data"]
    assert Path(words[5]).parent.parent == folder
    assert not has_redis


@pytest.mark.parametrize(
    ("program", "sentence"),
    [
        ("", "the server did not start: it printed no reason"),
        ("import sys; sys.exit('no Redis here')", "the server did not start: no Redis here"),
        ("print('hello')", "the server did not start: it printed no reason"),
    ],
)
async def test_a_failed_start_is_reported_with_the_last_line_of_the_log(
    folder: Path, program: str, sentence: str
) -> None:
    with pytest.raises(Failure) as failed:
        async with local_server((sys.executable, "-c", program)):
            pass
    assert str(failed.value) == sentence
    assert left_in(folder) == []


async def test_the_server_is_stopped_after_an_exception(folder: Path) -> None:
    program = f"{GREETING}\nimport time\ntime.sleep(600)"

    async def fail() -> None:
        async with local_server((sys.executable, "-c", program)):
            raise asyncio.CancelledError

    assert isinstance((await asyncio.gather(fail(), return_exceptions=True))[0], asyncio.CancelledError)
    assert left_in(folder) == []

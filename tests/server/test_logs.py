"""Logs: one line per event on standard error, for people or for machines."""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
import structlog
from racetest import Process, until

from server import logs

BUG = """
    from server.rooms.registry import RoomRegistry


    async def sweep(self: RoomRegistry) -> None:
        raise ValueError("a bug")


    RoomRegistry.sweep = sweep
"""
"""Code that a server runs at its start: every sweep of its rooms raises an exception."""


@pytest.fixture(autouse=True)
def defaults_again() -> Iterator[None]:
    """Restore the logging of other tests."""
    yield
    structlog.reset_defaults()


def test_a_line_for_machines_is_one_json_object(capsys: pytest.CaptureFixture[str]) -> None:
    """It has event, level, time and fields; an exception adds its traceback as data."""
    logs.configure("json", "info")
    logs.get().info("race ended", room="BCDFG", won=2)
    logs.get().error("fault", exc_info=ValueError("a bug"))
    out, err = capsys.readouterr()
    first, second = map(json.loads, err.splitlines())
    assert out == ""
    assert first.pop("timestamp").endswith("Z")
    assert first == {"event": "race ended", "level": "info", "room": "BCDFG", "won": 2}
    assert (second["event"], second["level"]) == ("fault", "error")
    assert second["exception"][0]["exc_value"] == "a bug"


def raised_with_a_secret() -> ValueError:
    """Return an exception whose traceback contains a function with a secret variable."""

    def authenticate(token: str) -> None:
        raise ValueError(f"a bug with {len(token)} characters")

    with pytest.raises(ValueError, match="a bug") as caught:
        authenticate("hush" * 2)
    return caught.value


@pytest.mark.parametrize("form", ["json", "pretty"])
def test_a_traceback_has_no_local_variables(capsys: pytest.CaptureFixture[str], form: Any) -> None:
    """Local variables may contain a token, a password or chat."""
    logs.configure(form, "info")
    logs.get().error("fault", exc_info=raised_with_a_secret())
    err = capsys.readouterr().err
    assert "authenticate" in err
    assert "a bug with 8 characters" in err
    assert "hushhush" not in err


async def with_a_bug(folder: Path, form: str) -> str:
    """Run a server with a bug in its upkeep and return its log."""
    (folder / "sitecustomize.py").write_text(dedent(BUG))
    options = ("--data", folder / "data", "--log-format", form)
    server = await Process.serving(*options, PYTHONPATH=str(folder))
    try:
        await until(lambda: "background work failed" in server.errors)
        server.terminate()
        assert await server.ended() == 0
        return server.errors
    finally:
        await server.close()


@pytest.mark.usefixtures("_service")
async def test_an_exception_reported_to_the_loop_is_one_json_object(tmp_path: Path) -> None:
    """It is a line like all others, with the traceback as a field."""
    lines = [json.loads(line) for line in (await with_a_bug(tmp_path, "json")).splitlines()]
    bug = next(line for line in lines if line["event"] == "background work failed")
    (raised,) = bug.pop("exception")
    assert bug.pop("timestamp").endswith("Z")
    assert bug == {"event": "background work failed", "level": "error", "logger": "asyncio"}
    assert (raised["exc_type"], raised["exc_value"]) == ("ValueError", "a bug")
    assert raised["frames"][-1]["name"] == "sweep"


@pytest.mark.usefixtures("_service")
async def test_an_exception_reported_to_the_loop_is_readable(tmp_path: Path) -> None:
    """A line with time and level like all others is followed by the traceback in Python's form."""
    lines = (await with_a_bug(tmp_path, "pretty")).splitlines()
    at = next(number for number, line in enumerate(lines) if "background work failed" in line)
    ready = next(line for line in lines if " ready " in line)
    assert lines[at].split("Z [")[1].split() == ["error", "]", "background", "work", "failed", "[asyncio]"]
    assert ready.split("Z [")[1].split()[:3] == ["info", "]", "ready"]
    assert lines[at + 1] == "Traceback (most recent call last):"
    assert "ValueError: a bug" in lines[at + 2 :]


def test_a_line_for_people_has_colours_only_on_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """A file gets no escape sequences."""
    logs.configure("pretty", "info")
    logs.get().info("ready", node="abc")
    err = capsys.readouterr().err
    assert "ready" in err
    assert "node=abc" in err
    assert "\x1b" not in err


@pytest.mark.parametrize(("level", "shown"), [("debug", 4), ("info", 3), ("warning", 2), ("error", 1)])
def test_the_level_decides_what_is_shown(capsys: pytest.CaptureFixture[str], level: str, shown: int) -> None:
    """Lower levels are not logged."""
    logs.configure("json", level)
    log = logs.get()
    for name in ("debug", "info", "warning", "error"):
        getattr(log, name)("event")
    assert len(capsys.readouterr().err.splitlines()) == shown


def test_a_line_is_written_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers share standard error: a separate write of the newline would mix their lines."""
    writes: list[str] = []

    class Stream(io.StringIO):
        def write(self, text: str) -> int:
            writes.append(text)
            return super().write(text)

    monkeypatch.setattr("sys.stderr", Stream())
    logs.configure("json", "info")
    logs.get().info("ready", node="abc")
    (line,) = writes
    assert line.endswith("\n")

"""Logs: one line an event, for people or for machines, on standard error."""

import io
import json
from collections.abc import Iterator

import pytest
import structlog

from server import logs


@pytest.fixture(autouse=True)
def defaults_again() -> Iterator[None]:
    """Leave the logs of other tests as they were."""
    yield
    structlog.reset_defaults()


def test_a_line_for_machines_is_one_json_object(capsys: pytest.CaptureFixture[str]) -> None:
    """Event, level, time and fields; a fault brings its traceback as data."""
    logs.configure("json", "info")
    logs.get().info("race over", room="BCDFG", won=2)
    logs.get().error("fault", exc_info=ValueError("a bug"))
    out, err = capsys.readouterr()
    first, second = map(json.loads, err.splitlines())
    assert out == ""
    assert first.pop("timestamp").endswith("Z")
    assert first == {"event": "race over", "level": "info", "room": "BCDFG", "won": 2}
    assert (second["event"], second["level"]) == ("fault", "error")
    assert second["exception"][0]["exc_value"] == "a bug"


def test_a_line_for_people_has_no_colours_in_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    """They are for terminals."""
    logs.configure("pretty", "info")
    logs.get().info("ready", node="abc")
    err = capsys.readouterr().err
    assert "ready" in err
    assert "node=abc" in err
    assert "\x1b" not in err


@pytest.mark.parametrize(("level", "shown"), [("debug", 4), ("info", 3), ("warning", 2), ("error", 1)])
def test_the_level_decides_what_is_shown(capsys: pytest.CaptureFixture[str], level: str, shown: int) -> None:
    """From the chosen level on."""
    logs.configure("json", level)
    log = logs.get()
    for name in ("debug", "info", "warning", "error"):
        getattr(log, name)("event")
    assert len(capsys.readouterr().err.splitlines()) == shown


def test_a_line_leaves_in_one_write(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers share standard error: its end in a write of its own lets lines run into each other."""
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

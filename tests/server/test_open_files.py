import json
import subprocess
import sys
from typing import Any

import pytest

from server import open_files
from server.open_files import BESIDE_CONNECTIONS

resource = pytest.importorskip("resource", reason="there is no such limit on Windows")

SCRIPT = """
import json, resource, sys
from server.open_files import allow_open_files, prepare_open_files
soft, hard, connections = map(int, sys.argv[1:])
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
class Log:
    lines = []
    def warning(self, event, **fields):
        self.lines.append(fields)
prepare_open_files(connections, Log())
print(json.dumps([list(resource.getrlimit(resource.RLIMIT_NOFILE)), Log.lines]))
"""


def prepared(soft: int, hard: int, connections: int) -> tuple[list[int], list[dict[str, int]]]:
    """Start a process with these limits; return its limits and its warnings afterwards."""
    command = [sys.executable, "-c", SCRIPT, *map(str, (soft, hard, connections))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
    limits, lines = json.loads(done.stdout)
    return limits, lines


def test_the_soft_limit_is_raised_to_what_the_connections_need() -> None:
    """It is not raised further, and the hard limit stays."""
    assert prepared(256, 4096, 1000) == ([1000 + BESIDE_CONNECTIONS, 4096], [])


def test_a_limit_that_is_high_enough_stays() -> None:
    assert prepared(2048, 4096, 1000) == ([2048, 4096], [])


def test_a_hard_limit_that_is_too_low_is_reported_with_what_is_needed() -> None:
    warning = {"open_files": 800, "needed": 1000 + BESIDE_CONNECTIONS, "max_connections": 1000}
    assert prepared(256, 800, 1000) == ([800, 800], [warning])


def test_a_system_that_refuses_the_number_gets_a_smaller_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """On macOS there is no limit by its own word, and at most 10240 are accepted."""
    taken: list[tuple[int, int]] = []

    def set_limit(_: int, limits: tuple[int, int]) -> None:
        if limits[0] > 10_240:
            raise ValueError
        taken.append(limits)

    monkeypatch.setattr(open_files.resource, "getrlimit", lambda _: (256, resource.RLIM_INFINITY))
    monkeypatch.setattr(open_files.resource, "setrlimit", set_limit)
    assert open_files.allow_open_files(20_000) == 10_240
    assert taken == [(10_240, resource.RLIM_INFINITY)]


def test_without_such_a_limit_nothing_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_files, "resource", None)
    log: Any = None
    open_files.prepare_open_files(1_000_000, log)

"""Fixtures: harnesses with a fake server, the Textual app, real terminals with a real server."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from fullscreen.harness import Harness, at_screen
from fullscreen.tmux import Open, Terminal
from racetest import Process

from client_cli.tui.app import RaceApp


@pytest.fixture
def harness() -> Harness:
    """Ada in the lobby."""
    return Harness()


@pytest.fixture
def racing(harness: Harness) -> Harness:
    """Ada in a race that has just started."""
    harness.start_race()
    return harness


@pytest.fixture
def finished() -> Harness:
    """Ada after the race."""
    return at_screen("results")


@pytest.fixture
def make_app() -> Callable[[Harness], RaceApp]:
    """Make the app of a harness."""
    return lambda harness: RaceApp(harness.controller)


@pytest.fixture
async def process(tmp_path: Path, _service: None) -> AsyncIterator[Process]:
    """A server process."""
    started = await Process.serving("--data", tmp_path / "data")
    yield started
    await started.close()


@pytest.fixture
async def terminal(tmp_path: Path, process: Process) -> AsyncIterator[Open]:
    """Open terminals in a tmux server of the test's own."""
    socket = tmp_path / "tmux"
    opened: list[Terminal] = []

    async def open_(name: str, arguments: str, size: tuple[int, int] = (80, 24), **more: str) -> Terminal:
        client = Terminal(socket, name)
        environment = {
            "SIMONRACE_SERVER": process.url,
            "SIMONRACE_HOME": str(tmp_path / name),
            "LANG": "C.UTF-8",
            "COLORTERM": "truecolor",
            "COVERAGE_PROCESS_START": "",
            **more,
        }
        await client.start(size, arguments, **environment)
        opened.append(client)
        return client

    yield open_
    if opened:
        await opened[0].tmux("kill-server")

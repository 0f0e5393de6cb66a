"""Somebody at a screen: of a fake server, in Textual's hands, at a real terminal with a real server."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from fullscreen.scenes import Table, at_table
from fullscreen.tmux import Open, Terminal
from racetest import Process

from client_cli.tui.app import RaceApp


@pytest.fixture
def table() -> Table:
    """Ada, in the lobby."""
    return Table()


@pytest.fixture
def racing(table: Table) -> Table:
    """Ada, in a race that has just begun."""
    table.race()
    return table


@pytest.fixture
def over() -> Table:
    """Ada, after the race."""
    return at_table("results")


@pytest.fixture
def make_app() -> Callable[[Table], RaceApp]:
    """Show a seat with Textual."""
    return lambda table: RaceApp(table.seat)


@pytest.fixture
async def process(tmp_path: Path, _service: None) -> AsyncIterator[Process]:
    """A server as it is started by hand."""
    started = await Process.serving("--data", tmp_path / "data")
    yield started
    await started.close()


@pytest.fixture
async def terminal(tmp_path: Path, process: Process) -> AsyncIterator[Open]:
    """Open terminals on one tmux of the test's own."""
    socket = tmp_path / "tmux"
    opened: list[Terminal] = []

    async def open_(name: str, words: str, size: tuple[int, int] = (80, 24), **more: str) -> Terminal:
        there = Terminal(socket, name)
        environment = {
            "SIMONRACE_SERVER": process.url,
            "SIMONRACE_HOME": str(tmp_path / name),
            "LANG": "C.UTF-8",
            "COLORTERM": "truecolor",
            "COVERAGE_PROCESS_START": "",
            **more,
        }
        await there.start(size, words, **environment)
        opened.append(there)
        return there

    yield open_
    if opened:
        await opened[0].tmux("kill-server")

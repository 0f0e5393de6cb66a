"""Output of the demo: live standings in a terminal, occasional lines in a pipe."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, TextIO

from rich.console import Console, Group
from rich.live import Live

from client_cli.core import times
from client_cli.core.model import Model
from client_cli.line.screen import can_draw, rich_text, style_of
from client_cli.net.connection import now_ms
from client_cli.text import tables
from client_cli.text.sentences import sentence
from client_cli.text.style import Line, Role, line
from protocol import from_server

PIPE_SECONDS: Final = 2.0
"""Interval of the standings in a pipe."""

FRAMES_PER_SECOND: Final = 12


class Show:
    """Prints events and draws the standings."""

    def __init__(self, output: TextIO) -> None:
        self._console = Console(file=output, highlight=False)
        self._style = style_of(output)
        self._in_place = can_draw(output)
        self._live: Live | None = None
        self._printed_at = float("-inf")

    @contextmanager
    def live(self) -> Iterator[None]:
        """Draw the standings in place during the race, if the output is a terminal."""
        if not self._in_place:
            yield
            return
        with Live(console=self._console, refresh_per_second=FRAMES_PER_SECOND) as self._live:
            yield
        self._live = None

    def print_text(self, text: str) -> None:
        """Print a line above what is drawn in place."""
        self._print([line(text)])

    def event(self, model: Model, message: from_server.FromServer) -> None:
        """Print the sentence of an event; draw standings."""
        if isinstance(message, from_server.Standings):
            self._standings(model)
            return
        text = sentence(model, message, self._style)
        if isinstance(message, from_server.RaceStarted):
            text = f"Race {message.race} has started on {message.code}."
        if text is not None:
            self._print([line(text, Role.QUIET)])

    def results(self, model: Model) -> None:
        """Print the results of the race."""
        code = model.race.code if model.race else ""
        self._print([(), line(f"Results of race {model.races} on {code}", Role.TITLE)])
        self._print([*tables.results(model, self._style), ()])

    def leaderboard(self, board: from_server.Leaderboard) -> None:
        """Print the leaderboards."""
        self._print([*tables.leaderboard(board, self._style), ()])

    def _standings(self, model: Model) -> None:
        width = min(self._style.width, 80)
        rows = tables.standings(model, self._style, width, self._style.height - 3)
        lines = [line(f"{times.rough(model.elapsed(now_ms()))} since the start", Role.TITLE), *rows]
        if self._live is not None:
            self._live.update(Group(*map(rich_text, lines)))
        elif not self._in_place and time.monotonic() - self._printed_at >= PIPE_SECONDS:
            self._printed_at = time.monotonic()
            self._print(lines)

    def _print(self, lines: list[Line]) -> None:
        for each in lines:
            self._console.print(rich_text(each), soft_wrap=True)

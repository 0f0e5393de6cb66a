"""The face for pipes and scripts: one event a line, and nothing is ever drawn over."""

import time
from collections.abc import Callable
from typing import Final, TextIO

from client_cli.core.addresses import Server
from client_cli.core.commands import HELP
from client_cli.core.conversation import Link
from client_cli.text import event_lines
from client_cli.text.translation import ENGLISH, Words
from protocol import from_server as msg

STANDINGS_SECONDS: Final = 1.0
"""Standings that change are printed this often at most; the results come whole anyway."""


class NobodyReadsError(Exception):
    """The program that read our lines has gone; no OSError, which would mean the connection."""


class PipeFace:
    """Prints each event as one line; only a `text` is in the language of whoever reads it."""

    def __init__(
        self,
        output: TextIO,
        link: Link,
        server: Server,
        clock: Callable[[], float] = time.monotonic,
        words: Words = ENGLISH,
    ) -> None:
        self._output, self._link, self._server, self._clock = output, link, server, clock
        self._words = words
        self._standings_at = float("-inf")
        self._standings: list[str] = []

    def heard(self, message: msg.FromServer) -> None:
        """Print what a message says."""
        model = self._link.model
        if isinstance(message, msg.Standings):
            now = self._clock()
            shown = event_lines.standings(model)
            if now - self._standings_at >= STANDINGS_SECONDS and shown != self._standings:
                self._standings_at, self._standings = now, shown
                self._print(shown)
            return
        self._print(event_lines.lines(model, message))
        if isinstance(message, msg.Room):
            self._print([event_lines.event("share", link=self._server.link(model.room))])

    def lost(self, why: str) -> None:
        """Tell that the connection is gone."""
        text = self._words("{why} Trying again.", why=self._words.said(why))
        self._print([event_lines.event("connection", state="lost", text=text)])

    def back(self) -> None:
        """Tell that the connection is there again."""
        self._print([event_lines.event("connection", state="back")])

    def show(self, word: str) -> None:
        """Print what a command asks for."""
        model = self._link.model
        match word:
            case "board":
                self._print(event_lines.own_game(model.game) or [event_lines.event("game", n=None)])
            case "who":
                self._print(event_lines.members(model))
            case "standings":
                self._print(event_lines.standings(model))
            case _:
                self._print([event_lines.event("help", text=self._words(text)) for text in HELP])

    def note(self, text: str) -> None:
        """Print a note of the client's own."""
        self._print([event_lines.event("note", text=self._words.said(text))])

    def problem(self, text: str) -> None:
        """Print what was wrong with a line."""
        self._print([event_lines.event("problem", text=self._words.said(text))])

    def typed(self) -> None:
        """Nothing is drawn, so nothing is drawn anew."""

    def _print(self, lines: list[str]) -> None:
        try:
            self._output.writelines(f"{line}\n" for line in lines)
            self._output.flush()
        except BrokenPipeError:
            raise NobodyReadsError from None

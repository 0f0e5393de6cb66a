"""Front end for pipes and scripts: one event per line."""

import time
from collections.abc import Callable
from typing import Final, TextIO

from client_cli.core.addresses import Server
from client_cli.core.command_help import help_lines
from client_cli.core.conversation import Conversation
from client_cli.text import event_lines
from client_cli.text.translation import ENGLISH, Translation
from protocol import from_server

STANDINGS_SECONDS: Final = 1.0
"""Shortest interval between standings; the results are always printed."""


class PipeClosedError(Exception):
    """The reader of the pipe is gone. Not an OSError, which would mean the connection."""


class PipeFrontend:
    """Prints each event as one line. Only the value of `text` is translated."""

    def __init__(
        self,
        output: TextIO,
        conversation: Conversation,
        server: Server,
        clock: Callable[[], float] = time.monotonic,
        translate: Translation = ENGLISH,
    ) -> None:
        self._output, self._conversation, self._server, self._clock = output, conversation, server, clock
        self._translate = translate
        self._standings_at = float("-inf")
        self._standings: list[str] = []

    def message_received(self, message: from_server.FromServer) -> None:
        """Print the lines of a message."""
        model = self._conversation.model
        if isinstance(message, from_server.Standings):
            now = self._clock()
            shown = event_lines.standings(model)
            if now - self._standings_at >= STANDINGS_SECONDS and shown != self._standings:
                self._standings_at, self._standings = now, shown
                self._print(shown)
            return
        self._print(event_lines.lines(model, message))
        if isinstance(message, from_server.Room):
            self._print([event_lines.event("share", link=self._server.room_link(model.room))])

    def connection_lost(self, why: str) -> None:
        """Print that the connection is lost."""
        text = self._translate("{why} Trying again.", why=self._translate.sentence(why))
        self._print([event_lines.event("connection", state="lost", text=text)])

    def connection_restored(self) -> None:
        """Print that the connection is restored."""
        self._print([event_lines.event("connection", state="back")])

    def show(self, word: str) -> None:
        """Print what a command asks for."""
        model = self._conversation.model
        match word:
            case "board":
                self._print(event_lines.own_game(model.game) or [event_lines.event("game", n=None)])
            case "who":
                self._print(event_lines.members(model))
            case "standings":
                self._print(event_lines.standings(model))
            case _:
                self._print([event_lines.event("help", text=self._translate(text)) for text in help_lines()])

    def note(self, text: str) -> None:
        """Print a sentence of the client itself."""
        self._print([event_lines.event("note", text=self._translate.sentence(text))])

    def problem(self, text: str) -> None:
        """Print what is wrong with the typed line."""
        self._print([event_lines.event("problem", text=self._translate.sentence(text))])

    def line_entered(self) -> None:
        """Do nothing: there is no input line to draw."""

    def _print(self, lines: list[str]) -> None:
        try:
            self._output.writelines(f"{line}\n" for line in lines)
            self._output.flush()
        except BrokenPipeError:
            raise PipeClosedError from None

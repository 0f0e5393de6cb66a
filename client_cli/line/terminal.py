"""Front end for a terminal: board, standings and events stay in place above an input line."""

import asyncio
import contextlib
import signal
from collections import deque
from typing import Final, TextIO

from client_cli.core.addresses import Server
from client_cli.core.command_help import help_lines
from client_cli.core.conversation import Conversation
from client_cli.core.own_game import from_view
from client_cli.line.screen import Screen, style_of
from client_cli.net.connection import now_ms
from client_cli.text import server_texts, tables
from client_cli.text.board import board
from client_cli.text.frame import FrameContext, frame
from client_cli.text.sentences import sentence
from client_cli.text.style import Line, Role, Style, line
from client_cli.text.translation import ENGLISH, Translation
from client_cli.text.width import text_width
from protocol import from_server
from protocol.parts import Phase

DRAW_SECONDS: Final = 0.05
"""Changes within this time are drawn together."""

CLOCK_SECONDS: Final = 0.5
"""Interval of drawing while a clock runs."""

_LOG_LINES: Final = 100
_TICKING: Final = (Phase.COUNTDOWN, Phase.RACING)


class TerminalFrontend:
    """Draws the screen soon after each change, and regularly while a clock runs."""

    def __init__(
        self,
        output: TextIO,
        conversation: Conversation,
        server: Server,
        *,
        ascii_only: bool = False,
        translate: Translation = ENGLISH,
    ) -> None:
        self._output, self._conversation, self._server, self._ascii = output, conversation, server, ascii_only
        self._translate = translate
        self._screen = Screen(output)
        self._log: deque[str] = deque(maxlen=_LOG_LINES)
        self._page: tuple[Line, ...] = ()
        self._status = ""
        self._lost = ""
        self._prompt = True
        self._changed = asyncio.Event()

    async def draw(self) -> None:
        """Draw the screen from the first room until cancelled, then restore the terminal."""
        while not self._conversation.model.room:
            self._changed.clear()
            await self._changed.wait()
        self._screen.open()
        loop = asyncio.get_running_loop()
        with contextlib.suppress(NotImplementedError):  # no signal for a resized window
            loop.add_signal_handler(signal.SIGWINCH, self._changed.set)
        try:
            while True:
                self._paint()
                try:
                    ticking = CLOCK_SECONDS if self._conversation.model.phase in _TICKING else None
                    # Not wait_for(): in Python 3.11 it loses a cancellation that arrives with a change.
                    async with asyncio.timeout(ticking):
                        await self._changed.wait()
                except TimeoutError:
                    continue
                await asyncio.sleep(DRAW_SECONDS)
                self._changed.clear()
        finally:
            with contextlib.suppress(NotImplementedError):
                loop.remove_signal_handler(signal.SIGWINCH)
            self._screen.close()

    def farewell(self) -> list[Line]:
        """Return the results of the last race, to print after the terminal was restored."""
        return tables.farewell(self._conversation.model, self._style)

    def message_received(self, message: from_server.FromServer) -> None:
        """Show what a message changes."""
        style = self._style
        match message:
            case from_server.Refused() if message.race == self._conversation.model.race_number:
                self.problem(server_texts.refused(self._translate, message))
            case from_server.Error():
                self.problem(server_texts.error(self._translate, message))
            case from_server.Accepted() if message.race == self._conversation.model.race_number:
                self._status = ""
            case from_server.RaceStarted() | from_server.RaceEnded():
                self._status = ""
                self._log_event(message, style)
            case from_server.Board():
                name = self._conversation.model.name(message.player)
                game = from_view(message.game)
                numbers = {"score": game.score, "moves": game.moves, "runs": game.runs}
                title = self._translate(
                    "{name}: score {score}, moves {moves}, runs {runs} of 4", name=name, **numbers
                )
                self._page = (line(title, Role.TITLE), *board(game.columns, style, height=style.height - 5))
            case from_server.Leaderboard():
                self._page = tuple(tables.leaderboard(message, style))
            case _:
                self._log_event(message, style)
        self._changed.set()

    @property
    def _style(self) -> Style:
        return style_of(self._output, ascii_only=self._ascii, translate=self._translate)

    def _log_event(self, message: from_server.FromServer, style: Style) -> None:
        text = sentence(self._conversation.model, message, style)
        if text is not None:
            self._log.append(text)

    def connection_lost(self, why: str) -> None:
        """Show that the connection is lost, until it is restored."""
        self._lost = self._translate(
            "Connection lost, trying again. {why}", why=self._translate.sentence(why)
        )
        self._changed.set()

    def connection_restored(self) -> None:
        """Show that the connection is restored."""
        self._lost = ""
        self._log.append(self._translate("The connection is back."))
        self._changed.set()

    def show(self, word: str) -> None:
        """Show a page until the next line is entered; `board` redraws the room."""
        model = self._conversation.model
        style = self._style
        match word:
            case "help":
                self._page = tuple(line(self._translate(text)) for text in help_lines())
            case "who":
                self._page = (
                    line(self._translate("In this room"), Role.TITLE),
                    *tables.member_lines(model, style),
                )
            case "standings":
                rows = tables.standings(model, style, style.width, style.height - 5)
                self._page = (line(self._translate("Standings"), Role.TITLE), *rows)
            case _:
                self._screen.forget()
        self._changed.set()

    def note(self, text: str) -> None:
        """Add a sentence of the client itself to the log."""
        self._log.append(self._translate.sentence(text))
        self._changed.set()

    def problem(self, text: str) -> None:
        """Show what is wrong with the typed line in the status; in the log as well if it is too long."""
        text = self._translate.sentence(text)
        self._status = text
        if text_width(text) >= self._style.width:
            self._log.append(text)
        self._changed.set()

    def line_entered(self) -> None:
        """Close the page, and clear the status and the input line."""
        self._page, self._status, self._prompt = (), "", True
        self._changed.set()

    def _paint(self) -> None:
        model = self._conversation.model
        style = self._style
        context = FrameContext(self._server.room_link(model.room), tuple(self._log), self._page)
        status = self._lost or self._status
        self._screen.paint(
            frame(model, style, now_ms(), context), line(status, Role.WARNING), style, prompt=self._prompt
        )
        self._prompt = False

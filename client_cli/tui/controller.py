"""Controller of the full screen, between the conversation, the state and the app. It imports no Textual."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from client_cli.core.addresses import Server
from client_cli.core.conversation import Conversation, Identity
from client_cli.files.preferences import Preferences
from client_cli.files.saved_records import SaveError, save
from client_cli.net.connection import now_ms
from client_cli.text.style import Line, Role, Style
from client_cli.tui import mouse
from client_cli.tui.board_polling import BoardPolling
from client_cli.tui.mouse import MouseEvent
from client_cli.tui.ports import Screen
from client_cli.tui.state import key_actions, menus, message_handlers, playback, typed_lines
from client_cli.tui.state.effects import (
    CloseScreen,
    Effect,
    LeaveRoom,
    OpenPrompt,
    SaveRecord,
    SendAction,
    SendRequest,
)
from client_cli.tui.state.keys import Mode
from client_cli.tui.state.state import Context, Page, ScreenState, Update
from client_cli.tui.views.screen import screen, with_line_in_range
from protocol import from_client, from_server
from protocol.parts import Phase


class Controller:
    """Takes messages, keys and the mouse, changes the state, and sends what follows from it.

    It listens to the connection. `keep_identity` saves the identity that the server assigns.
    """

    def __init__(
        self,
        conversation: Conversation,
        server: Server,
        style: Style,
        preferences: Preferences,
        keep_identity: Callable[[Identity], None],
        *,
        clock: Callable[[], int] = now_ms,
    ) -> None:
        self.conversation = conversation
        self.style = style  # glyphs and language; each drawing has a size of its own
        self.state = menus.with_preferences(ScreenState(), preferences)
        self.entered = asyncio.Event()  # set once there is a room to show
        self._screen: Screen | None = None  # none before there is a room
        self._flush: Callable[[], None] = _do_nothing  # sends what the conversation has queued
        self._report_delay: Callable[[str], None] = _ignore  # says why there is no room yet
        self._server = server
        self._keep_identity = keep_identity
        self._clock = clock  # ms; only differences mean something
        self._last_tick_ms = clock()
        self._board_polling = BoardPolling()
        self._size = (80, 24)  # of the last drawing

    @property
    def context(self) -> Context:
        """What the client knows now, beside the state."""
        model = self.conversation.model
        return Context(model, self.conversation.named_code, self._server.room_link(model.room), self._clock())

    def use_connection(
        self, flush: Callable[[], None], report_delay: Callable[[str], None] | None = None
    ) -> None:
        """Send through a connection; `report_delay` gets the reasons to wait before there is a room."""
        self._flush = flush
        if report_delay is not None:
            self._report_delay = report_delay

    def use_screen(self, screen: Screen) -> None:
        """Show the state on a screen from now on."""
        self._screen = screen

    def lines(self, width: int, height: int) -> list[Line]:
        """Return the lines of the screen at a size."""
        self._size = (width, height)
        style = self._sized_style()
        self.state = with_line_in_range(self.state, self.context, style)
        return screen(self.state, self.context, style)

    def flush(self) -> None:
        """Send what the conversation has queued."""
        self._flush()

    def message_received(self, message: from_server.FromServer) -> None:
        """Handle a message that the conversation has received."""
        if isinstance(message, from_server.Welcome) and self.conversation.identity is not None:
            self._keep_identity(self.conversation.identity)
        self._apply(message_handlers.handle(self.state, self.context, message, self.style))
        if self.conversation.model.room:
            self.entered.set()
        self._show()

    def connection_lost(self, why: str) -> None:
        """Show that the connection is lost, until it is back."""
        translate = self.style.translate
        self.state = replace(
            self.state.with_log(translate.sentence(why), Role.WARNING),
            connection_lost=translate("Connection lost, trying again."),
        )
        if not self.entered.is_set():
            self._report_delay(translate("{why} Trying again.", why=translate.sentence(why)))
        self._show()

    def connection_restored(self) -> None:
        """Show that there is a connection again."""
        text = self.style.translate("The connection is back.")
        self.state = replace(self.state.with_log(text), connection_lost="")
        self._show()

    def ended(self, why: str) -> None:
        """Show why the conversation is over; without a reason close the screen."""
        self.state = replace(self.state, connection_lost="")
        if not why:
            self._carry_out(CloseScreen())
            return
        self.state = replace(self.state, end_reason=self.style.translate.sentence(why)).with_page(Page.ENDED)
        self._show()

    def press(self, key: str) -> None:
        """Handle a key."""
        self._apply(key_actions.press(self.state, self.context, key))
        self._show()

    def submit(self, text: str | None) -> None:
        """Handle a typed line; None if typing was cancelled."""
        if text is None:
            self.state = replace(self.state, prompt=None)
        else:
            self._apply(typed_lines.submit(self.state, self.context, text, self.style.translate))
        self._show()

    def point(self, event: MouseEvent, x: int, y: int, width: int, height: int) -> None:
        """Handle the mouse at a cell of a screen of this size."""
        style = replace(self.style, width=width, height=height)
        update = mouse.handle(self.state, self.context, style, event, (x, y))
        if update is not None:
            self._apply(update)
            self._show()

    def scroll(self, key: str) -> None:
        """Handle the wheel as the key `up` or `down`; in a race it does not pick up cards."""
        held = self.state.selection.held
        if self.state.mode(self.conversation.model) is not Mode.RACE or held is not None:
            self.press(key)

    def tick(self) -> None:
        """Do what is due: ring for the countdown, advance a replay, request boards, redraw the clock."""
        context = self.context
        elapsed_ms, self._last_tick_ms = context.now_ms - self._last_tick_ms, context.now_ms
        self._apply(message_handlers.handle_tick(self.state, context))
        replaying = self.state.page is Page.REPLAY
        if replaying:
            self._advance_replay(elapsed_ms)
        if self.conversation.live and self.conversation.idle:
            racer = self._board_polling.next_racer(self.state, context, self._sized_style())
            if racer is not None:
                self._perform(SendRequest(from_client.GetBoard(player=racer)))
        if context.model.phase in (Phase.COUNTDOWN, Phase.RACING) or replaying:
            self._show()

    def show_status(self, text: str) -> None:
        """Show a sentence in the status line; the caller redraws."""
        self.state = replace(self.state, status=text)

    def _advance_replay(self, elapsed_ms: int) -> None:
        shown, recording = self.state.playback, self.state.recording
        if shown is not None and recording is not None:
            shown = playback.advance(shown, recording.game(shown.player), elapsed_ms)
            self.state = replace(self.state, playback=shown)

    def _sized_style(self) -> Style:
        width, height = self._size
        return replace(self.style, width=width, height=height)

    def _apply(self, update: Update) -> None:
        """Take over a changed state, then do what it asks for outside."""
        self.state, effects = update
        for effect in effects:
            self._perform(effect)
        for note in self.conversation.take_notes():
            text = self.style.translate.sentence(note)
            self.state = replace(self.state.with_log(text), status=text)

    def _perform(self, effect: Effect) -> None:
        match effect:
            case SendAction(command):
                self.conversation.submit_action(command)
                self._flush()
            case SendRequest(request):
                self.conversation.submit_request(request)
                self._flush()
            case SaveRecord(path):
                self._save_record(path)
            case OpenPrompt(prompt):
                self.state = replace(self.state, prompt=prompt)
                self._carry_out(effect)
            case LeaveRoom():
                self._leave()
            case _:
                self._carry_out(effect)

    def _leave(self) -> None:
        """Leave the room; the screen waits a moment for the server's answer."""
        if self.conversation.live and self.conversation.ended is None:
            self.conversation.submit_request(from_client.Leave())
            self._flush()
            self._carry_out(LeaveRoom())
        else:
            self._carry_out(CloseScreen())

    def _save_record(self, path: str) -> None:
        if self.state.recording is None:
            return
        try:
            saved = self.style.translate.sentence(save(self.state.recording.record, path))
        except SaveError as error:
            self.state = replace(self.state, status=self.style.translate.sentence(error.sentence))
        else:  # in the log, because the status has one line and would cut off the command
            self.state = self.state.with_log(saved, Role.TEXT)

    def _carry_out(self, effect: Effect) -> None:
        if self._screen is not None:
            self._screen.carry_out(effect)

    def _show(self) -> None:
        if self._screen is not None:
            self._screen.show()


def _do_nothing() -> None:
    """Send nothing: there is no connection yet."""


def _ignore(_: str) -> None:
    """Report nothing."""

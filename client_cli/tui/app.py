"""Textual app: paints the controller's lines and passes keys, the mouse and typed lines on to it."""

from pathlib import Path
from typing import Any, ClassVar, Final

from textual import events
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.screen import Screen as TextualScreen
from textual.widgets import Input

from client_cli.files import preferences
from client_cli.text.style import Role, Tone
from client_cli.text.width import text_width
from client_cli.tui.cell_diff import cut_to_spans
from client_cli.tui.controller import Controller
from client_cli.tui.mouse import MouseEvent
from client_cli.tui.palette import DARK, LIGHT
from client_cli.tui.pane import Pane
from client_cli.tui.state.effects import (
    ApplyPreferences,
    CloseScreen,
    CopyText,
    Effect,
    LeaveRoom,
    OpenPrompt,
    RingBell,
)
from client_cli.tui.views.status import prompt_text

TICK_SECONDS: Final = 0.1
LEAVE_SECONDS: Final = 3.0
"""How long the screen stays open at most after the player has left the room."""


class RaceApp(App[None]):
    """The full screen of one player."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = []
    CSS = """
    Screen { layers: page line; }
    Pane { width: 100%; height: 100%; layer: page; }
    Input { layer: line; dock: bottom; height: 1; border: none; padding: 0; display: none; }
    Input:focus { border: none; }
    """

    def __init__(self, controller: Controller, home: Path | None = None, *, colours: bool = True) -> None:
        super().__init__(ansi_color=None if colours else True)
        self.controller = controller
        self.pane = Pane(self._pressed, self.show, colours=colours)
        self.input = Input(compact=True, select_on_focus=False)  # hidden unless a prompt is open
        self.failure: Exception | None = None  # exception that ended the app
        self._home = home  # folder of the preferences; None: they are not saved

    def compose(self) -> ComposeResult:
        """Return the pane and, above it, the input line."""
        yield self.pane
        yield self.input

    def on_mount(self) -> None:
        """Start showing the controller's state."""
        self._apply_colours()
        self.controller.use_screen(self)
        self.set_interval(TICK_SECONDS, self.controller.tick)
        self.pane.focus()
        self.show()

    def show(self) -> None:
        """Draw what has changed."""
        width, height = self.size
        if width and height:
            lines = self.controller.lines(width, height)
            self.pane.paint(lines, dark=self.controller.state.preferences.dark)

    def carry_out(self, effect: Effect) -> None:
        """Do what only a screen can."""
        match effect:
            case OpenPrompt():
                self._open_input(effect)
            case CopyText(text):
                self.copy_to_clipboard(text)
                self.controller.show_status(self.controller.style.translate("Copied: {text}", text=text))
            case RingBell():
                self.bell()
            case ApplyPreferences():
                if self._home is not None:
                    preferences.write(self._home, self.controller.state.preferences)
                self._apply_colours()
            case LeaveRoom():
                self.set_timer(LEAVE_SECONDS, self.exit)
            case CloseScreen():
                self.exit()
            case _:
                pass

    def on_key(self, event: events.Key) -> None:
        """Escape cancels typing."""
        if self.input.has_focus and event.key == "escape":
            self._close_input(None)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Pass the typed line on."""
        self._close_input(event.value)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Pass the left button on; the right button is Escape."""
        if event.button == 1:
            self._point(MouseEvent.DOWN, event)
        elif event.button == 3:
            self.controller.press("escape")

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Pass the mouse on while a group is held."""
        if self.controller.state.selection.held is not None:
            self._point(MouseEvent.MOVE, event)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Pass the released button on."""
        self._point(MouseEvent.UP, event)

    def on_mouse_scroll_down(self, _: events.MouseScrollDown) -> None:
        """Scroll down."""
        self.controller.scroll("down")

    def on_mouse_scroll_up(self, _: events.MouseScrollUp) -> None:
        """Scroll up."""
        self.controller.scroll("up")

    async def action_quit(self) -> None:
        """Ask before leaving; Textual would quit at once."""
        self.controller.press("ctrl+q")

    def _pressed(self, event: events.Key) -> None:
        if self.controller.state.prompt is None:
            self.controller.press(key_name(event))
        else:  # typed or pasted before the input line had the focus
            self.input.post_message(events.Key(event.key, event.character))

    def _handle_exception(self, error: Exception) -> None:
        """Restore the terminal without a traceback; start.py raises the exception again."""
        self.failure = error
        super()._handle_exception(error) if self.is_headless else self.exit()

    def _display(self, screen: "TextualScreen[Any]", renderable: Any) -> None:
        """Write only the cells that have changed."""
        super()._display(screen, cut_to_spans(renderable))

    def _point(self, event: MouseEvent, where: events.MouseEvent) -> None:
        width, height = self.size
        self.controller.point(event, where.screen_x, where.screen_y, width, height)

    def _open_input(self, effect: OpenPrompt) -> None:
        """Show the input line behind its prompt, above the hints."""
        before = text_width(prompt_text(effect.prompt, self.controller.style))
        self.input.styles.offset = (before, -1)
        self.input.styles.margin = (0, before + 1, 0, 0)
        self.input.value = effect.text
        self.input.cursor_position = len(effect.text)
        self.input.display = True
        self.screen.set_focus(self.input)

    def _close_input(self, text: str | None) -> None:
        self.input.display = False
        self.pane.focus()
        self.controller.submit(text)

    def _apply_colours(self) -> None:
        if not self.pane.colours:
            return
        palette = DARK if self.controller.state.preferences.dark else LIGHT
        self.input.styles.background = palette.ground[Tone.STRIPE]
        self.input.styles.color = palette.text[Role.TITLE]
        self.screen.styles.background = palette.ground[Tone.PAGE]


def key_name(event: events.Key) -> str:
    """Return a key as the table of keys names it: a printable key by its character."""
    if event.character and event.character.isprintable() and event.character != " ":
        return event.character
    return event.key

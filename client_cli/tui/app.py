"""The app of Textual: it paints a seat's rows, and hands it keys, the mouse and typed lines."""

from pathlib import Path
from typing import Any, ClassVar, Final

from textual import events
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.screen import Screen as TextualScreen
from textual.widgets import Input

from client_cli.files import preferences
from client_cli.text.style import Role
from client_cli.text.width import text_width
from client_cli.tui.cell_diff import narrowed
from client_cli.tui.controller import Seat
from client_cli.tui.palette import DARK, LIGHT
from client_cli.tui.pane import Pane
from client_cli.tui.state.effects import Copy, Effect, End, Leave, Prefer, Ring, Type
from client_cli.tui.views.ink import Tone
from client_cli.tui.views.screen import prompt

TICK_SECONDS: Final = 0.1
LEAVE_SECONDS: Final = 3.0


class RaceApp(App[None]):
    """The full screen of one seat."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = []
    CSS = """
    Screen { layers: page line; }
    Pane { width: 100%; height: 100%; layer: page; }
    Input { layer: line; dock: bottom; height: 1; border: none; padding: 0; display: none; }
    Input:focus { border: none; }
    """

    def __init__(self, seat: Seat, home: Path | None = None, *, colours: bool = True) -> None:
        super().__init__(ansi_color=None if colours else True)
        self.seat, self._home = seat, home
        self.pane = Pane(self._pressed, self.show)
        self.pane.colours = colours
        self.fault: Exception | None = None
        self.line = Input(compact=True, select_on_focus=False)

    def compose(self) -> ComposeResult:
        """Return the pane and, above it, the line that is typed."""
        yield self.pane
        yield self.line

    def on_mount(self) -> None:
        """Begin to show the seat."""
        self._ground()
        self.seat.screen = self
        self.set_interval(TICK_SECONDS, self.seat.tick)
        self.pane.focus()
        self.show()

    def show(self) -> None:
        """Draw what has changed."""
        width, height = self.size
        if width and height:
            self.pane.paint(self.seat.rows(width, height), dark=self.seat.desk.prefer.dark)

    def carry_out(self, effect: Effect) -> None:
        """Do what only a screen can."""
        match effect:
            case Type(what, start):
                before = text_width(prompt(what, self.seat.style))
                self.line.styles.offset = (before, -1)
                self.line.styles.margin = (0, before + 1, 0, 0)
                self.line.value = start
                self.line.cursor_position = len(start)
                self.line.display = True
                self.screen.set_focus(self.line)
            case Copy(text):
                self.copy_to_clipboard(text)
                self.seat.desk.status = self.seat.style.translate("Copied: {text}", text=text)
            case Ring():
                self.bell()
            case Prefer():
                if self._home is not None:
                    preferences.write(self._home, self.seat.desk.prefer)
                self._ground()
            case Leave():
                self.set_timer(LEAVE_SECONDS, self.exit)
            case End():
                self.exit()
            case _:
                pass

    def on_key(self, event: events.Key) -> None:
        """While somebody types, Escape gives the line up."""
        if self.line.has_focus and event.key == "escape":
            self._typed(None)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Hand the typed line to the seat."""
        self._typed(event.value)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """The button went down."""
        if event.button == 1:
            self._point("down", event)
        elif event.button == 3:
            self.seat.press("escape")

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """The mouse moved."""
        if self.seat.desk.hand.held is not None:
            self._point("move", event)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """The button went up."""
        self._point("up", event)

    def on_mouse_scroll_down(self, _: events.MouseScrollDown) -> None:
        """The wheel turned: as the key down."""
        self.seat.scroll("down")

    def on_mouse_scroll_up(self, _: events.MouseScrollUp) -> None:
        """The wheel turned: as the key up."""
        self.seat.scroll("up")

    async def action_quit(self) -> None:
        """Ctrl-Q asks whether to leave."""
        self.seat.press("ctrl+q")

    def _pressed(self, event: events.Key) -> None:
        if self.seat.desk.typing is None:
            self.seat.press(key_name(event))
        else:  # pressed before the line had the focus, by somebody who types fast or pastes
            self.line.post_message(events.Key(event.key, event.character))

    def _handle_exception(self, error: Exception) -> None:
        """Give the terminal back without a traceback; whoever runs the app says what happened."""
        self.fault = error
        super()._handle_exception(error) if self.is_headless else self.exit()

    def _display(self, screen: "TextualScreen[Any]", renderable: Any) -> None:
        """Write only the cells that have changed."""
        super()._display(screen, narrowed(renderable))

    def _point(self, what: str, event: events.MouseEvent) -> None:
        width, height = self.size
        self.seat.point(what, event.screen_x, event.screen_y, width, height)

    def _typed(self, text: str | None) -> None:
        self.line.display = False
        self.pane.focus()
        self.seat.typed(text)

    def _ground(self) -> None:
        colours = (DARK if self.seat.desk.prefer.dark else LIGHT) if self.pane.colours else None
        if colours is not None:
            self.line.styles.background = colours.ground[Tone.STRIPE]
            self.line.styles.color = colours.text[Role.TITLE]
            self.screen.styles.background = colours.ground[Tone.PAGE]


def key_name(event: events.Key) -> str:
    """Return a key as the table of keys names it: a printable one by what it prints."""
    if event.character and event.character.isprintable() and event.character != " ":
        return event.character
    return event.key

"""The one widget that is drawn on: it paints rows, and only what has changed in them."""

from collections.abc import Callable, Sequence

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from client_cli.full.ink import Ink, Row, Tone, width_of
from client_cli.full.palette import style
from client_cli.look import Role
from client_cli.width import text_width


class Pane(Widget, can_focus=True):
    """Shows rows. Keys, the mouse and what a size means are for others to understand."""

    def __init__(self, pressed: Callable[[events.Key], None], resized: Callable[[], None]) -> None:
        super().__init__()
        self._pressed, self._resized = pressed, resized
        self.rows: tuple[Row, ...] = ()
        self.dark = True
        self.colours = True

    def paint(self, rows: Sequence[Row], *, dark: bool) -> None:
        """Show rows in place of those before."""
        before, self.rows = self.rows, tuple(rows)
        if dark != self.dark or len(before) != len(self.rows):
            self.dark = dark
            self.refresh()
            return
        spans = ((y, span(*pair)) for y, pair in enumerate(zip(before, self.rows, strict=True)))
        regions = [Region(start, y, end - start, 1) for y, (start, end) in spans if end > start]
        if regions:
            self.refresh(*regions)

    def on_key(self, event: events.Key) -> None:
        """Hand every key on, before Textual finds a meaning of its own for it."""
        event.stop()
        event.prevent_default()
        self._pressed(event)

    def on_resize(self, _: events.Resize) -> None:
        """There is more or less room."""
        self._resized()

    def render_line(self, y: int) -> Strip:
        """Return one row as Textual wants it."""
        width = self.size.width
        pieces = self.rows[y] if y < len(self.rows) else ()
        segments = [Segment(each.text, self._style(each)) for each in pieces if each.text]
        missing = width - width_of(pieces)
        if missing > 0:
            segments.append(Segment(" " * missing, self._style(Ink("", Role.TEXT, Tone.PAGE))))
        return Strip(segments, max(width, width - missing)).crop(0, width)

    def _style(self, piece: Ink) -> Style:
        return style(piece.role, piece.tone, dark=self.dark, colours=self.colours)


def span(before: Row, after: Row) -> tuple[int, int]:
    """Return the cells from the first to behind the last in which two rows differ."""
    if before == after:
        return (0, 0)
    old, new = list(before), list(after)
    start = 0
    while old and new and old[0] == new[0]:
        start += text_width(old.pop(0).text)
        new.pop(0)
    end = max(width_of(before), width_of(after))
    if width_of(tuple(old)) == width_of(tuple(new)):
        while old and new and old[-1] == new[-1]:
            end -= text_width(old.pop().text)
            new.pop()
    return (start, end)

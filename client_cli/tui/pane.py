"""The one widget that is drawn on: it paints rows, and only what has changed in them."""

from collections.abc import Callable, Sequence
from typing import Final

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from client_cli.text.style import Role
from client_cli.text.width import char_width
from client_cli.tui.palette import style
from client_cli.tui.views.ink import Ink, Row, Tone, width_of


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
        pairs = enumerate(zip(before, self.rows, strict=True))
        regions = [Region(start, y, end - start, 1) for y, pair in pairs for start, end in changes(*pair)]
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
        segments = self._segments(pieces)
        missing = width - width_of(pieces)
        if missing > 0:
            segments.append(Segment(" " * missing, self._style(Ink("", Role.TEXT, Tone.PAGE))))
        return Strip(segments, max(width, width - missing)).crop(0, width)

    def _segments(self, pieces: Row) -> list[Segment]:
        """Return the pieces with their styles; those of one style that follow each other are one."""
        joined: list[Segment] = []
        for each in pieces:
            style_ = self._style(each)
            if joined and joined[-1].style == style_:
                joined[-1] = Segment(joined[-1].text + each.text, style_)
            elif each.text:
                joined.append(Segment(each.text, style_))
        return joined

    def _style(self, piece: Ink) -> Style:
        return style(piece.role, piece.tone, dark=self.dark, colours=self.colours)


def changes(before: Row, after: Row) -> list[tuple[int, int]]:
    """Return where two rows differ: spans of cells, from the first to behind the last of each.

    Spans that are nearer to each other than it costs to move the cursor are one.
    """
    if before == after:
        return []
    old, new = _cells(before), _cells(after)
    length = max(len(old), len(new))
    old += [_BLANK] * (length - len(old))
    new += [_BLANK] * (length - len(new))
    spans: list[tuple[int, int]] = []
    for at in range(length):
        if old[at] == new[at]:
            continue
        if spans and at - spans[-1][1] < _NEAR:
            spans[-1] = (spans[-1][0], at + 1)
        else:
            spans.append((at, at + 1))
    return spans


def _cells(pieces: Row) -> list[Ink]:
    """Return a row cell by cell; both cells of a wide sign hold it, marks go with their base."""
    cells: list[Ink] = []
    for piece in pieces:
        for sign in piece.text:
            width = char_width(sign)
            if width:
                cells += [Ink(sign, piece.role, piece.tone)] * width
            elif cells:
                cells[-1] = cells[-1]._replace(text=cells[-1].text + sign)
    return cells


_BLANK: Final = Ink(" ")
_NEAR: Final = 3

"""Pane: the one widget of the screen. It redraws only the cells that have changed."""

from collections.abc import Callable, Sequence
from typing import Final

from rich.segment import Segment as RichSegment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from client_cli.text.style import Line, Segment, width_of
from client_cli.text.width import char_width
from client_cli.tui.palette import rich_style


class Pane(Widget, can_focus=True):
    """Widget that shows lines. Keys and resizes are passed to callbacks."""

    def __init__(
        self, pressed: Callable[[events.Key], None], resized: Callable[[], None], *, colours: bool = True
    ) -> None:
        super().__init__()
        self.lines: tuple[Line, ...] = ()
        self.dark = True
        self.colours = colours
        self._pressed, self._resized = pressed, resized

    def paint(self, lines: Sequence[Line], *, dark: bool) -> None:
        """Show lines in place of the last ones."""
        before, self.lines = self.lines, tuple(lines)
        if dark != self.dark or len(before) != len(self.lines):
            self.dark = dark
            self.refresh()
            return
        pairs = enumerate(zip(before, self.lines, strict=True))
        regions = [
            Region(start, y, end - start, 1) for y, pair in pairs for start, end in changed_spans(*pair)
        ]
        if regions:
            self.refresh(*regions)

    def on_key(self, event: events.Key) -> None:
        """Pass every key on, before Textual handles those that it has bindings for."""
        event.stop()
        event.prevent_default()
        self._pressed(event)

    def on_resize(self, _: events.Resize) -> None:
        """Pass a resize on."""
        self._resized()

    def render_line(self, y: int) -> Strip:
        """Return a line for Textual, padded or cropped to the width."""
        width = self.size.width
        line = self.lines[y] if y < len(self.lines) else ()
        segments = self._rich_segments(line)
        missing = width - width_of(line)
        if missing > 0:
            segments.append(RichSegment(" " * missing, self._style(Segment(""))))
        return Strip(segments, max(width, width - missing)).crop(0, width)

    def _rich_segments(self, line: Line) -> list[RichSegment]:
        """Return the segments with their styles; neighbours of one style are joined."""
        joined: list[RichSegment] = []
        for each in line:
            style = self._style(each)
            if joined and joined[-1].style == style:
                joined[-1] = RichSegment(joined[-1].text + each.text, style)
            elif each.text:
                joined.append(RichSegment(each.text, style))
        return joined

    def _style(self, segment: Segment) -> Style:
        return rich_style(segment.role, segment.tone, dark=self.dark, colours=self.colours)


def changed_spans(before: Line, after: Line) -> list[tuple[int, int]]:
    """Return the spans of cells, each from its first to behind its last, in which two lines differ.

    Spans with less than `_MIN_GAP` cells between them are one: moving the cursor would cost more.
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
        if spans and at - spans[-1][1] < _MIN_GAP:
            spans[-1] = (spans[-1][0], at + 1)
        else:
            spans.append((at, at + 1))
    return spans


def _cells(line: Line) -> list[Segment]:
    """Return a line cell by cell: both cells of a wide character hold it, combining marks join their base."""
    cells: list[Segment] = []
    for segment in line:
        for char in segment.text:
            width = char_width(char)
            if width:
                cells += [Segment(char, segment.role, segment.tone)] * width
            elif cells:
                cells[-1] = cells[-1]._replace(text=cells[-1].text + char)
    return cells


_BLANK: Final = Segment(" ")
_MIN_GAP: Final = 3

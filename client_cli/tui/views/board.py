"""Board: its lines, and the place on it at a cell, both from one geometry."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from client_cli.core.own_game import Table
from client_cli.text.style import SUIT_ROLES, Line, Role, Segment, Style, Tone
from client_cli.text.width import fit
from client_cli.tui.state.drop_targets import group_size
from client_cli.tui.state.selection import BoardPoint
from engine.layout import COLUMNS

_COLUMN_WIDTHS: Final = (9, 8, 7, 6, 5)
"""Preferred widths of a column in cells: three of the card, margins, a gap of one."""

_MIN_COLUMN_WIDTH: Final = 4
NUMBER_LINES: Final = 1
"""Lines above the cards: the numbers of the columns."""


@dataclass(frozen=True, slots=True)
class Geometry:
    """Sizes of a drawn board, in cells and lines."""

    column_width: int
    rows: int  # lines below the numbers
    free_height: int  # lines of a free card
    covered_height: int = 1  # lines of a covered card

    @property
    def width(self) -> int:
        """Cells of ten columns."""
        return COLUMNS * self.column_width

    def hidden(self, column: tuple[str, ...]) -> int:
        """Return how many of a column's deepest cards are replaced by their number."""
        return len(column) - self.rows + 1 if len(column) > self.rows else 0

    def covered_height_in(self, column: tuple[str, ...]) -> int:
        """Return how many lines the covered cards of a column have: one in a column that is too high."""
        return self.covered_height if self.covered_height * (len(column) - 1) < self.rows else 1

    def free_height_in(self, column: tuple[str, ...]) -> int:
        """Return how many lines the free card of a column has."""
        return max(1, min(self.free_height, self.rows - self.covered_height_in(column) * (len(column) - 1)))

    def point_at(self, columns: Table, x: int, y: int) -> BoardPoint | None:
        """Return the place at a cell, counted from the board's upper left corner; None off the board."""
        if not (0 <= x < self.width and y >= 0):
            return None
        number = x // self.column_width
        column = columns[number]
        if y < NUMBER_LINES or not column:
            return BoardPoint(number, 0)
        hidden = self.hidden(column)
        shown = len(column) - hidden
        row, step = max(0, y - NUMBER_LINES - (1 if hidden else 0)), self.covered_height_in(column)
        if row >= step * (shown - 1) + self.free_height_in(column):
            return BoardPoint(number, 0)
        return BoardPoint(number, max(1, shown - row // step))


def geometry(width: int, height: int) -> Geometry:
    """Return the largest board that fits into so many cells."""
    column_width = next((each for each in _COLUMN_WIDTHS if COLUMNS * each <= width), _MIN_COLUMN_WIDTH)
    rows = max(1, height - NUMBER_LINES)
    free_height = 3 if rows >= 24 else 2 if rows >= 19 else 1
    return Geometry(column_width, rows, free_height, covered_height=2 if rows >= 32 else 1)


@dataclass(frozen=True, slots=True)
class Highlights:
    """What is highlighted: held cards at the end of a column, the cursor, columns that can take them."""

    source: int | None = None
    held: int = 0
    cursor: int | None = None
    targets: Collection[int] = ()


def board(columns: Table, shape: Geometry, style: Style, highlights: Highlights) -> list[Line]:
    """Return the lines of the board: numbers, then cards, the free card at the end of its column."""
    parts = [_column(number, columns, shape, style, highlights) for number in range(len(columns))]
    height = min(shape.rows, max(map(len, parts)))
    blank = (Segment(" " * shape.column_width),)
    cards = [
        tuple(each for part in parts for each in (part[at] if at < len(part) else blank))
        for at in range(height)
    ]
    return [_numbers(shape, style, highlights), *cards]


def _numbers(shape: Geometry, style: Style, highlights: Highlights) -> Line:
    segments: list[Segment] = []
    for number in range(COLUMNS):
        label = str(number + 1)
        role, tone = Role.QUIET, Tone.PAGE
        if number in highlights.targets:
            label = f"{label}{'▼' if style.glyphs else 'v'}"
            role, tone = Role.BAR, Tone.LIT
        if number == highlights.cursor:
            label = f"[{label}]"
            role, tone = Role.ME, Tone.LIT if number in highlights.targets else Tone.CHOSEN
        width = shape.column_width - 1
        before = max(0, (width - len(label)) // 2)
        segments += [Segment((" " * before + label).ljust(width)[:width], role, tone), Segment(" ")]
    return tuple(segments)


def _column(number: int, columns: Table, shape: Geometry, style: Style, highlights: Highlights) -> list[Line]:
    column = columns[number]
    width = shape.column_width - 1
    target = number in highlights.targets
    if not column:
        slot = ("┄" if style.glyphs else "-") * 2 if target else style.dot
        role, tone = (Role.BAR, Tone.LIT) if target else (Role.QUIET, Tone.STRIPE)
        return [_cell(_centred_text(slot, width), role, tone)]
    hidden = shape.hidden(column)
    drawn: list[Line] = [_cell(_centred_text(f"+{hidden}", width), Role.QUIET, Tone.CARD)] if hidden else []
    loose = len(column) - group_size(columns, number)
    held = len(column) - (highlights.held if number == highlights.source else 0)
    for at in range(hidden, len(column)):
        card = column[at]
        tone = Tone.HELD if at >= held else Tone.FREE if at >= loose else Tone.CARD
        mark = ("◂" if style.glyphs else "<") if at >= held else ""
        drawn.append(_cell(_card_text(style.card(card), mark, width), SUIT_ROLES[card[1]], tone))
        more = shape.free_height_in(column) if at == len(column) - 1 else shape.covered_height_in(column)
        drawn += [_cell(" " * width, Role.TEXT, tone)] * (more - 1)
    if target and len(drawn) < shape.rows:
        drawn.append(_cell(("┄" if style.glyphs else "-") * width, Role.BAR, Tone.LIT))
    return drawn


def _cell(text: str, role: Role, tone: Tone) -> Line:
    return (Segment(text, role, tone), Segment(" "))


def _card_text(card: str, mark: str, width: int) -> str:
    """Return a card, centred where there is room, with the mark of held cards right behind it."""
    return fit(" " * max(0, (width - 3) // 2) + card + mark, width, cut="")


def _centred_text(text: str, width: int) -> str:
    return fit(" " * max(0, (width - len(text)) // 2) + text, width, cut="")

"""The board as rows, and which place of it a point is: both from one geometry."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from client_cli.core.own_game import Table
from client_cli.text.style import SUIT_ROLES, Role, Style
from client_cli.text.width import fit
from client_cli.tui.state.drop_targets import group
from client_cli.tui.state.selection import Spot
from client_cli.tui.views.ink import Ink, Row, Tone

_CELLS: Final = (9, 8, 7, 6, 5)
"""Widths of a column that look well: three cells of the card, margins, one cell of gap."""

_LEAST_CELL: Final = 4
HEAD: Final = 1
"""Rows above the cards: the columns' numbers."""


@dataclass(frozen=True, slots=True)
class Geometry:
    """How a board lies: `face` is how many rows a free card has, `step` those of a covered one."""

    cell: int
    rows: int
    face: int
    step: int = 1

    @property
    def width(self) -> int:
        """Cells of ten columns."""
        return 10 * self.cell

    def hidden(self, column: tuple[str, ...]) -> int:
        """Return how many of a column's deepest cards give way to their number."""
        return len(column) - self.rows + 1 if len(column) > self.rows else 0

    def step_of(self, column: tuple[str, ...]) -> int:
        """Return how many rows a column's covered cards have: fewer where it is too high."""
        return self.step if self.step * (len(column) - 1) < self.rows else 1

    def face_of(self, column: tuple[str, ...]) -> int:
        """Return how many rows a column's free card has."""
        return max(1, min(self.face, self.rows - self.step_of(column) * (len(column) - 1)))

    def spot(self, table: Table, x: int, y: int) -> Spot | None:
        """Return the place at a point, from the board's upper left corner; None beside the board."""
        if not (0 <= x < self.width and y >= 0):
            return None
        number = x // self.cell
        column = table[number]
        if y < HEAD or not column:
            return Spot(number, 0)
        hidden = self.hidden(column)
        shown = len(column) - hidden
        row, step = max(0, y - HEAD - (1 if hidden else 0)), self.step_of(column)
        if row >= step * (shown - 1) + self.face_of(column):
            return Spot(number, 0)
        return Spot(number, max(1, shown - row // step))


def geometry(width: int, height: int) -> Geometry:
    """Return how a board lies in so many cells."""
    cell = next((each for each in _CELLS if 10 * each <= width), _LEAST_CELL)
    rows = max(1, height - HEAD)
    step = 2 if rows >= 32 else 1
    return Geometry(cell, rows, 3 if rows >= 24 else 2 if rows >= 19 else 1, step)


@dataclass(frozen=True, slots=True)
class Marks:
    """What is lifted out of the board: cards held at the end of a column, the cursor, lit columns."""

    source: int | None = None
    taken: int = 0
    cursor: int | None = None
    lit: Collection[int] = ()


def board(table: Table, shape: Geometry, style: Style, marks: Marks) -> list[Row]:
    """Return the board's rows: numbers, then cards, the free one at the end of its column."""
    columns = [_column(number, table, shape, style, marks) for number in range(len(table))]
    height = min(shape.rows, max(map(len, columns)))
    drawn: list[Row] = [_numbers(shape, style, marks)]
    blank = (Ink(" " * shape.cell),)
    for at in range(height):
        pieces = [piece for column in columns for piece in (column[at] if at < len(column) else blank)]
        drawn.append(tuple(pieces))
    return drawn


def _numbers(shape: Geometry, style: Style, marks: Marks) -> Row:
    pieces: list[Ink] = []
    for number in range(10):
        label = str(number + 1)
        role, tone = Role.QUIET, Tone.PAGE
        if number in marks.lit:
            label = f"{label}{'▼' if style.glyphs else 'v'}"
            role, tone = Role.BAR, Tone.LIT
        if number == marks.cursor:
            label = f"[{label}]"
            role, tone = Role.ME, Tone.LIT if number in marks.lit else Tone.CHOSEN
        width = shape.cell - 1
        before = max(0, (width - len(label)) // 2)
        pieces += [Ink((" " * before + label).ljust(width)[:width], role, tone), Ink(" ")]
    return tuple(pieces)


def _column(number: int, table: Table, shape: Geometry, style: Style, marks: Marks) -> list[Row]:
    column = table[number]
    width = shape.cell - 1
    lit = number in marks.lit
    if not column:
        slot = ("┄" if style.glyphs else "-") * 2 if lit else style.dot
        return [
            _cell(_middle(slot, width), Role.BAR if lit else Role.QUIET, Tone.LIT if lit else Tone.STRIPE)
        ]
    hidden = shape.hidden(column)
    shown: list[Row] = [_cell(_middle(f"+{hidden}", width), Role.QUIET, Tone.CARD)] if hidden else []
    loose = len(column) - group(table, number)
    held = len(column) - (marks.taken if number == marks.source else 0)
    for at in range(hidden, len(column)):
        card = column[at]
        tone = Tone.HELD if at >= held else Tone.FREE if at >= loose else Tone.CARD
        mark = ("◂" if style.glyphs else "<") if at >= held else ""
        shown.append(_cell(_frontend(style.card(card), mark, width), SUIT_ROLES[card[1]], tone))
        more = shape.face_of(column) if at == len(column) - 1 else shape.step_of(column)
        shown += [_cell(" " * width, Role.TEXT, tone)] * (more - 1)
    if lit and len(shown) < shape.rows:
        shown.append(_cell(("┄" if style.glyphs else "-") * width, Role.BAR, Tone.LIT))
    return shown


def _cell(text: str, role: Role, tone: Tone) -> Row:
    return (Ink(text, role, tone), Ink(" "))


def _frontend(card: str, mark: str, width: int) -> str:
    """Return a card in its cells: in the middle where there is room, the mark of the hand right behind it."""
    return fit(" " * max(0, (width - 3) // 2) + card + mark, width, cut="")


def _middle(text: str, width: int) -> str:
    return fit(" " * max(0, (width - len(text)) // 2) + text, width, cut="")

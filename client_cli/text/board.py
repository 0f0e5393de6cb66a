"""Board as lines: column numbers and the ten columns."""

from typing import Final

from client_cli.core.own_game import Table
from client_cli.text.style import SUIT_ROLES, Line, Role, Segment, Style

BOARD_WIDTH: Final = 50
"""Ten columns of five cells: a card takes three."""

NARROW_WIDTH: Final = 40
"""Ten columns of four cells."""


def board(columns: Table, style: Style, width: int = BOARD_WIDTH, height: int | None = None) -> list[Line]:
    """Return the lines of a board, the deepest cards at the top.

    In a column that is too long for `height` lines, the deepest cards are replaced by their number.
    """
    cell = width // 10
    rows = max(1, max(map(len, columns), default=0))
    if height is not None:
        rows = max(1, min(rows, height - 1))
    header = "".join(f"{number:>2}".ljust(cell) for number in range(1, len(columns) + 1))
    shown = [_column(column, style, rows) for column in columns]
    lines: list[Line] = [(Segment(header.rstrip(), Role.QUIET),)]
    for row in range(rows):
        pieces = [column[row] if row < len(column) else Segment("") for column in shown]
        lines.append(_joined(pieces, cell))
    return lines


def _column(column: tuple[str, ...], style: Style, rows: int) -> list[Segment]:
    if not column:
        return [Segment(f" {style.dot}", Role.QUIET)]
    if len(column) <= rows:
        return [Segment(style.card(card), SUIT_ROLES[card[1]]) for card in column]
    hidden = len(column) - rows + 1
    more = Segment(f"+{hidden}".rjust(2), Role.QUIET)
    return [more, *(Segment(style.card(card), SUIT_ROLES[card[1]]) for card in column[hidden:])]


def _joined(pieces: list[Segment], cell: int) -> Line:
    """Return a row. Blanks have no role, so that an underline ends with its card."""
    row: list[Segment] = []
    for text, role, _ in pieces:
        shown = text.lstrip()
        blank = " " * (len(text) - len(shown))
        row += [Segment(blank), Segment(shown, role), Segment(" " * (cell - len(text)))]
    while row and not row[-1].text.strip():
        row.pop()
    return tuple(piece for piece in row if piece.text)

"""Layout: where head, board, standings, log and status are on a screen of a given size."""

from dataclasses import dataclass

from client_cli.text.style import Style
from client_cli.tui.views.board import Geometry, geometry
from client_cli.tui.views.standings import MIN_WIDTH

HEAD_LINES = 2
FOOT_LINES = 2


@dataclass(frozen=True, slots=True)
class Layout:
    """Sizes in cells: lines of the body and of the log, the board and the standings beside it."""

    body: int
    log: int
    left: int  # cells left of the board
    board: Geometry
    side: int  # cells of the standings beside the board; 0: they are below it


def layout_of(style: Style) -> Layout:
    """Return the layout of a screen of this size."""
    log = max(2, style.height // 7) if style.height >= 16 else 0
    body = max(1, style.height - HEAD_LINES - FOOT_LINES - log)
    beside = style.width >= 50 + MIN_WIDTH
    wanted = max(MIN_WIDTH, min(60, style.width * 36 // 100))
    board = geometry(style.width - wanted if beside else style.width, body if beside else max(4, body - 4))
    side = min(60, style.width - board.width - 2) if beside else 0
    left = (style.width - board.width - side) // 2
    return Layout(body, log, max(0, min(left, 8) if beside else left), board, side)

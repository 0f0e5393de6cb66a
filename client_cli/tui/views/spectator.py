"""Race as a spectator sees it: the standings, and beside them as many boards as fit."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from client_cli.core.model import Model
from client_cli.text.style import Line, Role, Segment, Style, clip, line
from client_cli.tui.state.state import ScreenState
from client_cli.tui.views.alignment import padded
from client_cli.tui.views.board import Geometry, Highlights, board, geometry
from client_cli.tui.views.standings import standings
from engine.layout import COLUMNS

_STANDINGS_WIDTHS: Final = (36, 60)
"""Least and most cells of the standings beside several boards."""

_MAX_TILE_WIDTH: Final = 92
"""Cells of the widest board with its margin."""

_MIN_TILE: Final = (52, 18)
"""Cells and lines of the smallest board with its name that is shown beside others."""

_NAME_WIDTH: Final = 20
_EMPTY_BOARD: Final = ((),) * COLUMNS


@dataclass(frozen=True, slots=True)
class BoardGrid:
    """Boards side by side."""

    columns: int
    rows: int
    width: int  # cells of each board
    height: int  # lines of each board


def board_grid(racers: int, width: int, height: int) -> BoardGrid | None:
    """Return the grid of so many boards in so many cells; None where only one board fits."""
    max_columns = (width - _STANDINGS_WIDTHS[0]) // _MIN_TILE[0]
    if max_columns < 2 or racers < 2:
        return None
    rows = min(max(1, height // _MIN_TILE[1]), -(-racers // max_columns))
    columns = min(max_columns, -(-racers // rows))
    tile_width = min(_MAX_TILE_WIDTH, (width - _STANDINGS_WIDTHS[0]) // columns)
    return BoardGrid(columns, rows, tile_width, height // rows)


def visible_racers(state: ScreenState, model: Model, size: tuple[int, int]) -> tuple[str, ...]:
    """Return the racers whose boards fit on a screen of this size; the chosen racer is among them."""
    racers = tuple(model.race.racers) if model.race else ()
    if state.watched not in racers:
        return ()
    grid = board_grid(len(racers), *size)
    count = min(len(racers), grid.columns * grid.rows if grid else 1)
    first = min(racers.index(state.watched) // count * count, len(racers) - count)
    return racers[first : first + count]


def without_boards(model: Model, style: Style, size: tuple[int, int]) -> list[Line]:
    """Return the standings alone, and how to see boards, if they can be seen."""
    width, height = size
    hint = (
        style.translate("Press left or right to see a racer's board.")
        if model.settings.live_boards
        else style.translate("Boards are hidden until the end of this race.")
    )
    return [*standings(model, style, min(width, 100), height - 2), (), line(f" {hint}", Role.QUIET)]


def chosen_board(state: ScreenState, model: Model, style: Style, shape: Geometry) -> list[Line]:
    """Return the board of the chosen racer, with the name above it."""
    shape = Geometry(shape.column_width, shape.rows - 1, shape.free_height)
    return _tile(state, model, state.watched, style, shape)


def several_boards(
    state: ScreenState, model: Model, style: Style, size: tuple[int, int], grid: BoardGrid
) -> list[Line]:
    """Return a grid of boards, the chosen one marked, with the standings beside it."""
    width, height = size
    shape = geometry(grid.width - 2, grid.height - 2)
    players = visible_racers(state, model, size)
    drawn: list[Line] = []
    for first in range(0, len(players), grid.columns):
        tiles = [_tile(state, model, each, style, shape) for each in players[first : first + grid.columns]]
        drawn += _side_by_side(tiles, grid.width, grid.height, style)
    boards_width = grid.columns * grid.width
    side = standings(model, style, min(_STANDINGS_WIDTHS[1], width - boards_width - 1), height)
    return _side_by_side([drawn, side], boards_width, height, style)


def _side_by_side(blocks: Sequence[list[Line]], width: int, height: int, style: Style) -> list[Line]:
    """Return blocks of lines beside each other; each but the last takes `width` cells."""
    lines: list[Line] = []
    for at in range(height):
        segments: list[Segment] = []
        for block in blocks:
            part = block[at] if at < len(block) else ()
            last = block is blocks[-1]
            segments += part if last else padded(clip(part, width - 1, style.cut), width)
        lines.append(tuple(segments))
    return lines


def _tile(state: ScreenState, model: Model, player: str, style: Style, shape: Geometry) -> list[Line]:
    """Return the board of a racer, with name and numbers above it."""
    chosen = player == state.watched
    game = state.boards.get(player)
    numbers = (
        style.translate(
            "score {score}, moves {moves}, runs {runs}", score=game.score, moves=game.moves, runs=game.runs
        )
        if game
        else style.translate("Waiting for the server...")
    )
    return [
        (
            Segment(">" if chosen else " ", Role.BAR),
            Segment(style.fit(model.name(player), _NAME_WIDTH), Role.ME if chosen else Role.TEXT),
            Segment(f" {numbers}", Role.QUIET),
        ),
        *board(game.columns if game else _EMPTY_BOARD, shape, style, Highlights()),
    ]

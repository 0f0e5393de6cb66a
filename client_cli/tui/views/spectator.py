"""A race for those who watch it: the standings, and beside them as many boards as there is room for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from client_cli.core.model import Model
from client_cli.text.style import Role, Style
from client_cli.tui.state.state import Desk
from client_cli.tui.views.board import Geometry, Marks, board, geometry
from client_cli.tui.views.ink import Ink, Row, clip, padded, row
from client_cli.tui.views.standings import standings

SIDE: Final = 28
"""Cells that standings need beside a board."""

_SIDES: Final = (36, 60)
"""Cells that standings have beside several boards: enough for whole names, and no more than is read well."""

_WIDEST: Final = 92
"""Cells of the widest board, and what sets it apart."""

_TILE: Final = (52, 18)
"""Cells and rows of the smallest board with its name that is worth to stand beside others."""

_NAME: Final = 20
_NOBODY: Final = ((),) * 10


@dataclass(frozen=True, slots=True)
class Wall:
    """Boards side by side: how many in a row, how many rows of them, cells and rows of each."""

    across: int
    down: int
    width: int
    height: int


def wall(racers: int, width: int, height: int) -> Wall | None:
    """Return how boards of so many racers stand in so many cells; None where one is all there is room for."""
    most_across, most_down = (width - _SIDES[0]) // _TILE[0], max(1, height // _TILE[1])
    if most_across < 2 or racers < 2:
        return None
    down = min(most_down, -(-racers // most_across))
    across = min(most_across, -(-racers // down))
    return Wall(across, down, min(_WIDEST, (width - _SIDES[0]) // across), height // down)


def visible(desk: Desk, model: Model, size: tuple[int, int]) -> tuple[str, ...]:
    """Return the racers whose boards stand on a screen of this size: the chosen one's is among them."""
    racers = tuple(model.race.racers) if model.race else ()
    if desk.shown not in racers:
        return ()
    laid = wall(len(racers), *size)
    count = min(len(racers), laid.across * laid.down if laid else 1)
    first = min(racers.index(desk.shown) // count * count, len(racers) - count)
    return racers[first : first + count]


def hidden(model: Model, style: Style, size: tuple[int, int]) -> list[Row]:
    """Return the standings alone, and how boards are seen, if at all."""
    width, height = size
    hint = (
        style.translate("Left and right show the racers' boards.")
        if model.settings.live_boards
        else style.translate("Boards are hidden until the end of this race.")
    )
    return [*standings(model, style, min(width, 100), height - 2), (), row(f" {hint}", Role.QUIET)]


def one(desk: Desk, model: Model, style: Style, shape: Geometry) -> list[Row]:
    """Return the chosen board, its owner's name above it."""
    shape = Geometry(shape.cell, shape.rows - 1, shape.face)
    return _tile(desk, model, desk.shown, style, shape)


def several(desk: Desk, model: Model, style: Style, size: tuple[int, int], laid: Wall) -> list[Row]:
    """Return several boards, the chosen one marked, and the standings at their side."""
    width, height = size
    shape = geometry(laid.width - 2, laid.height - 2)
    players = visible(desk, model, size)
    drawn: list[Row] = []
    for first in range(0, len(players), laid.across):
        tiles = [_tile(desk, model, each, style, shape) for each in players[first : first + laid.across]]
        drawn += _side_by_side(tiles, laid, style)
    boards = laid.across * laid.width
    side = standings(model, style, min(_SIDES[1], width - boards - 1), height)
    return _side_by_side([drawn, side], Wall(2, 1, boards, height), style)


def _side_by_side(blocks: Sequence[list[Row]], laid: Wall, style: Style) -> list[Row]:
    """Return blocks of rows beside each other; each but the last is filled up to its cells."""
    rows: list[Row] = []
    for at in range(laid.height):
        pieces: list[Ink] = []
        for block in blocks:
            part = block[at] if at < len(block) else ()
            last = block is blocks[-1]
            pieces += part if last else padded(clip(part, laid.width - 1, style.cut), laid.width)
        rows.append(tuple(pieces))
    return rows


def _tile(desk: Desk, model: Model, player: str, style: Style, shape: Geometry) -> list[Row]:
    chosen = player == desk.shown
    game = desk.boards.get(player)
    numbers = (
        style.translate(
            "score {score}, moves {moves}, runs {runs}", score=game.score, moves=game.moves, runs=game.runs
        )
        if game
        else style.translate("Asking the server...")
    )
    return [
        (
            Ink(">" if chosen else " ", Role.BAR),
            Ink(style.fit(model.name(player), _NAME), Role.ME if chosen else Role.TEXT),
            Ink(f" {numbers}", Role.QUIET),
        ),
        *board(game.columns if game else _NOBODY, shape, style, Marks()),
    ]

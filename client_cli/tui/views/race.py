"""Race: the board with the standings for racers, boards and standings for spectators."""

from client_cli.core import times
from client_cli.core.model import Model
from client_cli.core.own_game import OwnGame, Table
from client_cli.text.style import Line, Role, Segment, Style, clip, line
from client_cli.tui.state.drop_targets import group_size
from client_cli.tui.state.selection import Selection, held_cards, target_columns
from client_cli.tui.state.state import ScreenState
from client_cli.tui.views import spectator
from client_cli.tui.views.alignment import centred, padded
from client_cli.tui.views.board import Highlights, board
from client_cli.tui.views.layout import Layout
from client_cli.tui.views.standings import standings
from protocol.from_client import AutoMove, Move


def racer_view(state: ScreenState, model: Model, game: OwnGame, style: Style, layout: Layout) -> list[Line]:
    """Return a racer's own board and the standings."""
    highlights = _highlights(state.selection, model, game.columns)
    return _with_standings(board(game.columns, layout.board, style, highlights), model, style, layout)


def winner_view(model: Model, game: OwnGame, style: Style, layout: Layout) -> list[Line]:
    """Return the result of a player who has won, in place of the empty board, and the standings."""
    translate = style.translate
    mine = next((each for each in model.standings if each.player == model.me), None)
    numbers = translate("{moves} moves, {score} points", moves=game.moves, score=game.score)
    if mine is not None and mine.at_ms is not None:
        numbers = f"{times.exact(mine.at_ms)}, {numbers}"
    star, won = "★" if style.glyphs else "*", translate("You have won!")
    drawn = [
        line(f"{star}  {won}  {star}", Role.BAR),
        (),
        line(numbers, Role.TITLE),
        (),
        line(translate("The others are still racing."), Role.QUIET),
    ]
    above = max(0, (layout.board.rows - len(drawn)) // 3)
    drawn = [*[()] * above, *(centred(each, layout.board.width) for each in drawn)]
    return _with_standings(drawn, model, style, layout)


def spectator_view(state: ScreenState, model: Model, style: Style, layout: Layout) -> list[Line]:
    """Return the standings and as many boards as are known and fit."""
    size = (style.width, layout.body)
    if not state.boards:
        return spectator.without_boards(model, style, size)
    grid = spectator.board_grid(len(model.race.racers) if model.race else 0, *size)
    if grid is None:
        chosen = spectator.chosen_board(state, model, style, layout.board)
        return _with_standings(chosen, model, style, layout)
    return spectator.several_boards(state, model, style, size, grid)


def _highlights(selection: Selection, model: Model, columns: Table) -> Highlights:
    """Lift out the held cards; dropped cards stay lifted until the server has answered."""
    pending = model.pending
    if selection.held is None and isinstance(pending, Move | AutoMove) and pending.source < len(columns):
        cards = pending.cards or group_size(columns, pending.source)
        return Highlights(pending.source, cards, selection.cursor)
    source = selection.held.source if selection.held else None
    targets = target_columns(selection, columns)
    return Highlights(source, held_cards(selection, columns), selection.cursor, targets)


def _with_standings(cards: list[Line], model: Model, style: Style, layout: Layout) -> list[Line]:
    """Return a board with the standings beside it, or below it on a narrow screen."""
    margin = Segment(" " * layout.left)
    if not layout.side:
        below = layout.body - len(cards)
        rows = standings(model, style, style.width, below) if below > 1 else []
        return [*((margin, *each) for each in cards), *rows]
    side = standings(model, style, layout.side, layout.body)
    width = layout.board.width
    drawn: list[Line] = []
    for at in range(max(len(cards), len(side))):
        left = clip(cards[at], width, style.cut) if at < len(cards) else ()
        drawn.append((margin, *padded(left, width + 1), *(side[at] if at < len(side) else ())))
    return drawn

"""Mouse: what an event at a cell of the screen changes in the state."""

from dataclasses import replace
from enum import Enum, auto

from client_cli.text.style import Style
from client_cli.tui.state import key_actions
from client_cli.tui.state import selection as selections
from client_cli.tui.state.keys import Mode
from client_cli.tui.state.state import Context, ScreenState, Update
from client_cli.tui.views.hints import hint_key
from client_cli.tui.views.layout import HEAD_LINES, layout_of


class MouseEvent(Enum):
    """What the left button or the mouse did."""

    DOWN = auto()
    MOVE = auto()
    UP = auto()


def handle(
    state: ScreenState, context: Context, style: Style, event: MouseEvent, cell: tuple[int, int]
) -> Update | None:
    """Return the changed state, None if the event means nothing there. `cell` counts from the upper left."""
    (x, y), mode = cell, state.mode(context.model)
    if event is MouseEvent.DOWN and y == style.height - 1:
        key = hint_key(mode, style, x)
        return None if key is None else key_actions.press(state, context, key)
    game = context.model.game
    if game is None or mode is not Mode.RACE:
        return None
    layout = layout_of(style)
    on_board = HEAD_LINES <= y < HEAD_LINES + layout.body
    point = layout.board.point_at(game.columns, x - layout.left, y - HEAD_LINES) if on_board else None
    match event:
        case MouseEvent.DOWN if point is not None:
            outcome = selections.mouse_down(state.selection, point, context.now_ms, game.columns)
            return key_actions.with_selection(replace(state, status=""), outcome)
        case MouseEvent.MOVE if point is not None:
            return replace(state, selection=selections.mouse_move(state.selection, point)), ()
        case MouseEvent.UP:
            outcome = selections.mouse_up(state.selection, point, game.columns)
            return key_actions.with_selection(state, outcome)
        case _:
            return None

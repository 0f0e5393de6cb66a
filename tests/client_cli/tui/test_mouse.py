"""Mouse: clicks on hints and on the board."""

from fullscreen.harness import Harness

from client_cli.core.commands import MoveCards
from client_cli.text.style import Style
from client_cli.tui.mouse import MouseEvent, handle
from client_cli.tui.state.effects import SendAction
from client_cli.tui.state.selection import HeldGroup
from client_cli.tui.state.state import Page, Update
from client_cli.tui.views.layout import HEAD_LINES, layout_of

STYLE = Style(80, 24)


def cell(column: int, depth: int) -> tuple[int, int]:
    """Return the cell of a card; `depth` counts from the deepest card of the column."""
    layout = layout_of(STYLE)
    return layout.left + column * layout.board.column_width + 1, HEAD_LINES + 1 + depth


def event(harness: Harness, kind: MouseEvent, where: tuple[int, int]) -> Update | None:
    return handle(harness.state, harness.controller.context, STYLE, kind, where)


def test_a_click_on_a_hint_is_its_key(harness: Harness) -> None:
    update = event(harness, MouseEvent.DOWN, (18, 23))
    assert update is not None
    assert update[0].page is Page.SETTINGS
    assert event(harness, MouseEvent.DOWN, (79, 23)) is None


def test_the_board_has_no_meaning_outside_a_race(harness: Harness) -> None:
    assert [event(harness, kind, (10, 10)) for kind in MouseEvent] == [None, None, None]


def test_a_drag_picks_up_moves_the_cursor_and_drops(racing: Harness) -> None:
    assert racing.conversation.model.game is not None
    columns = racing.conversation.model.game.columns
    last = len(columns[0]) - 1
    update = event(racing, MouseEvent.DOWN, cell(0, last))
    assert update is not None
    assert update[0].selection.held == HeldGroup(0, 1)
    racing.change(selection=update[0].selection)
    update = event(racing, MouseEvent.MOVE, cell(2, 0))
    assert update is not None
    assert update[0].selection.cursor == 2
    update = event(racing, MouseEvent.UP, cell(2, 0))
    assert update is not None
    assert update[1] == (SendAction(MoveCards(0, 2, 1)),)


def test_a_press_beside_the_board_means_nothing(racing: Harness) -> None:
    assert event(racing, MouseEvent.DOWN, (STYLE.width - 1, HEAD_LINES + 2)) is None
    assert event(racing, MouseEvent.DOWN, (10, 0)) is None


def test_a_press_on_the_board_clears_the_status(racing: Harness) -> None:
    racing.change(status="A card goes on a card one rank higher.")
    update = event(racing, MouseEvent.DOWN, cell(0, 0))
    assert update is not None
    assert update[0].status == ""

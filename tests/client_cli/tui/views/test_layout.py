"""Layout: the parts of the screen at several sizes."""

import pytest

from client_cli.text.style import Style
from client_cli.tui.views.layout import FOOT_LINES, HEAD_LINES, layout_of


@pytest.mark.parametrize("width", [1, 40, 77, 78, 80, 120, 160, 300])
@pytest.mark.parametrize("height", [1, 8, 16, 24, 40, 70])
def test_the_parts_fit_on_the_screen(width: int, height: int) -> None:
    layout = layout_of(Style(width, height))
    assert HEAD_LINES + layout.body + layout.log + FOOT_LINES == max(height, HEAD_LINES + FOOT_LINES + 1)
    if width >= layout.board.width:
        assert layout.left + layout.board.width + layout.side <= width


def test_the_standings_are_beside_the_board_from_78_cells_on() -> None:
    assert layout_of(Style(77, 24)).side == 0
    assert layout_of(Style(78, 24)).side > 0


def test_a_low_screen_has_no_log() -> None:
    assert (layout_of(Style(80, 15)).log, layout_of(Style(80, 16)).log) == (0, 2)

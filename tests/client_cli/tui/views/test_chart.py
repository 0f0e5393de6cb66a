"""Lines over time as characters."""

from client_cli.text.style import Role, Style
from client_cli.tui.views.chart import Curve, chart
from client_cli.tui.views.ink import text_of, width_of

RISE = Curve("1", Role.BAR, [(0, 0), (500, 5), (1000, 10)])
FLAT = Curve("2", Role.HEARTS, [(0, 0), (400, 0)])


def test_a_chart_in_ascii() -> None:
    rows = chart([RISE, FLAT], 1000, 28, 7, Style(glyphs=False))
    assert [text_of(row) for row in rows] == [
        "   10|                 1 1",
        "     |                 1",
        "     |         111111111",
        "     |         1",
        "     |         1",
        "    0|1111111111         2",
        "     +--0:00------- 0:01",
    ]


def test_a_chart_is_as_large_as_it_may_be() -> None:
    for style in (Style(), Style(glyphs=False)):
        rows = chart([RISE, FLAT], 1000, 60, 12, style)
        assert len(rows) == 12
        assert max(map(width_of, rows)) <= 60


def test_each_line_ends_with_its_mark_in_its_colour() -> None:
    rows = chart([RISE, FLAT], 1000, 60, 12, Style())
    ends = {row[-1].text: row[-1].role for row in rows[:-1] if row[-1].text in {"1", "2"}}
    assert ends == {"1": Role.BAR, "2": Role.HEARTS}


def test_lines_that_end_in_one_row_are_all_named_there_the_best_first() -> None:
    tie = Curve("2", Role.HEARTS, RISE.points)
    assert [piece.text for piece in chart([RISE, tie], 1000, 60, 12, Style())[0]][-2:] == ["1", "2"]


def test_a_curve_that_ends_early_is_not_drawn_on() -> None:
    rows = chart([FLAT], 1000, 48, 5, Style(glyphs=False))
    assert text_of(rows[3]) == f"    0|{'2' * 16}{'':23}2"


def test_there_is_no_chart_without_room_or_curves() -> None:
    assert chart([], 1000, 60, 12, Style()) == []
    assert chart([RISE], 1000, 15, 12, Style()) == []
    assert chart([RISE], 1000, 60, 3, Style()) == []

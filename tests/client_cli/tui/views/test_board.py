"""Board: its lines, and the place on it at a cell."""

import pytest

from client_cli.text.style import Style, Tone, plain, width_of
from client_cli.tui.state.selection import BoardPoint
from client_cli.tui.views.board import NUMBER_LINES, Geometry, Highlights, board, geometry

TABLE = (("9H", "8S", "7S"), ("TS",), (), *((("2C"),),) * 7)
HIGH = (("KS", *["2C"] * 19), *((),) * 9)


@pytest.mark.parametrize(
    ("size", "column_width", "free_height"),
    [((40, 10), 4, 1), ((50, 17), 5, 1), ((69, 20), 6, 2), ((77, 27), 7, 3), ((300, 60), 9, 3)],
)
def test_cards_grow_with_the_screen(size: tuple[int, int], column_width: int, free_height: int) -> None:
    shape = geometry(*size)
    assert (shape.column_width, shape.free_height) == (column_width, free_height)
    assert shape.width <= max(40, size[0])


def test_a_board_with_a_held_group() -> None:
    rows = board(TABLE, Geometry(5, 8, 1), Style(), Highlights(source=0, held=2, cursor=1, targets={1, 2}))
    assert [plain(row)[:18].rstrip() for row in rows] == [
        " 1   [2▼]  3▼   4",
        " 9♥  10♠   ┄┄   2♣",
        " 8♠◂ ┄┄┄┄",
        " 7♠◂",
    ]
    tones = [row[0].tone for row in rows]
    assert tones == [Tone.PAGE, Tone.CARD, Tone.HELD, Tone.HELD]
    assert {width_of(row) for row in rows} == {50}


def test_the_group_that_can_move_has_another_tone() -> None:
    rows = board(TABLE, Geometry(5, 8, 1), Style(), Highlights())
    assert [row[0].tone for row in rows[1:4]] == [Tone.CARD, Tone.FREE, Tone.FREE]


def test_a_free_card_is_higher_where_it_fits() -> None:
    rows = board(TABLE, Geometry(5, 5, 3), Style(), Highlights())
    assert [row[0].tone for row in rows[1:]] == [Tone.CARD, *[Tone.FREE] * 4]
    assert len(board(TABLE, Geometry(5, 3, 3), Style(), Highlights())) == 4


def test_the_deepest_cards_of_a_high_column_are_replaced_by_their_number() -> None:
    rows = board(HIGH, Geometry(5, 10, 1), Style(), Highlights())
    assert len(rows) == 11
    assert plain(rows[1]).split()[0] == "+11"


def test_a_board_without_glyphs_is_ascii() -> None:
    rows = board(
        TABLE, Geometry(5, 8, 1), Style(glyphs=False), Highlights(source=0, held=2, cursor=1, targets={1, 2})
    )
    assert all(plain(row).isascii() for row in rows)


@pytest.mark.parametrize(
    ("x", "y", "point"),
    [
        (0, 0, BoardPoint(0, 0)),
        (0, NUMBER_LINES, BoardPoint(0, 3)),
        (4, NUMBER_LINES + 2, BoardPoint(0, 1)),
        (0, NUMBER_LINES + 3, BoardPoint(0, 0)),
        (5, NUMBER_LINES, BoardPoint(1, 1)),
        (12, NUMBER_LINES, BoardPoint(2, 0)),
        (49, NUMBER_LINES + 9, BoardPoint(9, 0)),
        (50, NUMBER_LINES, None),
        (-1, NUMBER_LINES, None),
        (3, -1, None),
    ],
)
def test_a_cell_is_a_place_on_the_board(x: int, y: int, point: BoardPoint | None) -> None:
    assert Geometry(5, 8, 1).point_at(TABLE, x, y) == point


def test_all_lines_of_a_free_card_are_that_card() -> None:
    shape = Geometry(5, 8, 3)
    assert [shape.point_at(TABLE, 0, NUMBER_LINES + at) for at in range(2, 6)] == [
        BoardPoint(0, 1),
        BoardPoint(0, 1),
        BoardPoint(0, 1),
        BoardPoint(0, 0),
    ]


def test_covered_cards_have_two_lines_where_they_fit_and_one_in_a_high_column() -> None:
    shape = Geometry(5, 16, 3, 2)
    rows = board(TABLE, shape, Style(), Highlights())
    assert [plain(row)[:3].strip() for row in rows[1:]] == ["9♥", "", "8♠", "", "7♠", "", ""]
    assert [shape.point_at(TABLE, 0, NUMBER_LINES + at) for at in range(8)] == [
        *[BoardPoint(0, 3)] * 2,
        *[BoardPoint(0, 2)] * 2,
        *[BoardPoint(0, 1)] * 3,
        BoardPoint(0, 0),
    ]
    assert shape.covered_height_in(HIGH[0]) == 1
    assert geometry(90, 33).covered_height == 2
    assert len(board(HIGH, shape, Style(), Highlights())) == 17


def test_a_cell_of_a_high_column_counts_the_hidden_cards() -> None:
    shape = Geometry(5, 10, 1)
    assert shape.point_at(HIGH, 0, NUMBER_LINES + 9) == BoardPoint(0, 1)
    assert shape.point_at(HIGH, 0, NUMBER_LINES + 1) == BoardPoint(0, 9)
    assert shape.point_at(HIGH, 0, NUMBER_LINES) == BoardPoint(0, 9)

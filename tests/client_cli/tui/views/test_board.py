"""The board as rows, and which place of it a point is."""

import pytest

from client_cli.text.style import Style
from client_cli.tui.state.selection import Spot
from client_cli.tui.views.board import HEAD, Geometry, Marks, board, geometry
from client_cli.tui.views.ink import Tone, text_of, width_of

TABLE = (("9H", "8S", "7S"), ("TS",), (), *((("2C"),),) * 7)
HIGH = (("KS", *["2C"] * 19), *((),) * 9)


@pytest.mark.parametrize(
    ("size", "cell", "face"),
    [((40, 10), 4, 1), ((50, 17), 5, 1), ((69, 20), 6, 2), ((77, 27), 7, 3), ((300, 60), 9, 3)],
)
def test_cards_grow_with_the_room(size: tuple[int, int], cell: int, face: int) -> None:
    shape = geometry(*size)
    assert (shape.cell, shape.face) == (cell, face)
    assert shape.width <= max(40, size[0])


def test_a_board_with_a_group_in_the_hand() -> None:
    rows = board(TABLE, Geometry(5, 8, 1), Style(), Marks(source=0, taken=2, cursor=1, lit={1, 2}))
    assert [text_of(row)[:18].rstrip() for row in rows] == [
        " 1   [2▼]  3▼   4",
        " 9♥  10♠   ┄┄   2♣",
        " 8♠◂ ┄┄┄┄",
        " 7♠◂",
    ]
    tones = [row[0].tone for row in rows]
    assert tones == [Tone.PAGE, Tone.CARD, Tone.HELD, Tone.HELD]
    assert {width_of(row) for row in rows} == {50}


def test_what_can_move_is_set_apart_from_what_is_covered() -> None:
    rows = board(TABLE, Geometry(5, 8, 1), Style(), Marks())
    assert [row[0].tone for row in rows[1:4]] == [Tone.CARD, Tone.FREE, Tone.FREE]


def test_a_free_card_shows_its_face_where_there_is_room() -> None:
    rows = board(TABLE, Geometry(5, 5, 3), Style(), Marks())
    assert [row[0].tone for row in rows[1:]] == [Tone.CARD, *[Tone.FREE] * 4]
    assert len(board(TABLE, Geometry(5, 3, 3), Style(), Marks())) == 4


def test_the_deepest_cards_of_a_high_column_give_way_to_their_number() -> None:
    rows = board(HIGH, Geometry(5, 10, 1), Style(), Marks())
    assert len(rows) == 11
    assert text_of(rows[1]).split()[0] == "+11"


def test_ascii_has_no_sign_beyond_it() -> None:
    rows = board(
        TABLE, Geometry(5, 8, 1), Style(glyphs=False), Marks(source=0, taken=2, cursor=1, lit={1, 2})
    )
    assert all(text_of(row).isascii() for row in rows)


@pytest.mark.parametrize(
    ("x", "y", "spot"),
    [
        (0, 0, Spot(0, 0)),
        (0, HEAD, Spot(0, 3)),
        (4, HEAD + 2, Spot(0, 1)),
        (0, HEAD + 3, Spot(0, 0)),
        (5, HEAD, Spot(1, 1)),
        (12, HEAD, Spot(2, 0)),
        (49, HEAD + 9, Spot(9, 0)),
        (50, HEAD, None),
        (-1, HEAD, None),
        (3, -1, None),
    ],
)
def test_a_point_is_a_place_of_the_board(x: int, y: int, spot: Spot | None) -> None:
    assert Geometry(5, 8, 1).spot(TABLE, x, y) == spot


def test_all_rows_of_a_face_are_the_free_card() -> None:
    shape = Geometry(5, 8, 3)
    assert [shape.spot(TABLE, 0, HEAD + at) for at in range(2, 6)] == [
        Spot(0, 1),
        Spot(0, 1),
        Spot(0, 1),
        Spot(0, 0),
    ]


def test_covered_cards_have_two_rows_where_there_is_room_and_a_high_column_has_one_each() -> None:
    shape = Geometry(5, 16, 3, 2)
    rows = board(TABLE, shape, Style(), Marks())
    assert [text_of(row)[:3].strip() for row in rows[1:]] == ["9♥", "", "8♠", "", "7♠", "", ""]
    assert [shape.spot(TABLE, 0, HEAD + at) for at in range(8)] == [
        *[Spot(0, 3)] * 2,
        *[Spot(0, 2)] * 2,
        *[Spot(0, 1)] * 3,
        Spot(0, 0),
    ]
    assert shape.step_of(HIGH[0]) == 1
    assert geometry(90, 33).step == 2
    assert len(board(HIGH, shape, Style(), Marks())) == 17


def test_a_point_on_a_high_column_counts_what_is_hidden() -> None:
    shape = Geometry(5, 10, 1)
    assert shape.spot(HIGH, 0, HEAD + 9) == Spot(0, 1)
    assert shape.spot(HIGH, 0, HEAD + 1) == Spot(0, 9)
    assert shape.spot(HIGH, 0, HEAD) == Spot(0, 9)

"""Rows: clipped, padded and put side by side by the cells that they take."""

import pytest

from client_cli.text.style import Role
from client_cli.tui.views.ink import Ink, Row, Tone, centred, clip, padded, row, spread, text_of, width_of

CHINESE: Row = (Ink("小明"), Ink(" won", Role.BAR, Tone.CARD))


def test_wide_signs_take_two_cells() -> None:
    assert width_of(CHINESE) == 8


@pytest.mark.parametrize(
    ("width", "text"), [(9, "小明 won"), (8, "小明 won"), (7, "小明 w…"), (4, "小明"), (3, "小…"), (0, "")]
)
def test_a_row_is_clipped_to_its_cells(width: int, text: str) -> None:
    clipped = clip(CHINESE, width, "…")
    assert text_of(clipped) == text
    assert width_of(clipped) <= width


def test_a_clipped_piece_keeps_what_it_is() -> None:
    assert clip(CHINESE, 7, "…")[1][1:] == (Role.BAR, Tone.CARD)


def test_a_row_is_padded_and_centred() -> None:
    assert width_of(padded(CHINESE, 12)) == 12
    assert padded(CHINESE, 3) == CHINESE
    assert text_of(centred(CHINESE, 12)) == "  小明 won"


def test_two_ends_of_a_row_never_meet() -> None:
    assert text_of(spread(CHINESE, row("1:02"), 14, "…")) == "小明 won  1:02"
    assert text_of(spread(CHINESE, row("1:02"), 10, "…")) == "小明… 1:02"
    assert width_of(spread(CHINESE, row("1:02"), 10, "…")) <= 10


def test_what_others_wrote_cannot_turn_a_row_around() -> None:
    assert row("a\u202eb\x1b[2J") == (Ink("a\ufffdb\ufffd[2J"),)

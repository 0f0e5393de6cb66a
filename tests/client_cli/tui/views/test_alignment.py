"""Alignment: lines are padded, centred and justified by cells."""

import pytest

from client_cli.text.style import Line, Role, Segment, Tone, clip, line, plain, width_of
from client_cli.tui.views.alignment import centred, justified, padded, striped

CHINESE: Line = (Segment("小明"), Segment(" won", Role.BAR, Tone.CARD))


def test_a_wide_character_takes_two_cells() -> None:
    assert width_of(CHINESE) == 8


@pytest.mark.parametrize(
    ("width", "text"), [(9, "小明 won"), (8, "小明 won"), (7, "小明 w…"), (4, "小明"), (3, "小…"), (0, "")]
)
def test_a_line_is_clipped_to_its_cells(width: int, text: str) -> None:
    clipped = clip(CHINESE, width, "…")
    assert plain(clipped) == text
    assert width_of(clipped) <= width


def test_a_clipped_segment_keeps_its_role_and_tone() -> None:
    assert clip(CHINESE, 7, "…")[1][1:] == (Role.BAR, Tone.CARD)


def test_a_line_is_padded_and_centred() -> None:
    assert width_of(padded(CHINESE, 12)) == 12
    assert padded(CHINESE, 3) == CHINESE
    assert plain(centred(CHINESE, 12)) == "  小明 won"


def test_the_two_ends_of_a_justified_line_never_touch() -> None:
    assert plain(justified(CHINESE, line("1:02"), 14, "…")) == "小明 won  1:02"
    assert plain(justified(CHINESE, line("1:02"), 10, "…")) == "小明… 1:02"
    assert width_of(justified(CHINESE, line("1:02"), 10, "…")) <= 10


def test_control_characters_in_a_text_are_replaced() -> None:
    assert line("a\u202eb\x1b[2J") == (Segment("a\ufffdb\ufffd[2J"),)


def test_a_stripe_fills_its_width() -> None:
    stripe = striped(CHINESE, 12)
    assert width_of(stripe) == 12
    assert {segment.tone for segment in stripe} == {Tone.STRIPE}

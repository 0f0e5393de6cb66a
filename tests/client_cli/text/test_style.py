"""Segments of lines."""

from client_cli.text.style import Role, Segment, Style, beside, clip, line, plain


def test_a_ten_is_as_wide_as_an_ace() -> None:
    style, letters = Style(), Style(glyphs=False)
    assert [style.card(card) for card in ("TH", "AS", "QD", "2C")] == ["10♥", " A♠", " Q♦", " 2♣"]
    assert [letters.card(card) for card in ("TH", "AS", "QD", "2C")] == ["10H", " AS", " QD", " 2C"]


def test_a_line_is_clipped_inside_a_segment() -> None:
    pieces = (Segment("Ada ", Role.ME), Segment("has won"))
    assert clip(pieces, 7, "…") == (Segment("Ada ", Role.ME), Segment("ha…"))
    assert clip(pieces, 11, "…") == pieces


def test_blocks_of_different_height_are_joined_side_by_side() -> None:
    joined = beside([line("a"), line("bb")], [line("x"), (), line("y")], 4)
    assert [plain(each) for each in joined] == ["a   x", "bb", "    y"]

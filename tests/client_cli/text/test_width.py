"""Widths of texts in terminal cells."""

import pytest

from client_cli.text.width import fit, safe, text_width, wrap


@pytest.mark.parametrize(
    ("text", "cells"),
    [("", 0), ("Ada", 3), ("陳小明", 6), ("10♥", 3), ("e\u0301", 1), ("ア", 2), ("ｱ", 1), ("🂡🎉", 3)],
)
def test_the_width_of_a_text_is_that_of_a_terminal(text: str, cells: int) -> None:
    assert text_width(text) == cells


@pytest.mark.parametrize(
    ("text", "width", "fitted"),
    [
        ("Ada", 5, "Ada  "),
        ("陳小明", 8, "陳小明  "),
        ("陳小明", 6, "陳小明"),
        ("陳小明", 5, "陳小…"),
        ("陳小明", 4, "陳… "),
        ("Adalbert", 4, "Ada…"),
        ("Ada", 1, "…"),
        ("Ada", 0, ""),
    ],
)
def test_a_fitted_text_has_exactly_its_width(text: str, width: int, fitted: str) -> None:
    """Half of a wide character is never shown: a blank replaces it."""
    assert fit(text, width) == fitted
    assert text_width(fitted) == width


def test_a_text_can_be_fitted_to_the_right() -> None:
    assert fit("7", 3, right=True) == "  7"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("one two", ["one two"]),
        ("one two three", ["one two", "three"]),
        ("abcdefghij", ["abcdefg", "hij"]),
        ("陳小明加油", ["陳小明", "加油"]),
        ("a 陳小明加油", ["a 陳小", "明加油"]),
        ("陳小明。加油", ["陳小", "明。加", "油"]),
        ("加油「陳小明」", ["加油", "「陳小", "明」"]),
        ("看help或q", ["看help", "或q"]),
        ("陳👩\u200d🚀小明", ["陳👩\u200d🚀", "小明"]),
    ],
)
def test_a_long_text_is_wrapped_between_words_or_inside_a_long_one(text: str, lines: list[str]) -> None:
    """Chinese breaks anywhere, but no line ends with an opening mark or begins with a closing one."""
    assert wrap(text, 7) == lines


@pytest.mark.parametrize("width", [1, 2, 3])
def test_a_text_is_wrapped_to_any_width(width: int) -> None:
    assert "".join(wrap("ab 陳小", width)).replace(" ", "") == "ab陳小"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("陳小明 has won.", "陳小明 has won."),
        ("\x1b[2Jgone", "\ufffd[2Jgone"),
        ("\x9b2J", "\ufffd2J"),
        ("two\nlines\there", "two lines here"),
        ("\u202eevil", "\ufffdevil"),
        ("zero\u200bwidth", "zero\ufffdwidth"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("全\u3000角", "全\u3000角"),
    ],
)
def test_control_characters_are_replaced(text: str, shown: str) -> None:
    """Chat comes from strangers: escape sequences and overrides of the direction are made visible."""
    assert safe(text) == shown

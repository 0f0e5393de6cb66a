"""Drawing in place, on a small simulated terminal."""

import io
from collections.abc import Callable
from typing import Any

import pytest

from client_cli.line.screen import STYLES, Screen, can_draw, has_glyphs, print_lines, style_of
from client_cli.text.style import Line, Role, Segment, Style, line

LOOK = Style(40, 8)
FRAME: list[Line] = [line("Simon Race", Role.TITLE), (), line("10♥ 陳小明")]


def test_the_frame_is_above_the_input_line(glass: Any) -> None:
    Screen(glass).paint(FRAME, line("No."), LOOK, prompt=True)
    assert glass.rows() == ["Simon Race", "", "10♥ 陳小明", "", "", "", ">", "No."]
    assert glass.at == (7, 3)


def test_the_input_line_is_never_drawn_over(glass: Any) -> None:
    """Standings change all the time while somebody types."""
    screen = Screen(glass)
    screen.paint(FRAME, (), LOOK, prompt=True)
    glass.type("3 7")
    screen.paint([line("Simon Race"), line("2. 陳小明"), line("1. Ada")], line("Hm."), LOOK, prompt=False)
    assert glass.rows() == ["Simon Race", "2. 陳小明", "1. Ada", "", "", "", "> 3 7", "Hm."]
    assert glass.at == (7, 6)


def test_the_input_line_is_cleared_after_a_line(glass: Any) -> None:
    screen = Screen(glass)
    screen.paint(FRAME, (), LOOK, prompt=True)
    glass.type("3 7\n")
    screen.paint(FRAME, (), LOOK, prompt=True)
    assert glass.rows()[6] == ">"
    assert glass.at == (7, 3)


def test_only_changed_rows_are_written(glass: Any) -> None:
    screen = Screen(glass)
    screen.paint(FRAME, (), LOOK, prompt=True)
    before = glass.written
    screen.paint(FRAME, (), LOOK, prompt=False)
    assert glass.written - before < 20


def test_removed_lines_are_cleared(glass: Any) -> None:
    screen = Screen(glass)
    screen.paint(FRAME, line("No."), LOOK, prompt=True)
    screen.paint(FRAME[:1], (), LOOK, prompt=False)
    assert glass.rows() == ["Simon Race", "", "", "", "", "", ">", ""]


def test_another_size_is_drawn_completely(glass: Any) -> None:
    screen = Screen(glass)
    screen.paint(FRAME, (), LOOK, prompt=True)
    glass.size = (30, 6)
    screen.paint(FRAME, (), Style(30, 6), prompt=False)
    assert glass.rows() == ["Simon Race", "", "10♥ 陳小明", "", ">", ""]


def test_the_screen_is_restored() -> None:
    output = io.StringIO()
    screen = Screen(output)
    screen.open()
    screen.close()
    assert output.getvalue() == "\x1b[?1049h\x1b[2J\x1b[?1049l"


def test_no_color_turns_colours_off(
    monkeypatch: pytest.MonkeyPatch, make_glass: Callable[[int, int], Any]
) -> None:
    """https://no-color.org: bold and underline may stay, and the sign of the suit does."""
    monkeypatch.setenv("TERM", "xterm-256color")
    suits = [tuple(Segment(each.name, each) for each in Role)]
    glass = make_glass(200, 8)
    Screen(glass).paint(suits, (), Style(200, 8), prompt=True)
    assert any(";38;" in each or each.startswith("38;") for each in glass.colours)
    monkeypatch.setenv("NO_COLOR", "1")
    bare = make_glass(200, 8)
    Screen(bare).paint(suits, (), Style(200, 8), prompt=True)
    assert not any("38;" in each or "3" in each for each in bare.colours)


def test_the_four_suits_differ_by_more_than_colour() -> None:
    suits = [STYLES[role] for role in (Role.SPADES, Role.HEARTS, Role.DIAMONDS, Role.CLUBS)]
    assert len({style.color for style in suits}) == 4
    assert [(bool(style.bold), bool(style.underline)) for style in suits] == [
        (True, False),
        (True, False),
        (False, True),
        (False, False),
    ]


def test_a_pipe_is_not_a_terminal_and_80_columns_wide() -> None:
    output = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    assert not can_draw(output)
    assert not has_glyphs(output)
    assert style_of(output) == Style(80, 24, glyphs=False)
    output = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    assert style_of(output) == Style(80, 24)
    assert style_of(output, ascii_only=True) == Style(80, 24, glyphs=False)


def test_lines_in_a_pipe_are_complete_and_without_colours() -> None:
    output = io.StringIO()
    print_lines([line("x" * 200, Role.WARNING), line("10♥", Role.HEARTS)], output)
    assert output.getvalue() == "x" * 200 + "\n10♥\n"

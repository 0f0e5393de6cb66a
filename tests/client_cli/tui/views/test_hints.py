"""Hints: which keys are shown, and which key a cell belongs to."""

import pytest

from client_cli.text.style import Style, plain, width_of
from client_cli.tui.state.keys import KeyAction, Mode, bindings, find_action
from client_cli.tui.views.hints import hint_key, hints_line


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("glyphs", [True, False])
def test_every_hint_is_found_at_its_cells(mode: Mode, glyphs: bool) -> None:
    """From left to right in the order of the table; help and leave are the last."""
    style = Style(width=200, glyphs=glyphs)
    line = hints_line(mode, style)
    found = [hint_key(mode, style, x) for x in range(200)]
    keys = [key for key, before in zip(found, [None, *found], strict=False) if key != before and key]
    last = (KeyAction.HELP, KeyAction.LEAVE)
    hints = sorted((each for each in bindings(mode) if each.hint), key=lambda each: each.action in last)
    assert keys == [each.keys[0] for each in hints if each.action is not KeyAction.COLUMN]
    assert plain(line).isascii() or glyphs
    assert width_of(line) == 200
    assert found[-1] is None, "the end of the line is empty"


def test_help_and_leave_are_shown_on_a_narrow_screen() -> None:
    style = Style(width=30)
    actions = {find_action(Mode.LOBBY, key) for x in range(30) if (key := hint_key(Mode.LOBBY, style, x))}
    assert {KeyAction.HELP, KeyAction.LEAVE} <= actions


def test_the_hint_of_the_columns_cannot_be_clicked() -> None:
    """It stands for ten keys."""
    style = Style()
    assert plain(hints_line(Mode.RACE, style)).startswith(" 1-9 0 column")
    assert hint_key(Mode.RACE, style, 3) is None


def test_enter_removes_a_member_on_one_page_and_applies_settings_on_another() -> None:
    shown = {mode: plain(hints_line(mode, Style())).split("  ") for mode in (Mode.MEMBERS, Mode.MENU)}
    assert "enter remove" in shown[Mode.MEMBERS]
    assert "enter apply" in shown[Mode.MENU]

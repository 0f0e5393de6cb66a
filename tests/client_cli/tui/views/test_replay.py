"""A game that is watched again: what was done is told and marked."""

import pytest
from fullscreen.scenes import Table, at_table

from client_cli.text.style import Style
from client_cli.tui.views.ink import Tone, text_of
from client_cli.tui.views.replay import replay


def rows(table: Table) -> list[str]:
    player = table.seat.desk.replay
    assert player is not None
    drawn = replay(table.conversation.model, table.seat.desk, player, Style(), (80, 18))
    table.marked = sum(piece.tone is Tone.HELD for each in drawn for piece in each)  # type: ignore[attr-defined]
    return [text_of(each) for each in drawn]


@pytest.mark.parametrize(
    ("keys", "did"),
    [
        ("home", "the deal"),
        ("home right", "1 card from "),
        ("down home right right right right right right right", "undo: 1 card back from "),
        ("down down down end", "gives up"),
    ],
)
def test_what_was_done_last_is_told(keys: str, did: str) -> None:
    table = at_table("replay")
    table.press(*keys.split())
    assert did in rows(table)[0]


def test_the_bar_has_a_mark_for_each_run() -> None:
    table = at_table("replay")
    assert rows(table)[-1].count("◆") == 4
    assert len(rows(table)) == 18


def test_speed_and_state_are_shown() -> None:
    table = at_table("replay")
    table.press("+", "space")
    assert rows(table)[-1].startswith(" ▶")
    assert rows(table)[-1].endswith(" 8x")

"""Replay: the last action is named and highlighted."""

import pytest
from fullscreen.harness import Harness, at_screen

from client_cli.text.style import Style, Tone, plain
from client_cli.tui.views.replay import replay


def rows(harness: Harness) -> list[str]:
    assert harness.state.playback is not None
    drawn = replay(harness.conversation.model, harness.state, harness.state.playback, Style(), (80, 18))
    return [plain(each) for each in drawn]


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        ("home", "the deal"),
        ("home right", "1 card from "),
        ("down home right right right right right right right", "undo: 1 card back from "),
        ("down down down end", "forfeits"),
    ],
)
def test_the_last_action_is_named(keys: str, text: str) -> None:
    harness = at_screen("replay")
    harness.press(*keys.split())
    assert text in rows(harness)[0]


def test_the_bar_has_a_mark_for_each_run() -> None:
    harness = at_screen("replay")
    assert rows(harness)[-1].count("◆") == 4
    assert len(rows(harness)) == 18


def test_speed_and_state_are_shown() -> None:
    harness = at_screen("replay")
    harness.press("+", "space")
    assert rows(harness)[-1].startswith(" ▶")
    assert rows(harness)[-1].endswith(" 8x")


def test_the_cards_of_the_last_action_are_highlighted() -> None:
    """Where a move has put them; after an undo, where they are again."""
    harness = at_screen("replay")
    for keys, cards in ((("home",), 0), (("right",), 1)):
        harness.press(*keys)
        assert harness.state.playback is not None
        lines = replay(harness.conversation.model, harness.state, harness.state.playback, Style(), (80, 18))
        held = [segment for line in lines for segment in line if segment.tone is Tone.HELD]
        assert sum("◂" in segment.text for segment in held) == cards

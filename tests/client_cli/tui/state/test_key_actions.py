"""Key actions: cards, questions, and which keys apply where."""

import pytest
from fullscreen.harness import Harness, at_screen

from client_cli.core.commands import MoveCards, SimpleCommand
from client_cli.tui.state.effects import Effects, LeaveRoom, SendAction
from client_cli.tui.state.keys import KeyAction


@pytest.mark.parametrize(
    ("keys", "effects"),
    [
        ("1 0", (SendAction(MoveCards(0, 9)),)),
        ("3 3", (SendAction(MoveCards(2, None)),)),
        ("right right space right enter", (SendAction(MoveCards(2, 3)),)),
        ("left a", (SendAction(MoveCards(9, None)),)),
        ("4 up up down right space", (SendAction(MoveCards(3, 4, 1)),)),
        ("5 escape", ()),
        ("u", (SendAction(SimpleCommand("undo")),)),
        ("R y", (SendAction(SimpleCommand("restart")),)),
        ("R n", ()),
        ("F enter", (SendAction(SimpleCommand("forfeit")),)),
        ("F u", ()),
    ],
)
def test_keys_in_a_race(racing: Harness, keys: str, effects: Effects) -> None:
    assert racing.effects_of(*keys.split()) == effects


def test_undo_puts_back_the_held_group(racing: Harness) -> None:
    racing.effects_of("3", "u")
    assert racing.state.selection.held is None


@pytest.mark.parametrize(
    ("key", "question"), [("R", KeyAction.RESTART), ("F", KeyAction.FORFEIT), ("q", KeyAction.LEAVE)]
)
def test_an_action_that_cannot_be_undone_needs_a_confirmation(
    racing: Harness, key: str, question: KeyAction
) -> None:
    racing.effects_of(key)
    assert racing.state.question is question
    racing.effects_of("x")
    assert racing.state.question is None


def test_leaving_needs_a_yes(racing: Harness) -> None:
    assert racing.effects_of("q", "y") == (LeaveRoom(),)
    assert racing.effects_of("q", "q") == ()


def test_a_kicked_player_leaves_without_a_question() -> None:
    assert at_screen("kicked").effects_of("q") == (LeaveRoom(),)

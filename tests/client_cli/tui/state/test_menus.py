"""Menus: options, settings, members."""

from fullscreen.harness import Harness

from client_cli.tui.state.effects import OpenPrompt, Prompt, SendRequest
from client_cli.tui.state.keys import KeyAction
from client_cli.tui.state.menus import length, press
from client_cli.tui.state.state import Page, Update
from protocol import from_client
from protocol.parts import Ranking, Settings


def choose(harness: Harness) -> Update:
    return press(harness.state, harness.controller.context, KeyAction.CHOOSE)


def test_settings_are_edited_line_by_line_and_requested_together(harness: Harness) -> None:
    harness.press("e", "left", "down", "down", "right")
    state, effects = choose(harness)
    assert effects == (SendRequest(from_client.Configure(settings=Settings(suits=2, ranking=Ranking.SCORE))),)
    assert state.page is Page.ROOM


def test_a_named_deal_stays_named_when_settings_change(harness: Harness) -> None:
    harness.conversation.named_code = "SS1-S1-AAAAABD"
    harness.press("e", "enter")
    assert harness.server.received[-1] == from_client.Configure(
        ref=2, settings=Settings(suits=4), code="SS1-S1-AAAAABD"
    )


def test_the_last_line_of_the_settings_asks_for_a_game_code(harness: Harness) -> None:
    harness.press("e", "up")
    assert choose(harness)[1] == (OpenPrompt(Prompt.GAME_CODE, "SS1-S1-"),)


def test_the_host_can_remove_any_other_member_after_a_question(harness: Harness) -> None:
    harness.press("k", "enter")
    assert harness.state.question is None
    harness.press("down", "down", "enter", "y")
    assert harness.server.received[-1] == from_client.Kick(ref=2, player="zoe")


def test_only_the_host_can_remove_members() -> None:
    harness = Harness(me="ming")
    harness.press("k", "down", "down", "enter")
    assert harness.state.question is None


def test_the_chosen_line_wraps_around(harness: Harness) -> None:
    harness.press("o", "up")
    assert harness.state.line == length(harness.state, harness.controller.context) - 1
    harness.press("down")
    assert harness.state.line == 0

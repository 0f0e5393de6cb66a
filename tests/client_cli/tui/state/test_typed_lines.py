"""Typed lines: chat, commands, game codes, file names."""

import pytest
from fullscreen.harness import Harness

from client_cli.core.commands import MoveCards, SimpleCommand
from client_cli.text.translation import ENGLISH
from client_cli.tui.state.effects import Effects, LeaveRoom, Prompt, SaveRecord, SendAction, SendRequest
from client_cli.tui.state.state import Page
from client_cli.tui.state.typed_lines import submit
from protocol import from_client
from protocol.limits import CHAT_LENGTH
from protocol.parts import Settings


def effects_of(harness: Harness, prompt: Prompt, text: str) -> Effects:
    harness.change(prompt=prompt)
    state = harness.state
    harness.controller.state, effects = submit(state, harness.controller.context, text, ENGLISH)
    return effects


@pytest.mark.parametrize(
    ("text", "effects"),
    [
        ("3 7 2", (SendAction(MoveCards(2, 6, 2)),)),
        ("undo", (SendAction(SimpleCommand("undo")),)),
        ("quit", (LeaveRoom(),)),
        ("kick ben", (SendRequest(from_client.Kick(player="ben")),)),
        ("set suits 2", (SendRequest(from_client.Configure(settings=Settings(suits=2))),)),
        ("", ()),
    ],
)
def test_the_commands_of_the_line_client_work_here(harness: Harness, text: str, effects: Effects) -> None:
    assert effects_of(harness, Prompt.COMMAND, text) == effects
    assert harness.state.prompt is None


def test_an_unknown_command_is_reported(harness: Harness) -> None:
    assert effects_of(harness, Prompt.COMMAND, "jump") == ()
    assert harness.state.status == "There is no command 'jump'. Type help to see all commands."


@pytest.mark.parametrize(("text", "page"), [("help", Page.HELP), ("who", Page.MEMBERS)])
def test_a_command_that_shows_something_opens_its_page(harness: Harness, text: str, page: Page) -> None:
    assert effects_of(harness, Prompt.COMMAND, text) == ()
    assert harness.state.page is page


def test_a_leaderboard_can_be_requested_by_game_code(harness: Harness) -> None:
    assert effects_of(harness, Prompt.COMMAND, "leaderboard SS1-S1-AAAAABD") == (
        SendRequest(from_client.SubscribeLeaderboard(code="SS1-S1-AAAAABD")),
    )
    assert harness.state.page is Page.LEADERBOARD


def test_a_chat_line_is_cut_to_the_limit(harness: Harness) -> None:
    assert effects_of(harness, Prompt.CHAT, "x" * 400) == (
        SendRequest(from_client.Chat(text="x" * CHAT_LENGTH)),
    )
    assert effects_of(harness, Prompt.CHAT, "  ") == ()


@pytest.mark.parametrize(
    ("typed", "code"), [(" ss1-s4-friends ", "SS1-S4-FRIENDS"), ("SS1-S1-", None), ("", None)]
)
def test_a_game_code_is_applied_with_the_other_settings(
    harness: Harness, typed: str, code: str | None
) -> None:
    """A second Enter is not needed: on the line of the code it would ask for the code again."""
    harness.press("e", "down", "right")
    assert harness.state.draft is not None
    changed = harness.state.draft.settings
    assert changed != harness.conversation.model.settings
    assert effects_of(harness, Prompt.GAME_CODE, typed) == (
        SendRequest(from_client.Configure(settings=changed, code=code)),
    )
    shown = harness.state
    assert (shown.page, shown.draft) == (Page.ROOM, None)


def test_a_wrong_game_code_is_reported_and_keeps_the_settings_open(harness: Harness) -> None:
    harness.press("e")
    draft = harness.state.draft
    assert effects_of(harness, Prompt.GAME_CODE, "SS1-S3-FRIENDS") == ()
    assert harness.state.status == "This is not a game code. A valid one looks like SS1-S1-AAAAABD."
    assert (harness.state.page, harness.state.draft) == (Page.SETTINGS, draft)


def test_a_race_is_saved_as_soon_as_its_record_has_arrived(finished: Harness) -> None:
    assert effects_of(finished, Prompt.SAVE_PATH, "a.json") == (SaveRecord("a.json"),)
    assert effects_of(finished, Prompt.COMMAND, "save b.json") == (SaveRecord("b.json"),)
    finished.change(recording=None)
    assert effects_of(finished, Prompt.SAVE_PATH, "c.json") == (SendRequest(from_client.GetRecord(race=1)),)
    assert finished.state.save_path == "c.json"


def test_there_is_nothing_to_save_before_the_first_race(harness: Harness) -> None:
    assert effects_of(harness, Prompt.COMMAND, "save a.json") == ()
    assert harness.state.status.startswith("This room has had no race yet")

"""State of the screen: pages, modes, the log."""

import pytest
from fullscreen.harness import at_screen

from client_cli.core.model import Model
from client_cli.text.style import Role
from client_cli.tui.state.keys import Mode
from client_cli.tui.state.state import Page, ScreenState


@pytest.mark.parametrize(
    ("screen", "mode"),
    [
        ("lobby", Mode.LOBBY),
        ("countdown", Mode.LOBBY),
        ("race", Mode.RACE),
        ("won", Mode.WON),
        ("watch", Mode.SPECTATE),
        ("results", Mode.RESULTS),
        ("replay", Mode.REPLAY),
        ("settings", Mode.MENU),
        ("people", Mode.MEMBERS),
        ("leaderboard", Mode.TEXT),
        ("kicked", Mode.ENDED),
    ],
)
def test_the_mode_follows_from_the_page_and_the_room(screen: str, mode: Mode) -> None:
    harness = at_screen(screen)
    assert harness.state.mode(harness.conversation.model) is mode


def test_help_remembers_the_page_before_it() -> None:
    state = ScreenState().with_page(Page.REPLAY).with_page(Page.HELP)
    assert state.page_before_help is Page.REPLAY
    assert state.mode(Model()) is Mode.TEXT
    assert state.mode_before_help(Model()) is Mode.REPLAY
    assert state.with_page(Page.OPTIONS).page_before_help is Page.ROOM


def test_the_log_keeps_the_newest_two_hundred_sentences() -> None:
    state = ScreenState()
    for number in range(205):
        state = state.with_log(str(number))
    assert [text for text, _ in state.log] == [str(number) for number in range(5, 205)]


def test_a_sentence_can_be_logged_before_the_one_about_the_win() -> None:
    won = ScreenState(win_sentence="Ada has won.").with_log("Ada has won.").with_log("Ben has forfeited.")
    assert won.with_log_before_win("A run.", Role.BAR).log == (
        ("A run.", Role.BAR),
        ("Ada has won.", Role.QUIET),
        ("Ben has forfeited.", Role.QUIET),
    )
    assert ScreenState().with_log("One.").with_log_before_win("Two.", Role.BAR).log == (
        ("One.", Role.QUIET),
        ("Two.", Role.BAR),
    )

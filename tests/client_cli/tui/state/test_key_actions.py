"""Key actions: what keys change in the state, and which effects they return."""

import pytest
from fullscreen.harness import Harness, at_screen

from client_cli.core.commands import MoveCards, SimpleCommand
from client_cli.tui.state.effects import (
    CopyText,
    Effects,
    LeaveRoom,
    OpenPrompt,
    Prompt,
    SendAction,
    SendRequest,
)
from client_cli.tui.state.key_actions import press
from client_cli.tui.state.keys import KeyAction, Mode
from client_cli.tui.state.state import Measure, Page
from protocol import from_client


def effects_of(harness: Harness, *keys: str) -> Effects:
    """Press keys without carrying out their effects, and return the effects of the last key."""
    effects: Effects = ()
    for key in keys:
        harness.controller.state, effects = press(harness.state, harness.controller.context, key)
    return effects


@pytest.mark.parametrize(
    ("key", "effects"),
    [
        ("r", (SendRequest(from_client.Ready(ready=False)),)),  # Ada is ready already
        ("s", (SendRequest(from_client.StartCountdown()),)),
        ("x", (SendRequest(from_client.Lock(locked=True)),)),
        ("c", (CopyText("simonrace join ws://play.example.org:7466/KTQMX"),)),
        ("t", (OpenPrompt(Prompt.CHAT),)),
        (":", (OpenPrompt(Prompt.COMMAND),)),
        ("F5", ()),
    ],
)
def test_keys_in_the_lobby(harness: Harness, key: str, effects: Effects) -> None:
    assert effects_of(harness, key) == effects


def test_the_start_key_cancels_a_countdown() -> None:
    assert effects_of(at_screen("countdown"), "s") == (SendRequest(from_client.CancelCountdown()),)


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
    assert effects_of(racing, *keys.split()) == effects


def test_undo_puts_back_the_held_group(racing: Harness) -> None:
    effects_of(racing, "3", "u")
    assert racing.state.selection.held is None


@pytest.mark.parametrize(
    ("key", "question"), [("R", KeyAction.RESTART), ("F", KeyAction.FORFEIT), ("q", KeyAction.LEAVE)]
)
def test_an_action_that_cannot_be_undone_needs_a_confirmation(
    racing: Harness, key: str, question: KeyAction
) -> None:
    effects_of(racing, key)
    assert racing.state.question is question
    effects_of(racing, "x")
    assert racing.state.question is None


def test_leaving_needs_a_yes(racing: Harness) -> None:
    assert effects_of(racing, "q", "y") == (LeaveRoom(),)
    assert effects_of(racing, "q", "q") == ()


def test_a_kicked_player_leaves_without_a_question() -> None:
    assert effects_of(at_screen("kicked"), "q") == (LeaveRoom(),)


def test_pages_open_and_close(harness: Harness) -> None:
    for key, page in (("?", Page.HELP), ("o", Page.OPTIONS), ("e", Page.SETTINGS), ("k", Page.MEMBERS)):
        effects_of(harness, key)
        assert harness.state.page is page
        effects_of(harness, "escape")
        assert harness.state.page is Page.ROOM


def test_closing_help_returns_to_the_page_before_it() -> None:
    harness = at_screen("replay")
    effects_of(harness, "?", "escape")
    pages = [harness.state.page]
    effects_of(harness, "escape")
    assert [*pages, harness.state.page] == [Page.REPLAY, Page.ROOM]


def test_a_long_page_scrolls_no_further_than_its_end(harness: Harness) -> None:
    effects_of(harness, "?", *["down"] * 200)
    harness.controller.lines(80, 24)
    assert harness.state.line < 60
    effects_of(harness, *["up"] * 200)
    assert harness.state.line == 0


def test_the_results_stay_until_they_are_closed_and_can_be_opened_again(finished: Harness) -> None:
    """Another member who gets ready opens the lobby; that does not close the results."""
    model = finished.conversation.model
    assert finished.state.mode(model) is Mode.RESULTS
    effects_of(finished, "escape")
    assert finished.state.mode(model) is Mode.LOBBY
    effects_of(finished, "v")
    assert finished.state.mode(model) is Mode.RESULTS
    assert effects_of(finished, "n") == (SendRequest(from_client.Ready()),)
    assert finished.state.mode(model) is Mode.LOBBY


def test_the_chart_key_cycles_through_the_measures(finished: Harness) -> None:
    measures = []
    for _ in range(3):
        effects_of(finished, "g")
        measures.append(finished.state.measure)
    assert measures == [Measure.CARDS_LEFT, Measure.SCORE, Measure.PROGRESS]


def test_saving_suggests_a_file_name(finished: Harness) -> None:
    assert effects_of(finished, "s") == (OpenPrompt(Prompt.SAVE_PATH, "simonrace-KTQMX-1.json"),)


def test_the_leaderboard_key_requests_the_leaderboard_of_the_deal(finished: Harness) -> None:
    assert effects_of(finished, "l") == (
        SendRequest(from_client.SubscribeLeaderboard(code="SS1-S4-FRIENDS")),
    )


def test_a_replay_starts_with_the_player_s_own_game_and_goes_from_racer_to_racer(finished: Harness) -> None:
    effects_of(finished, "w")
    assert finished.state.playback is not None
    assert finished.state.playback.player == "ada"
    effects_of(finished, "up")
    assert finished.state.playback.player == "ben"
    effects_of(finished, "escape")
    assert finished.state.mode(finished.conversation.model) is Mode.RESULTS


def test_a_missing_record_is_requested_again(finished: Harness) -> None:
    finished.change(recording=None)
    assert effects_of(finished, "w") == (SendRequest(from_client.GetRecord(race=1)),)


def test_a_spectator_requests_one_board_after_another() -> None:
    harness = at_screen("board")
    for key, player in (("right", "zoe"), ("left", "ming"), ("left", "ada"), ("left", "ben")):
        assert effects_of(harness, key) == (SendRequest(from_client.GetBoard(player=player)),)
        assert harness.state.watched == player


def test_a_spectator_chooses_no_board_while_boards_are_hidden() -> None:
    """The server's answer says why; the standings stay on the screen."""
    harness = at_screen("watch")
    assert effects_of(harness, "right") == (SendRequest(from_client.GetBoard(player="ada")),)
    assert harness.state.watched == ""

"""Keys of the room: requests, prompts, pages, results and boards."""

import pytest
from fullscreen.harness import Harness, at_screen

from client_cli.tui.state.effects import (
    CopyText,
    Effects,
    OpenPrompt,
    Prompt,
    SendRequest,
)
from client_cli.tui.state.keys import Mode
from client_cli.tui.state.state import Measure, Page
from protocol import from_client


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
    assert harness.effects_of(key) == effects


def test_the_start_key_cancels_a_countdown() -> None:
    assert at_screen("countdown").effects_of("s") == (SendRequest(from_client.CancelCountdown()),)


def test_pages_open_and_close(harness: Harness) -> None:
    for key, page in (("?", Page.HELP), ("o", Page.OPTIONS), ("e", Page.SETTINGS), ("k", Page.MEMBERS)):
        harness.effects_of(key)
        assert harness.state.page is page
        harness.effects_of("escape")
        assert harness.state.page is Page.ROOM


def test_closing_help_returns_to_the_page_before_it() -> None:
    harness = at_screen("replay")
    harness.effects_of("?", "escape")
    pages = [harness.state.page]
    harness.effects_of("escape")
    assert [*pages, harness.state.page] == [Page.REPLAY, Page.ROOM]


def test_a_long_page_scrolls_no_further_than_its_end(harness: Harness) -> None:
    harness.effects_of("?", *["down"] * 200)
    harness.controller.lines(80, 24)
    assert harness.state.line < 60
    harness.effects_of(*["up"] * 200)
    assert harness.state.line == 0


def test_the_results_stay_until_they_are_closed_and_can_be_opened_again(finished: Harness) -> None:
    """Another member who gets ready opens the lobby; that does not close the results."""
    model = finished.conversation.model
    assert finished.state.mode(model) is Mode.RESULTS
    finished.effects_of("escape")
    assert finished.state.mode(model) is Mode.LOBBY
    finished.effects_of("v")
    assert finished.state.mode(model) is Mode.RESULTS
    assert finished.effects_of("n") == (SendRequest(from_client.Ready()),)
    assert finished.state.mode(model) is Mode.LOBBY


def test_the_chart_key_cycles_through_the_measures(finished: Harness) -> None:
    measures = []
    for _ in range(3):
        finished.effects_of("g")
        measures.append(finished.state.measure)
    assert measures == [Measure.CARDS_LEFT, Measure.SCORE, Measure.PROGRESS]


def test_saving_suggests_a_file_name(finished: Harness) -> None:
    assert finished.effects_of("s") == (OpenPrompt(Prompt.SAVE_PATH, "simonrace-KTQMX-1.json"),)


def test_the_leaderboard_key_requests_the_leaderboard_of_the_deal(finished: Harness) -> None:
    assert finished.effects_of("l") == (SendRequest(from_client.SubscribeLeaderboard(code="SS1-S4-FRIENDS")),)


def test_a_replay_starts_with_the_player_s_own_game_and_goes_from_racer_to_racer(finished: Harness) -> None:
    finished.effects_of("w")
    assert finished.state.playback is not None
    assert finished.state.playback.player == "ada"
    finished.effects_of("up")
    assert finished.state.playback.player == "ben"
    finished.effects_of("escape")
    assert finished.state.mode(finished.conversation.model) is Mode.RESULTS


def test_a_missing_record_is_requested_again(finished: Harness) -> None:
    finished.change(recording=None)
    assert finished.effects_of("w") == (SendRequest(from_client.GetRecord(race=1)),)


def test_a_spectator_requests_one_board_after_another() -> None:
    harness = at_screen("board")
    for key, player in (("right", "zoe"), ("left", "ming"), ("left", "ada"), ("left", "ben")):
        assert harness.effects_of(key) == (SendRequest(from_client.GetBoard(player=player)),)
        assert harness.state.watched == player


def test_a_spectator_chooses_no_board_while_boards_are_hidden() -> None:
    """The server's answer says why; the standings stay on the screen."""
    harness = at_screen("watch")
    assert harness.effects_of("right") == (SendRequest(from_client.GetBoard(player="ada")),)
    assert harness.state.watched == ""

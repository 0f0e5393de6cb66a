"""Message handlers: what messages and time change in the state."""

from fullscreen.example_race import solution
from fullscreen.harness import Harness, at_screen

from client_cli.core.commands import MoveCards
from client_cli.text.style import Role
from client_cli.tui.state.keys import Mode
from client_cli.tui.state.state import Page
from protocol import from_client, from_server


def test_a_refusal_shows_its_rule_until_the_next_key(racing: Harness) -> None:
    racing.press("2", "3")
    assert racing.state.status == "A card goes on a card one rank higher."
    racing.press("left")
    assert racing.state.status == ""


def test_a_removed_run_is_logged_and_an_undone_one_is_not(racing: Harness) -> None:
    def logged_runs() -> int:
        return sum(text.startswith("You removed a run, from K") for text, _ in racing.state.log)

    for source, target, cards in solution():
        racing.conversation.submit_action(MoveCards(source, target, cards))
        racing.server.flush()
        if logged_runs():
            break
    assert racing.server.view().runs == logged_runs() == 1
    racing.press("u")
    assert (racing.server.view().runs, logged_runs()) == (0, 1)


def test_the_last_run_is_logged_before_the_win(racing: Harness) -> None:
    """The room's event about the win arrives before the answer to the winning action."""
    moves = solution()
    for source, target, cards in moves[:-1]:
        racing.conversation.submit_action(MoveCards(source, target, cards))
        racing.server.flush()
    racing.server.delivers_at_once = False
    racing.conversation.submit_action(MoveCards(*moves[-1]))
    racing.server.flush()
    racing.server.send(from_server.RacerWon(seq=20, player="ada", at_ms=83_456, score=837, moves=63))
    racing.server.send(from_server.RacerForfeited(seq=21, player="ben"))
    racing.server.deliver()
    run, won, after = racing.state.log[-3:]
    assert (run[0][:18], run[1]) == ("You removed a run,", Role.BAR)
    assert won == ("Ada has won in 1:23.456 with 63 moves: 837 points.", Role.TEXT)
    assert after == ("Ben has forfeited.", Role.QUIET)
    assert racing.state.mode(racing.conversation.model) is Mode.WON


def test_an_error_is_shown_in_the_player_s_language(harness: Harness) -> None:
    harness.server.send(from_server.Error(code="nobody_ready", text="A race needs somebody who is ready."))
    assert harness.state.status == "A race needs somebody who is ready."
    harness.server.send(from_server.Error(code="of_a_newer_server", text="The moon is full."))
    assert harness.state.status == "The moon is full."


def test_a_notice_is_logged(racing: Harness) -> None:
    racing.server.send(from_server.Notice(code="time_warning", text="Soon.", remaining_ms=60_000))
    assert racing.state.log[-1] == ("The time limit of this race is near. (60 s)", Role.WARNING)


def test_the_start_of_a_race_closes_any_page(harness: Harness) -> None:
    """An open page of settings must not hide a race."""
    harness.press("?")
    harness.server.send(harness.race.started())
    assert harness.state.page is Page.ROOM
    assert harness.state.mode(harness.conversation.model) is Mode.RACE


def test_the_end_of_a_race_shows_the_results_and_requests_the_record(racing: Harness) -> None:
    racing.press("3")
    racing.server.send(racing.race.ended())
    assert racing.state.selection.held is None
    assert racing.state.mode(racing.conversation.model) is Mode.RESULTS
    asked = racing.server.received[-1]
    assert isinstance(asked, from_client.GetRecord)
    assert asked.race == 1


def test_the_results_stay_when_another_member_opens_the_lobby(finished: Harness) -> None:
    finished.server.send(
        from_server.LobbyOpened(seq=30), from_server.ReadyChanged(seq=31, player="ming", ready=True)
    )
    assert finished.state.mode(finished.conversation.model) is Mode.RESULTS
    finished.server.send(finished.race.countdown())
    assert finished.state.mode(finished.conversation.model) is Mode.LOBBY


def test_a_second_race_starts_with_a_clean_state(finished: Harness) -> None:
    finished.press("w")
    finished.server.send(finished.race.started())
    state = finished.state
    assert (state.page, state.recording, state.playback, state.show_results) == (Page.ROOM, None, None, False)


def test_the_bell_can_be_turned_off(harness: Harness) -> None:
    harness.press("o", "enter", "escape")
    assert harness.state.preferences.bell is False
    screen = RecordingScreen()
    harness.controller.use_screen(screen)
    harness.server.send(harness.race.countdown(), harness.race.started())
    for harness.now_ms in range(0, 5000, 100):
        harness.controller.tick()
    assert screen.effects == []


class RecordingScreen:
    """A screen that only records effects."""

    def __init__(self) -> None:
        self.effects: list[object] = []

    def show(self) -> None:
        pass

    def carry_out(self, effect: object) -> None:
        self.effects.append(effect)


def test_a_board_of_an_earlier_race_is_not_shown() -> None:
    """An answer may arrive late, and the room after a lost connection may be in another race."""
    harness = at_screen("board")
    assert list(harness.state.boards) == ["ming"]
    harness.server.send(from_server.Board(race=2, player="ada", game=harness.server.view()))
    assert list(harness.state.boards) == ["ming"]
    harness.server.send(harness.race.joined()[-1])
    assert (harness.state.boards, harness.state.watched) == ({}, "")

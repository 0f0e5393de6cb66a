"""Playback: at any speed, step by step, from run to run."""

import pytest
from fullscreen.example_race import record

from client_cli.tui.state.keys import KeyAction
from client_cli.tui.state.playback import SPEEDS, Playback, advance, press
from client_cli.tui.state.recorded_game import recorded_game

GAME = recorded_game(record(), "ada")
LAST = len(GAME.positions) - 1


def after(*actions: KeyAction) -> Playback:
    playback = Playback("ada")
    for action in actions:
        playback = press(playback, GAME, action)
    return playback


@pytest.mark.parametrize(
    ("actions", "index"),
    [
        ((KeyAction.STEP_FORWARD, KeyAction.STEP_FORWARD, KeyAction.STEP_BACK), 1),
        ((KeyAction.STEP_BACK,), 0),
        ((KeyAction.GO_TO_END,), LAST),
        ((KeyAction.GO_TO_END, KeyAction.STEP_FORWARD), LAST),
        ((KeyAction.GO_TO_END, KeyAction.GO_TO_START), 0),
        ((KeyAction.NEXT_RUN, KeyAction.PREVIOUS_RUN), 0),
    ],
)
def test_steps_and_jumps(actions: tuple[KeyAction, ...], index: int) -> None:
    playback = after(*actions)
    assert (playback.index, playback.moment_ms) == (index, GAME.positions[index].at_ms)


def test_a_jump_to_a_run_goes_to_the_position_after_its_removal() -> None:
    playback = after(KeyAction.NEXT_RUN)
    assert [GAME.positions[playback.index - 1].runs, GAME.positions[playback.index].runs] == [0, 1]


def test_a_game_plays_at_its_speed_and_stops_at_the_end() -> None:
    playback = after(KeyAction.SLOWER, KeyAction.SLOWER, KeyAction.PLAY)
    assert playback.speed == 1.0
    playback = advance(playback, GAME, GAME.positions[3].at_ms)
    assert playback.index == 3
    playback = advance(playback, GAME, 10**7)
    assert (playback.index, playback.playing) == (LAST, False)
    playback = press(playback, GAME, KeyAction.PLAY)
    assert (playback.index, playback.playing) == (0, True)


def test_a_paused_game_does_not_advance() -> None:
    playback = after(KeyAction.STEP_FORWARD)
    assert advance(playback, GAME, 10**6) == playback


def test_a_step_pauses() -> None:
    assert after(KeyAction.PLAY, KeyAction.STEP_FORWARD).playing is False


def test_the_speed_has_limits() -> None:
    assert after(*[KeyAction.SLOWER] * 20).speed == SPEEDS[0]
    assert after(*[KeyAction.FASTER] * 20).speed == SPEEDS[-1]

"""Watching a game again: at any speed, step by step, from run to run."""

import pytest
from fullscreen.evening import record

from client_cli.tui.state.keys import Do
from client_cli.tui.state.playback import SPEEDS, run, steer
from client_cli.tui.state.recorded_game import reel
from client_cli.tui.state.state import Player

FILM = reel(record(), "ada")
LAST = len(FILM.shots) - 1


def steered(*deeds: Do) -> Player:
    player = Player("ada")
    for do in deeds:
        steer(player, FILM, do)
    return player


@pytest.mark.parametrize(
    ("deeds", "number"),
    [
        ((Do.STEP_ON, Do.STEP_ON, Do.STEP_BACK), 1),
        ((Do.STEP_BACK,), 0),
        ((Do.LAST,), LAST),
        ((Do.LAST, Do.STEP_ON), LAST),
        ((Do.LAST, Do.FIRST), 0),
        ((Do.RUN_ON, Do.RUN_BACK), 0),
    ],
)
def test_steps_and_jumps(deeds: tuple[Do, ...], number: int) -> None:
    player = steered(*deeds)
    assert (player.number, player.moment) == (number, FILM.shots[number].at)


def test_a_jump_to_a_run_stands_where_it_has_just_left() -> None:
    player = steered(Do.RUN_ON)
    assert [FILM.shots[player.number - 1].runs, FILM.shots[player.number].runs] == [0, 1]


def test_time_goes_by_as_fast_as_is_wanted_and_stops_at_the_end() -> None:
    player = steered(Do.SLOWER, Do.SLOWER, Do.PLAY)
    assert player.speed == 1.0
    run(player, FILM, FILM.shots[3].at)
    assert player.number == 3
    run(player, FILM, 10**7)
    assert (player.number, player.playing) == (LAST, False)
    steer(player, FILM, Do.PLAY)
    assert (player.number, player.playing) == (0, True)


def test_a_game_that_does_not_play_stands_still() -> None:
    player = steered(Do.STEP_ON)
    run(player, FILM, 10**6)
    assert player.number == 1


def test_a_step_pauses() -> None:
    assert steered(Do.PLAY, Do.STEP_ON).playing is False


def test_the_speed_has_ends() -> None:
    assert steered(*[Do.SLOWER] * 20).speed == SPEEDS[0]
    assert steered(*[Do.FASTER] * 20).speed == SPEEDS[-1]

"""Watching a game again: keys and time move a player along a reel."""

from typing import Final

from client_cli.tui.state.keys import Do
from client_cli.tui.state.recorded_game import Reel
from client_cli.tui.state.state import Player

SPEEDS: Final = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)


def steer(player: Player, reel: Reel, do: Do) -> None:
    """Do what a key says: play or pause, step, jump to a run, to an end, faster or slower."""
    last = len(reel.shots) - 1
    match do:
        case Do.PLAY:
            if player.number == last and not player.playing:
                _go(player, reel, 0)
            player.playing = not player.playing
        case Do.STEP_BACK:
            _go(player, reel, player.number - 1)
        case Do.STEP_ON:
            _go(player, reel, player.number + 1)
        case Do.RUN_BACK:
            _go(player, reel, reel.run(player.number, -1))
        case Do.RUN_ON:
            _go(player, reel, reel.run(player.number, +1))
        case Do.FIRST:
            _go(player, reel, 0)
        case Do.LAST:
            _go(player, reel, last)
        case Do.SLOWER | Do.FASTER:
            at = SPEEDS.index(player.speed) + (1 if do is Do.FASTER else -1)
            player.speed = SPEEDS[min(max(0, at), len(SPEEDS) - 1)]
        case _:
            pass


def run(player: Player, reel: Reel, elapsed: int) -> None:
    """Let `elapsed` ms of the watcher's time go by."""
    if not player.playing:
        return
    player.moment += elapsed * player.speed
    player.number = reel.at(int(player.moment))
    if player.number == len(reel.shots) - 1:
        player.playing = False


def _go(player: Player, reel: Reel, number: int) -> None:
    player.number = min(max(0, number), len(reel.shots) - 1)
    player.moment = reel.shots[player.number].at
    player.playing = False

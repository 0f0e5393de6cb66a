"""Playback of a recorded game: keys and time move it from position to position."""

from dataclasses import dataclass, replace
from typing import Final

from client_cli.tui.state.keys import KeyAction
from client_cli.tui.state.recorded_game import RecordedGame

SPEEDS: Final = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)


@dataclass(frozen=True, slots=True)
class Playback:
    """What is shown of a recorded game: the racer, the race time, the position at that time."""

    player: str
    moment_ms: float = 0.0
    index: int = 0
    speed: float = 4.0
    playing: bool = False


def press(playback: Playback, game: RecordedGame, action: KeyAction) -> Playback:
    """Play or pause, step, jump to a run or to an end, change the speed."""
    last = len(game.positions) - 1
    match action:
        case KeyAction.PLAY:
            if playback.index == last and not playback.playing:
                playback = _go_to(playback, game, 0)
            return replace(playback, playing=not playback.playing)
        case KeyAction.STEP_BACK:
            return _go_to(playback, game, playback.index - 1)
        case KeyAction.STEP_FORWARD:
            return _go_to(playback, game, playback.index + 1)
        case KeyAction.PREVIOUS_RUN:
            return _go_to(playback, game, game.run_index(playback.index, -1))
        case KeyAction.NEXT_RUN:
            return _go_to(playback, game, game.run_index(playback.index, +1))
        case KeyAction.GO_TO_START:
            return _go_to(playback, game, 0)
        case KeyAction.GO_TO_END:
            return _go_to(playback, game, last)
        case KeyAction.SLOWER | KeyAction.FASTER:
            at = SPEEDS.index(playback.speed) + (1 if action is KeyAction.FASTER else -1)
            return replace(playback, speed=SPEEDS[min(max(0, at), len(SPEEDS) - 1)])
        case _:
            return playback


def advance(playback: Playback, game: RecordedGame, elapsed_ms: int) -> Playback:
    """Advance a playing game by `elapsed_ms` of the viewer's time; it stops at the end."""
    if not playback.playing:
        return playback
    moment_ms = playback.moment_ms + elapsed_ms * playback.speed
    index = game.index_at(int(moment_ms))
    playing = index < len(game.positions) - 1
    return replace(playback, moment_ms=moment_ms, index=index, playing=playing)


def _go_to(playback: Playback, game: RecordedGame, index: int) -> Playback:
    index = min(max(0, index), len(game.positions) - 1)
    return replace(playback, index=index, moment_ms=game.positions[index].at_ms, playing=False)

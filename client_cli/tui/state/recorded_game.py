"""A racer's game from the record of a race, action by action, as the engine plays it again."""

from bisect import bisect_right
from dataclasses import dataclass

from client_cli.core.own_game import Table, table
from engine import Game, GameCode, deal
from engine.board import RUN_LENGTH
from engine.layout import PACK_SIZE
from engine.progress import progress
from protocol.record import ActionKind, Entry, FinishedRace, RacerRecord


@dataclass(frozen=True, slots=True)
class Shot:
    """The game after an action; the first shot of a reel is the deal. `at` is ms since the start."""

    at: int
    entry: Entry | None
    columns: Table
    score: int
    moves: int
    runs: int
    progress: int

    @property
    def cards(self) -> int:
        """How many cards are left on the table."""
        return PACK_SIZE - RUN_LENGTH * self.runs


@dataclass(frozen=True, slots=True)
class Reel:
    """One racer's whole game."""

    player: str
    shots: tuple[Shot, ...]

    def at(self, moment: int) -> int:
        """Return the number of the shot that is seen at a moment, ms since the start."""
        return max(0, bisect_right(self.shots, moment, key=lambda shot: shot.at) - 1)

    def run(self, number: int, step: int) -> int:
        """Return the next shot from one on, or back from it, after which a run had left the table."""
        wanted = range(number + 1, len(self.shots)) if step > 0 else range(number - 1, 0, -1)
        found = (each for each in wanted if self.shots[each].runs > self.shots[each - 1].runs)
        return next(found, len(self.shots) - 1 if step > 0 else 0)


def reel(record: FinishedRace, player: str) -> Reel:
    """Return a racer's game; one without a log has only the deal."""
    racer = next((each for each in record.racers if each.player == player), None)
    game = Game(deal(GameCode.parse(record.code)))
    shots = [_shot(0, None, game)]
    for entry in racer.actions if isinstance(racer, RacerRecord) else ():
        match entry.type:
            case ActionKind.MOVE | ActionKind.AUTO_MOVE if (
                entry.source is not None and entry.target is not None
            ):
                game.move(entry.source, entry.target, entry.cards)
            case ActionKind.UNDO:
                game.undo()
            case ActionKind.RESTART:
                game.restart()
            case _:
                pass  # giving up and coming back leave the board as it is
        shots.append(_shot(entry.at_ms, entry, game))
    return Reel(player, tuple(shots))


def _shot(at: int, entry: Entry | None, game: Game) -> Shot:
    return Shot(
        at,
        entry,
        table(game.board.columns_text()),
        game.score,
        game.moves,
        game.runs,
        progress(game.board, game.runs),
    )

"""Games of a finished race, replayed by the engine from the race's record."""

from bisect import bisect_right
from dataclasses import dataclass

from client_cli.core.own_game import Table, table
from engine import Game, GameCode, deal
from engine.board import RUN_LENGTH
from engine.layout import PACK_SIZE
from engine.progress import progress
from protocol.record import ActionKind, Entry, FinishedRace, RacerRecord


@dataclass(frozen=True, slots=True)
class Position:
    """The game after an action; the first position of a game is the deal and has no entry."""

    at_ms: int  # since the start of the race
    entry: Entry | None
    columns: Table
    score: int
    moves: int
    runs: int
    progress: int

    @property
    def cards_left(self) -> int:
        """How many cards are left on the board."""
        return PACK_SIZE - RUN_LENGTH * self.runs


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """All positions of one racer's game."""

    player: str
    positions: tuple[Position, ...]

    def index_at(self, moment_ms: int) -> int:
        """Return the index of the position at a race time."""
        return max(0, bisect_right(self.positions, moment_ms, key=lambda each: each.at_ms) - 1)

    def run_index(self, index: int, step: int) -> int:
        """Return the next (step 1) or previous (step -1) position after which a run was removed."""
        indexes = range(index + 1, len(self.positions)) if step > 0 else range(index - 1, 0, -1)
        found = (each for each in indexes if self.positions[each].runs > self.positions[each - 1].runs)
        return next(found, len(self.positions) - 1 if step > 0 else 0)


class Recording:
    """Record of a finished race; each racer's game is replayed when it is first asked for."""

    def __init__(self, record: FinishedRace) -> None:
        self.record = record
        self._games: dict[str, RecordedGame] = {}  # replayed so far, by player

    @property
    def racers(self) -> list[str]:
        """The racers in the order of the results."""
        return [each.player for each in self.record.results]

    def game(self, player: str) -> RecordedGame:
        """Return a racer's game."""
        if player not in self._games:
            self._games[player] = recorded_game(self.record, player)
        return self._games[player]


def recorded_game(record: FinishedRace, player: str) -> RecordedGame:
    """Replay a racer's game; the game of a player without a log is only the deal."""
    racer = next((each for each in record.racers if each.player == player), None)
    game = Game(deal(GameCode.parse(record.code)))
    positions = [_position(0, None, game)]
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
                pass  # a forfeit and its undo leave the board as it is
        positions.append(_position(entry.at_ms, entry, game))
    return RecordedGame(player, tuple(positions))


def _position(at_ms: int, entry: Entry | None, game: Game) -> Position:
    return Position(
        at_ms,
        entry,
        table(game.board.columns_text()),
        game.score,
        game.moves,
        game.runs,
        progress(game.board, game.runs),
    )

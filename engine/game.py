"""A player's game on a board: moves, undo, restart and score."""

from functools import lru_cache
from typing import Final, NamedTuple

from engine.board import RUN_LENGTH, Board
from engine.layout import COLUMNS
from engine.refusal import Refusal

UNDO_LIMIT: Final = 100
START_SCORE: Final = 500
RUN_SCORE: Final = 100


class Step(NamedTuple):
    """A move that was made. `run` is the suit of the run that it completed and removed, or None."""

    source: int
    target: int
    cards: int
    run: str | None


# Every step without a run, made once: a look-up costs a third of a new tuple, and the undo histories of all
# games share them.
_PLAIN_STEPS: Final = [
    [[Step(source, target, cards, None) for cards in range(RUN_LENGTH)] for target in range(COLUMNS)]
    for source in range(COLUMNS)
]


@lru_cache(maxsize=1024)
def _shared(columns: tuple[bytes, ...]) -> tuple[bytes, ...]:
    """Return one shared object for equal layouts: the racers of a race start on the same one."""
    return columns


class Game:
    """A game that starts on a copy of the given board.

    `moves` counts the moves made and not undone. A move that completes a run also removes it; `runs` counts
    the runs removed.
    """

    __slots__ = ("_history", "_start", "board", "moves", "runs")

    board: Board
    moves: int
    runs: int

    def __init__(self, board: Board) -> None:
        self._start = _shared(tuple(bytes(column) for column in board.columns))  # for restart
        self._begin(board.copy())

    def _begin(self, board: Board) -> None:
        self.board = board
        self.moves = 0
        self.runs = 0
        # The moves that undo can take back, oldest first. Not a deque: even an empty one takes 760 bytes.
        self._history: list[Step] = []

    @property
    def score(self) -> int:
        """Score: 500, minus 1 for each move, plus 100 for each run. It can be negative."""
        return START_SCORE - self.moves + RUN_SCORE * self.runs

    @property
    def undoable(self) -> int:
        """Number of moves that can be undone, at most 100."""
        return len(self._history)

    @property
    def is_won(self) -> bool:
        """Whether no card is left."""
        return self.board.is_won

    def move(self, source: int, target: int, cards: int | None = None) -> Step | Refusal:
        """Move `cards` cards, or the longest group that fits, from one column to another."""
        board = self.board
        if cards is None:
            cards = board.fitting_cards(source, target)
        refusal = board.check(source, target, cards)
        if refusal is not None:
            # A won board allows no move, so only a refused move needs this check, not the hot path.
            return Refusal.GAME_OVER if board.is_won else refusal
        run = board.push(source, target, cards)
        if run is None:
            step = _PLAIN_STEPS[source][target][cards]
        else:
            step = Step(source, target, cards, run)
            self.runs += 1
        self.moves += 1
        history = self._history
        history.append(step)
        if len(history) > UNDO_LIMIT:
            del history[0]
        return step

    def auto_move(self, source: int, cards: int | None = None) -> Step | Refusal:
        """Move the movable group, or the last `cards` cards, to the best column, as a double click does.

        Board.best_target chooses the column.
        """
        board = self.board
        if board.is_won:
            return Refusal.GAME_OVER
        if not 0 <= source < COLUMNS:
            return Refusal.NO_SUCH_COLUMN
        if cards is None:
            cards = board.groups[source]
        refusal = board.check_group(source, cards)
        if refusal is not None:
            return refusal
        target = board.best_target(source, cards)
        return Refusal.NO_PLACE if target is None else self.move(source, target, cards)

    def undo(self) -> Step | Refusal:
        """Undo the last move and return it. A run that it completed comes back."""
        history = self._history
        if not history:
            return Refusal.GAME_OVER if self.board.is_won else Refusal.NOTHING_TO_UNDO
        # Only a move that completed a run can have won the game.
        if history[-1].run is not None and self.board.is_won:
            return Refusal.GAME_OVER
        step = history.pop()
        self.board.pop(*step)
        self.moves -= 1
        if step.run is not None:
            self.runs -= 1
        return step

    def restart(self) -> Refusal | None:
        """Return to the first layout and clear the undo history. Refused in a won game."""
        if self.board.is_won:
            return Refusal.GAME_OVER
        self._begin(Board(self._start))
        return None

"""One player's game on a board: moves, undo, restart and the score."""

from functools import lru_cache
from typing import Final, NamedTuple

from engine.board import RUN_LENGTH, Board
from engine.layout import COLUMNS
from engine.refusal import Refusal

UNDO_LIMIT: Final = 100
START_SCORE: Final = 500
RUN_SCORE: Final = 100


class Step(NamedTuple):
    """A move that was made; `run` is the suit of the run that it completed and removed, or None."""

    source: int
    target: int
    count: int  # type: ignore[assignment]  # hides tuple.count, which nobody needs here
    run: str | None


# Every step without a run, made once: a look-up is a third of the price of a new tuple, and a thousand
# players' undo histories share them.
_PLAIN_STEPS: Final = [
    [[Step(source, target, count, None) for count in range(RUN_LENGTH)] for target in range(COLUMNS)]
    for source in range(COLUMNS)
]


@lru_cache(maxsize=1024)
def _shared(columns: tuple[bytes, ...]) -> tuple[bytes, ...]:
    """Return the one that stands for all equal ones: the racers of a race have one first layout."""
    return columns


class Game:
    """A game from its first layout on; the layout given is copied.

    `moves` counts the moves in force: undo takes them back. A whole run that completes in a move leaves play
    with that move and counts in `runs`.
    """

    __slots__ = ("_history", "_start", "board", "moves", "runs")

    board: Board
    moves: int
    runs: int

    def __init__(self, board: Board) -> None:
        self._start = _shared(tuple(bytes(column) for column in board.columns))
        self._begin(board.copy())

    def _begin(self, board: Board) -> None:
        self.board = board
        self.moves = 0
        self.runs = 0
        self._history: list[Step] = []  # not a deque: even an empty one takes 760 bytes

    @property
    def score(self) -> int:
        """The app's score: 500, less one for each move, and a hundred for each run; it may go below zero."""
        return START_SCORE - self.moves + RUN_SCORE * self.runs

    @property
    def undoable(self) -> int:
        """How many moves can be taken back, at most 100."""
        return len(self._history)

    @property
    def is_won(self) -> bool:
        """Whether no card is left."""
        return self.board.is_won

    def move(self, source: int, target: int, count: int | None = None) -> Step | Refusal:
        """Move `count` cards, or the longest group that fits, from one column to another."""
        board = self.board
        if count is None:
            count = board.fitting_count(source, target)
        refusal = board.check(source, target, count)
        if refusal is not None:
            # A won board allows no move, so this is the only place that need ask: the hot path need not.
            return Refusal.GAME_OVER if board.is_won else refusal
        run = board.push(source, target, count)
        if run is None:
            step = _PLAIN_STEPS[source][target][count]
        else:
            step = Step(source, target, count, run)
            self.runs += 1
        self.moves += 1
        history = self._history
        history.append(step)
        if len(history) > UNDO_LIMIT:
            del history[0]
        return step

    def auto(self, source: int, count: int | None = None) -> Step | Refusal:
        """Make the double-click move: a column's whole movable group, or `count` cards, to the best column.

        Which column is best is Board.best_target's to say.
        """
        board = self.board
        if board.is_won:
            return Refusal.GAME_OVER
        if not 0 <= source < COLUMNS:
            return Refusal.NO_SUCH_COLUMN
        if count is None:
            count = board.groups[source]
        refusal = board.check_group(source, count)
        if refusal is not None:
            return refusal
        target = board.best_target(source, count)
        return Refusal.NO_PLACE if target is None else self.move(source, target, count)

    def undo(self) -> Step | Refusal:
        """Take back the last move, and return it; a run that it had completed comes back."""
        history = self._history
        if not history:
            return Refusal.GAME_OVER if self.board.is_won else Refusal.NOTHING_TO_UNDO
        # Only a run clears the table, so only after one need the board be asked.
        if history[-1].run is not None and self.board.is_won:
            return Refusal.GAME_OVER
        step = history.pop()
        self.board.pop(*step)
        self.moves -= 1
        if step.run is not None:
            self.runs -= 1
        return step

    def restart(self) -> Refusal | None:
        """Go back to the first layout, with nothing left to undo; a won game refuses."""
        if self.board.is_won:
            return Refusal.GAME_OVER
        self._begin(Board(self._start))
        return None

"""The player's own game as the client shows it: it applies what the server accepted."""

from dataclasses import dataclass, replace
from functools import lru_cache

from engine import Board
from engine.game import START_SCORE
from protocol.from_client import AnyAction, AutoMove, Forfeit, Move, Restart, Undo
from protocol.from_server import Accepted
from protocol.parts import Columns, GameView, RacerState

Table = tuple[tuple[str, ...], ...]
"""Columns from left to right, each from its deepest card to the free one; a card is like `TH`."""


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A game as far as the server has accepted it; `n` is the number of the last action."""

    columns: Table
    n: int = 0
    score: int = START_SCORE
    moves: int = 0
    runs: int = 0
    undoable: int = 0
    state: RacerState = RacerState.PLAYING


def table(columns: Columns) -> Table:
    """Return columns of a message as an immutable table."""
    return tuple(map(tuple, columns))


@lru_cache(maxsize=64)
def board_of(columns: Table) -> Board:
    """Return the engine's board of a table. It is cached: change only a copy."""
    return Board.from_columns(columns)


def from_view(view: GameView) -> OwnGame:
    """Return the game of a message."""
    return OwnGame(table(view.columns), view.n, view.score, view.moves, view.runs, view.undoable, view.state)


def after(game: OwnGame, action: AnyAction, done: Accepted, deal: Table) -> OwnGame:
    """Return the game after an accepted action; `deal` is the table after a restart."""
    return replace(
        game,
        columns=_columns_after(game.columns, action, done, deal),
        n=done.n,
        score=done.score,
        moves=done.moves,
        runs=done.runs,
        undoable=done.undoable,
        state=done.state,
    )


def _columns_after(columns: Table, action: AnyAction, done: Accepted, deal: Table) -> Table:
    match action:
        case Restart():
            return deal
        case Forfeit():
            return columns
        case Move() | AutoMove() | Undo():
            if done.source is None or done.target is None or not done.cards:
                return columns  # an undo of a forfeit
            board = board_of(columns).copy()
            if isinstance(action, Undo):
                board.pop(done.source, done.target, done.cards, done.run)
            else:
                board.push(done.source, done.target, done.cards)
            return table(board.columns_text())

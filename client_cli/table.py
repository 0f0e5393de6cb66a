"""One's own game as it is drawn: it follows what the server says was done, and knows no rule."""

from dataclasses import dataclass, replace
from typing import Final

from protocol.from_client import AnyAction, AutoMove, Forfeit, Move, Restart, Undo
from protocol.from_server import Accepted
from protocol.parts import Columns, GameView, RacerState

RUN_RANKS: Final = "KQJT98765432A"

Table = tuple[tuple[str, ...], ...]
"""Columns left to right, each from its deepest card to the free one; a card is `TH`."""


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A game as far as the server has accepted it; `n` is the number of its last action."""

    columns: Table
    n: int = 0
    score: int = 500
    moves: int = 0
    runs: int = 0
    undoable: int = 0
    state: RacerState = RacerState.PLAYING


def table(columns: Columns) -> Table:
    """Return columns as they came from the server in a form that cannot change."""
    return tuple(map(tuple, columns))


def from_view(view: GameView) -> OwnGame:
    """Return the game that the server says one has."""
    return OwnGame(table(view.columns), view.n, view.score, view.moves, view.runs, view.undoable, view.state)


def after(game: OwnGame, action: AnyAction, done: Accepted, deal: Table) -> OwnGame:
    """Return the game after the action that was accepted; `deal` is what a restart goes back to."""
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
                return columns  # an undo that took back a forfeit
            back = isinstance(action, Undo)
            return _moved(columns, done.source, done.target, done.cards, done.run, back=back)


def _moved(columns: Table, source: int, target: int, cards: int, run: str | None, *, back: bool) -> Table:
    changed = [list(column) for column in columns]
    whole_run = [rank + run for rank in RUN_RANKS] if run else []
    if back:
        changed[target] += whole_run
        changed[source] += changed[target][-cards:]
        del changed[target][-cards:]
    else:
        changed[target] += changed[source][-cards:]
        del changed[source][-cards:]
        if whole_run:
            del changed[target][-len(whole_run) :]
    return tuple(map(tuple, changed))


def likely_count(columns: Table, source: int, target: int) -> int:
    """Return how many cards are meant by a move without a count: the longest group that would fit.

    Where none fits it is the whole group, and the server says which rule refuses it. Columns beyond the
    table count one card, for the same reason.
    """
    if not (0 <= source < len(columns) and 0 <= target < len(columns) and columns[source]):
        return 1
    origin, destination = columns[source], columns[target]
    group = group_length(origin)
    if not destination:
        return group
    wanted = height(destination[-1]) - height(origin[-1])
    if group < wanted <= len(origin) and height(origin[-wanted]) == height(destination[-1]) - 1:
        return wanted  # a mixed group that would fit: its refusal tells more than a card that does not
    return wanted if 1 <= wanted <= group else group


def group_length(column: tuple[str, ...]) -> int:
    """Return how many cards at the end of a column, which is not empty, can move together."""
    length = 1
    while length < len(column) and _follows(column[-length - 1], column[-length]):
        length += 1
    return length


def _follows(upper: str, lower: str) -> bool:
    return upper[1] == lower[1] and height(upper) == height(lower) + 1


def height(card: str) -> int:
    """Return a number that is one higher for a card that is one rank higher."""
    return -RUN_RANKS.index(card[0])

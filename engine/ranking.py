"""Ranking of a race, for live standings and for results.

Winners come first, then racers whose game is unfinished, then racers who are out: those who forfeited, and
those who were disconnected or idle when the race ended. Winners are ranked by the mode of the race: `time` by
race time, then fewer moves; `score` by higher score, then race time. The others are ranked in both modes by
more runs removed, then more cards in order, then higher score, then earlier `reached_ms`. Equal racers have
equal ranks: 1, 2, 2, 4.
"""

from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import Final, Literal, NamedTuple, Protocol

Mode = Literal["time", "score"]
Merit = tuple[int, int, int, int, int]
"""Sort key of a racer: smaller is better, and equal for equal racers."""


class Status(IntEnum):
    """Class of a racer. Every class ranks before the next one, in both modes."""

    WON = 0
    # The game goes on, or the race ended while the racer still played.
    UNFINISHED = 1
    # The racer forfeited, or was disconnected or idle when the race ended.
    OUT = 2


_WON: Final = Status.WON  # in Python 3.11 an enum looks its members up in Python


class Placed(Protocol):
    """Any object with the attributes of `Placing`."""

    @property
    def status(self) -> Status:
        """Class of the racer."""

    @property
    def score(self) -> int:
        """Score of the game."""

    @property
    def moves(self) -> int:
        """Moves that count, without those taken back."""

    @property
    def runs(self) -> int:
        """Runs removed."""

    @property
    def progress(self) -> int:
        """Cards in order, as `engine.progress` counts them."""

    @property
    def reached_ms(self) -> int:
        """Race time of the last action that changed the board; a winner's is the win."""


class Placing(NamedTuple):
    """What a racer is ranked by. The attributes are those of `Placed`."""

    status: Status
    score: int
    moves: int
    runs: int
    progress: int
    reached_ms: int


def merit(placing: Placed, mode: Mode) -> Merit:
    """Return the sort key of a racer."""
    status = placing.status
    if status is not _WON:
        return (status, -placing.runs, -placing.progress, -placing.score, placing.reached_ms)
    if mode == "score":
        return (status, -placing.score, placing.reached_ms, 0, 0)
    return (status, placing.reached_ms, placing.moves, 0, 0)


def rank(placings: Sequence[Placed], mode: Mode) -> list[int]:
    """Return the rank of each placing, from 1, in the order given."""
    merits = [merit(placing, mode) for placing in placings]
    best_first = sorted(merits)
    rank_of = dict(zip(best_first, ranks_of(best_first), strict=True))
    return [rank_of[each] for each in merits]


def ranks_of(best_first: Iterable[Merit]) -> list[int]:
    """Return the rank of each sort key: its place from 1, or the rank of an equal key before it."""
    ranks: list[int] = []
    rank, before = 0, None
    for place, each in enumerate(best_first, start=1):
        if each != before:
            rank, before = place, each
        ranks.append(rank)
    return ranks

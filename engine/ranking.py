"""Who is ahead of whom: the ranking of a race, live and final.

`time`: winners by elapsed milliseconds, then fewer moves; the others by runs removed, then score, then
who got there first. `score`: score, then who got there first. Equal is equal: ranks 1, 2, 2, 4.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, Protocol

Mode = Literal["time", "score"]
Merit = tuple[int, int, int, int]
"""What to sort by: the smaller, the better; equal for equal results."""


class Placed(Protocol):
    """Anything that knows what `Placing` holds."""

    @property
    def won(self) -> bool:
        """Whether the game is won."""

    @property
    def score(self) -> int:
        """The app's score."""

    @property
    def moves(self) -> int:
        """Moves in force."""

    @property
    def runs(self) -> int:
        """Runs removed."""

    @property
    def reached(self) -> int:
        """When this score was reached, in ms since the start."""


class Placing(NamedTuple):
    """What of a game counts for its rank; `reached` is when this score was reached, in ms since the start."""

    won: bool
    score: int
    moves: int
    runs: int
    reached: int


def merit(placing: Placed, mode: Mode) -> Merit:
    """Return what a game is worth in a race."""
    if mode == "score":
        return (-placing.score, placing.reached, 0, 0)
    if placing.won:
        return (0, placing.reached, placing.moves, 0)
    return (1, -placing.runs, -placing.score, placing.reached)


def rank(placings: Sequence[Placed], mode: Mode) -> list[int]:
    """Return the rank of each placing, from 1, in the order given."""
    merits = [merit(placing, mode) for placing in placings]
    best_first = sorted(merits)
    rank_of = dict(zip(best_first, ranks_of(best_first), strict=True))
    return [rank_of[each] for each in merits]


def ranks_of(best_first: Iterable[Merit]) -> list[int]:
    """Return the rank of each, from 1: its place, or the rank of the one before if they are equal."""
    ranks: list[int] = []
    rank, before = 0, None
    for place, each in enumerate(best_first, start=1):
        if each != before:
            rank, before = place, each
        ranks.append(rank)
    return ranks

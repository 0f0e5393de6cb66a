"""Who is ahead of whom: the ranking of a race, live and final.

`time`: winners by elapsed milliseconds, then fewer moves; the others by runs removed, then score, then
who got there first. `score`: score, then who got there first. Equal is equal: ranks 1, 2, 2, 4.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

Mode = Literal["time", "score"]


class Placing(NamedTuple):
    """What of a game counts for its rank; `reached` is when this score was reached, in ms since the start."""

    won: bool
    score: int
    moves: int
    runs: int
    reached: int


def merit(placing: Placing, mode: Mode) -> tuple[int, int, int, int]:
    """Return what to sort by: the smaller, the better; equal for equal results."""
    if mode == "score":
        return (-placing.score, placing.reached, 0, 0)
    if placing.won:
        return (0, placing.reached, placing.moves, 0)
    return (1, -placing.runs, -placing.score, placing.reached)


def rank(placings: Sequence[Placing], mode: Mode) -> list[int]:
    """Return the rank of each placing, from 1, in the order given."""
    merits = [merit(placing, mode) for placing in placings]
    first: dict[tuple[int, int, int, int], int] = {}
    for place, each in enumerate(sorted(merits), start=1):
        first.setdefault(each, place)
    return [first[each] for each in merits]

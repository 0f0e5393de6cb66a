"""Whom to show what of the standings: all of a small race; of a large one the top, and the own neighbourhood.

A thousand lines to a thousand people are a million lines. Those who stand near each other get the same frame,
so a race costs a line of each frame for every ten racers, not for everybody.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from protocol.from_server import Standings
from protocol.limits import WHOLE_STANDINGS

_TOP: Final = 10
_STRETCH: Final = 10
_MARGIN: Final = 5


def is_crowd(racers: int) -> bool:
    """Whether there are too many racers to show them all to everybody."""
    return racers > WHOLE_STANDINGS


def parts(standings: Standings, people: Iterable[str]) -> Iterator[tuple[Standings, list[str]]]:
    """Return who gets which part: the first ten, and from five before the own stretch of ten to five behind.

    Who does not race looks at the beginning.
    """
    rows = standings.rows
    stretch_of = {row.player: place // _STRETCH for place, row in enumerate(rows)}
    for stretch, those in _by_stretch(stretch_of, people).items():
        first = max(_TOP, stretch * _STRETCH - _MARGIN)
        shown = [*rows[:_TOP], *rows[first : (stretch + 1) * _STRETCH + _MARGIN]]
        yield (
            Standings(
                race=standings.race, elapsed_ms=standings.elapsed_ms, rows=shown, racer_count=len(rows)
            ),
            those,
        )


def _by_stretch(stretch_of: Mapping[str, int], people: Iterable[str]) -> dict[int, list[str]]:
    together: dict[int, list[str]] = {}
    for player in people:
        together.setdefault(stretch_of.get(player, 0), []).append(player)
    return together

"""Standings windows: which rows a subscriber gets in a large race.

A thousand rows to a thousand subscribers are a million rows. Racers who stand near each other get the same
window, so that a race encodes one frame for every ten racers.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from protocol.from_server import Standings
from protocol.limits import WHOLE_STANDINGS

_TOP: Final = 10
_STRETCH: Final = 10
_MARGIN: Final = 5


def has_windows(racers: int) -> bool:
    """Return whether a race has too many racers to send all rows to everybody."""
    return racers > WHOLE_STANDINGS


def windows(standings: Standings, players: Iterable[str]) -> Iterator[tuple[Standings, list[str]]]:
    """Return each window with the players who get it.

    A window has the first ten rows, and the ten in which the player stands with five before and five behind.
    Players who do not race get the first window.
    """
    rows = standings.rows
    stretch_of = {row.player: place // _STRETCH for place, row in enumerate(rows)}
    for stretch, receivers in _by_stretch(stretch_of, players).items():
        first = max(_TOP, stretch * _STRETCH - _MARGIN)
        shown = [*rows[:_TOP], *rows[first : (stretch + 1) * _STRETCH + _MARGIN]]
        window = Standings(
            race=standings.race, elapsed_ms=standings.elapsed_ms, rows=shown, racer_count=len(rows)
        )
        yield window, receivers


def _by_stretch(stretch_of: Mapping[str, int], players: Iterable[str]) -> dict[int, list[str]]:
    together: dict[int, list[str]] = {}
    for player in players:
        together.setdefault(stretch_of.get(player, 0), []).append(player)
    return together

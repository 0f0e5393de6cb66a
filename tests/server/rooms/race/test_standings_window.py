"""Of a large race everybody sees the top and their own neighbourhood."""

import pytest

from protocol.from_server import Standings
from protocol.parts import StandingsRow
from server.rooms.race.standings_window import has_windows, windows


def standings(racers: int) -> Standings:
    rows = [StandingsRow(f"p{place}", place, 500 - place, place, 0, 0) for place in range(1, racers + 1)]
    return Standings(race=1, elapsed_ms=5, rows=rows)


def shown_to(player: str, racers: int) -> list[int]:
    [(part, people)] = windows(standings(racers), [player])
    assert people == [player]
    assert (part.race, part.elapsed_ms, part.racer_count) == (1, 5, racers)
    return [row.rank for row in part.rows]


def test_forty_racers_get_all_rows() -> None:
    assert (has_windows(40), has_windows(41)) == (False, True)


@pytest.mark.parametrize(
    ("player", "around"),
    [
        ("p1", range(11, 16)),
        ("p10", range(11, 16)),
        ("p11", range(11, 26)),
        ("p55", range(46, 66)),
        ("p100", range(86, 101)),
        ("somebody who watches", range(11, 16)),
    ],
)
def test_a_window_has_the_first_ten_rows_and_those_around_the_player(player: str, around: range) -> None:
    """Best first, no row twice; a spectator gets the first window."""
    assert shown_to(player, 100) == [*range(1, 11), *around]


def test_a_window_has_the_player_and_five_on_either_side() -> None:
    racers = 97
    for place in range(1, racers + 1):
        seen = set(shown_to(f"p{place}", racers))
        assert seen >= set(range(max(1, place - 5), min(racers, place + 5) + 1))


def test_racers_who_stand_near_each_other_share_a_window() -> None:
    """One encoding for ten people, not for one."""
    people = [f"p{place}" for place in range(1, 101)]
    found = list(windows(standings(100), people))

    assert [len(those) for _, those in found] == [10] * 10
    assert [player for _, those in found for player in those] == people

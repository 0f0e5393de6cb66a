"""Ranking of a race by time and by score: three classes of racers, the keys within each, and ties."""

from random import Random
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.ranking import Mode, Placing, Status, merit, rank

EACH_MODE = pytest.mark.parametrize("mode", get_args(Mode))


def won(reached_ms: int, moves: int = 50) -> Placing:
    return Placing(Status.WON, 900 - moves, moves, 4, 48, reached_ms)


def unfinished(
    runs: int = 0, progress: int = 0, moves: int = 0, reached_ms: int = 0, status: Status = Status.UNFINISHED
) -> Placing:
    return Placing(status, 500 - moves + 100 * runs, moves, runs, progress, reached_ms)


def out(runs: int = 0, progress: int = 0, moves: int = 0, reached_ms: int = 0) -> Placing:
    return unfinished(runs, progress, moves, reached_ms, Status.OUT)


# Classes.


@EACH_MODE
def test_winners_rank_before_unfinished_games_and_these_before_racers_who_are_out(mode: Mode) -> None:
    """Whatever their runs, cards in order, score and times."""
    placings = [out(3, 47, 0, 1), unfinished(3, 40, 9, 10), won(9_000_000, 800), unfinished(0, 0, 600, 900)]
    assert rank(placings, mode) == [4, 2, 1, 3]


# Winners.


def test_by_time_winners_rank_by_race_time_then_by_fewer_moves() -> None:
    assert rank([won(2000, 49), won(1000, 60), won(1000, 50)], "time") == [3, 2, 1]


def test_the_time_of_a_win_counts_to_the_millisecond() -> None:
    assert rank([won(1_001), won(1_000), won(1_000)], "time") == [3, 1, 1]


def test_by_score_winners_rank_by_higher_score_then_by_race_time() -> None:
    assert rank([won(1000, 60), won(9000, 50), won(8000, 50)], "score") == [3, 2, 1]


@EACH_MODE
def test_winners_with_equal_results_share_a_rank_and_the_next_rank_is_left_out(mode: Mode) -> None:
    assert rank([won(1), won(5), won(5), won(9)], mode) == [1, 2, 2, 4]


# Games that are not won.


@EACH_MODE
@pytest.mark.parametrize("status", [Status.UNFINISHED, Status.OUT])
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        pytest.param(unfinished(2, 24, 90, 900), unfinished(1, 35, 9, 50), id="runs before cards in order"),
        pytest.param(unfinished(1, 20, 90, 900), unfinished(1, 19, 9, 50), id="cards in order before score"),
        pytest.param(unfinished(1, 20, 8, 900), unfinished(1, 20, 9, 50), id="score before time"),
        pytest.param(unfinished(1, 20, 9, 49), unfinished(1, 20, 9, 50), id="the earlier one"),
    ],
)
def test_other_racers_rank_by_runs_then_cards_in_order_then_score_then_time(
    mode: Mode, status: Status, better: Placing, worse: Placing
) -> None:
    """In both modes, and by the same keys among those who are out."""
    placings = [worse._replace(status=status), better._replace(status=status)]
    assert rank(placings, mode) == [2, 1]


@EACH_MODE
def test_a_racer_who_plays_ranks_before_one_who_does_nothing(mode: Mode) -> None:
    """Every move costs a point of score; with score as the first key an idle racer would lead."""
    assert rank([unfinished(), unfinished(0, 5, 40, 60_000)], mode) == [2, 1]


def test_a_score_below_zero_ranks_after_a_higher_one() -> None:
    assert rank([unfinished(moves=501, reached_ms=9), unfinished()], "score") == [2, 1]


@EACH_MODE
def test_equal_racers_who_are_out_share_a_rank(mode: Mode) -> None:
    """Whether they forfeited, or were absent or idle."""
    assert rank([out(1, 12, 30, 5), unfinished(), out(1, 12, 30, 5), out()], mode) == [2, 1, 2, 4]


def test_no_racers_have_no_ranks() -> None:
    assert rank([], "time") == []


# Properties.

PLACINGS = st.lists(
    st.builds(
        Placing,
        st.sampled_from(Status),
        st.integers(-1, 2),
        st.integers(0, 2),
        st.integers(0, 4),
        st.integers(0, 2),
        st.integers(0, 2),
    ),
    max_size=8,
)
MODES: st.SearchStrategy[Mode] = st.sampled_from(["time", "score"])


@given(PLACINGS, MODES)
def test_a_rank_is_one_more_than_the_number_of_those_ahead(placings: list[Placing], mode: Mode) -> None:
    """So equal ones are equal, the next rank is left out, and the first rank is always taken."""
    merits = [merit(each, mode) for each in placings]
    ahead = [sum(other < mine for other in merits) for mine in merits]
    assert rank(placings, mode) == [each + 1 for each in ahead]


@given(PLACINGS, MODES, st.randoms(use_true_random=False))
def test_a_rank_does_not_depend_on_the_order_of_the_racers(
    placings: list[Placing], mode: Mode, chance: Random
) -> None:
    """Every node ranks alike, in whatever order it learned of the last two winners."""
    ranks = rank(placings, mode)
    order = list(range(len(placings)))
    chance.shuffle(order)
    assert rank([placings[each] for each in order], mode) == [ranks[each] for each in order]


@given(PLACINGS, MODES)
def test_only_the_keys_of_the_rule_tell_two_racers_apart(placings: list[Placing], mode: Mode) -> None:
    """Winners: time and moves, or score and time; others: runs, cards in order, score, time, not moves."""
    told_apart = {
        (each.status, each.reached_ms, each.moves if mode == "time" else each.score)
        if each.status is Status.WON
        else (each.status, each.runs, each.progress, each.score, each.reached_ms)
        for each in placings
    }
    assert len(set(rank(placings, mode))) == len(told_apart)


@given(PLACINGS, MODES)
def test_a_class_never_ranks_before_a_better_one(placings: list[Placing], mode: Mode) -> None:
    best_first = sorted(zip(rank(placings, mode), [each.status for each in placings], strict=True))
    statuses = [status for _, status in best_first]
    assert statuses == sorted(statuses)

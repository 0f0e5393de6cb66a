"""The order of a race: by time or by score, equal is equal."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from engine.ranking import Mode, Placing, merit, rank


def won(reached: int, moves: int = 50) -> Placing:
    return Placing(True, 900 - moves, moves, 4, reached)


def open_game(runs: int, moves: int, reached: int) -> Placing:
    return Placing(False, 500 - moves + 100 * runs, moves, runs, reached)


def test_winners_come_first_by_time_and_equal_times_by_fewer_moves() -> None:
    assert rank([won(2000), open_game(3, 9, 10), won(1000, 60), won(1000, 50)], "time") == [3, 4, 2, 1]


def test_the_others_come_by_runs_then_score_then_who_got_there_first() -> None:
    placings = [open_game(1, 9, 50), open_game(2, 90, 900), open_game(1, 8, 99), open_game(1, 9, 40)]
    assert rank(placings, "time") == [4, 1, 2, 3]


def test_equal_results_share_a_rank_and_the_next_rank_is_left_out() -> None:
    assert rank([won(1), won(5), won(5), won(9)], "time") == [1, 2, 2, 4]


def test_by_score_a_higher_score_beats_a_faster_win() -> None:
    assert rank([won(1000, 60), won(9000, 50), won(8000, 50)], "score") == [3, 2, 1]


def test_nobody_has_no_ranks() -> None:
    assert rank([], "time") == []


def test_a_faster_loser_is_behind_a_slower_winner() -> None:
    """Whatever its runs and score: a win is a win."""
    assert rank([open_game(3, 0, 1), won(9_000_000, 400)], "time") == [2, 1]


def test_the_time_of_a_win_counts_to_the_millisecond() -> None:
    """Order and display use the same milliseconds."""
    assert rank([won(1_001), won(1_000), won(1_000)], "time") == [3, 1, 1]


def test_by_score_equal_scores_go_to_who_got_there_first_won_or_not() -> None:
    loser, winner = Placing(False, 800, 0, 3, 40), Placing(True, 800, 100, 4, 50)
    assert rank([winner, loser, winner], "score") == [2, 1, 2]


def test_by_score_a_score_below_zero_is_behind_a_game_without_a_move() -> None:
    assert rank([open_game(0, 501, 9), open_game(0, 0, 0)], "score") == [2, 1]


PLACINGS = st.lists(
    st.builds(
        Placing, st.booleans(), st.integers(-1, 2), st.integers(0, 2), st.integers(0, 4), st.integers(0, 2)
    ),
    max_size=8,
)
MODES: st.SearchStrategy[Mode] = st.sampled_from(["time", "score"])


@given(PLACINGS, MODES)
def test_a_rank_is_one_more_than_the_number_of_those_ahead(placings: list[Placing], mode: Mode) -> None:
    """So equal ones are equal, the next rank is left out, and somebody is always first."""
    merits = [merit(each, mode) for each in placings]
    ahead = [sum(other < mine for other in merits) for mine in merits]
    assert rank(placings, mode) == [each + 1 for each in ahead]


@given(PLACINGS, MODES, st.randoms(use_true_random=False))
def test_a_rank_does_not_hang_on_the_order_in_which_people_stand(
    placings: list[Placing], mode: Mode, chance: Random
) -> None:
    """Two last finishers who are told in another order on another node have the same ranks there."""
    ranks = rank(placings, mode)
    order = list(range(len(placings)))
    chance.shuffle(order)
    assert rank([placings[each] for each in order], mode) == [ranks[each] for each in order]


@given(PLACINGS)
def test_by_time_only_what_the_rule_names_tells_two_results_apart(placings: list[Placing]) -> None:
    """Winners: time and moves; the others: runs, score, and when it was reached, not their moves."""
    told_apart = {
        (each.won, each.reached, each.moves) if each.won else (each.won, each.runs, each.score, each.reached)
        for each in placings
    }
    assert len(set(rank(placings, "time"))) == len(told_apart)

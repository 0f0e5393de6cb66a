"""The order of a race: by time or by score, equal is equal."""

from engine.ranking import Placing, rank


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

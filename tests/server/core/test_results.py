"""The results of a race: the ranks, and who counts as inactive."""

from collections.abc import Collection

import pytest

from engine.board import Board
from protocol.from_client import Forfeit, Move, Undo
from protocol.parts import RacerState, Ranking, Result
from server.core.play import Play
from server.core.results import results
from server.core.room import Race, Racer

NAMES = {"ann": "Ann", "bob": "Bob", "cat": "Cat", "dan": "Dan"}


def race() -> Race:
    return Race(1, "SS1-S1-AAAAABD", 0, 60_000, {each: Racer(each, name) for each, name in NAMES.items()})


def won(at: int, undone: int = 0) -> Play:
    """Return a game won at race time `at` in one move, after `undone` moves that were undone."""
    suit = [rank + "S" for rank in "KQJT98765432"]
    play = Play(Board.from_columns([suit, ["AS"], *[[] for _ in range(8)]]), 1)
    for number in range(undone):
        play.decide(Move(race=1, n=2 * number + 1, source=1, target=2, cards=1), at, 0)
        play.decide(Undo(race=1, n=2 * number + 2), at, 0)
    play.decide(Move(race=1, n=play.n + 1, source=1, target=0, cards=1), at, 0)
    return play


def won_in_two(at: int) -> Play:
    suit = [rank + "S" for rank in "KQJT98765432"]
    play = Play(Board.from_columns([suit, ["AS"], *[[] for _ in range(8)]]), 1)
    play.decide(Move(race=1, n=1, source=1, target=2, cards=1), at, 0)
    play.decide(Move(race=1, n=2, source=2, target=0, cards=1), at, 0)
    return play


def idle(at: int = 0) -> Play:
    """Return a game without a move, or with one that was made and undone at race time `at`."""
    play = Play(Board.from_columns([["9D", "5H"], ["6S"], ["6D"], *[[] for _ in range(7)]]), 1)
    if at:
        play.decide(Move(race=1, n=1, source=0, target=1, cards=1), at, 0)
        play.decide(Undo(race=1, n=2), at, 0)
    return play


def forfeited() -> Play:
    play = idle()
    play.decide(Move(race=1, n=1, source=0, target=1, cards=1), 10, 0)
    play.decide(Forfeit(race=1, n=2), 20, 0)
    return play


def begun(at: int) -> Play:
    """Return a game with one move, made at race time `at`, without progress."""
    play = idle()
    play.decide(Move(race=1, n=1, source=0, target=1, cards=1), at, 0)
    return play


def ordered(at: int) -> Play:
    """Return a game with one move, made at race time `at`, that made progress."""
    play = Play(Board.from_columns([["9D", "5S"], ["6S"], ["6D"], *[[] for _ in range(7)]]), 1)
    play.decide(Move(race=1, n=1, source=0, target=1, cards=1), at, 0)
    return play


def places(
    plays: list[Play], ranking: Ranking = Ranking.TIME, inactive: Collection[str] = ()
) -> list[tuple[str, int]]:
    rows = results(race(), dict(zip(NAMES, plays, strict=True)), ranking, inactive)
    return [(row.player, row.rank) for row in rows]


def test_every_racer_has_a_result_best_first() -> None:
    """A racer who is still playing at the end is unfinished, and ranked before those who forfeited."""
    plays = {"ann": idle(), "bob": won(2_000), "cat": forfeited(), "dan": won(1_000)}
    assert results(race(), plays, Ranking.TIME, ()) == (
        Result("dan", "Dan", 1, RacerState.WON, 599, 1, 1, 1_000),
        Result("bob", "Bob", 2, RacerState.WON, 599, 1, 1, 2_000),
        Result("ann", "Ann", 3, RacerState.UNFINISHED, 500, 0, 0, 0),
        Result("cat", "Cat", 4, RacerState.FORFEITED, 499, 1, 0, 10),
    )


def test_equal_times_have_equal_ranks() -> None:
    """1, 2, 2, 4; equal racers are in the order in which they joined the room."""
    plays = [won(9_000), won(5_000), won(1_000), won(5_000, undone=3)]
    assert places(plays) == [("cat", 1), ("bob", 2), ("dan", 2), ("ann", 4)]


def test_winners_in_the_same_millisecond_are_ranked_by_fewer_moves() -> None:
    plays = [won_in_two(5_000), won(5_000), idle(), idle()]
    assert places(plays) == [("bob", 1), ("ann", 2), ("cat", 3), ("dan", 3)]


def test_unfinished_games_that_are_equal_share_a_rank() -> None:
    assert places([idle(), idle(), idle(), won(1)]) == [("dan", 1), ("ann", 2), ("bob", 2), ("cat", 2)]


def test_by_score_a_slower_winner_with_a_higher_score_is_first() -> None:
    plays = [won_in_two(1_000), won(9_000), idle(), idle(50)]
    assert places(plays, Ranking.SCORE) == [("bob", 1), ("ann", 2), ("cat", 3), ("dan", 4)]
    assert places(plays, Ranking.TIME) == [("ann", 1), ("bob", 2), ("cat", 3), ("dan", 4)]


@pytest.mark.parametrize("ranking", Ranking)
def test_a_racer_with_progress_is_ranked_before_one_who_did_nothing(ranking: Ranking) -> None:
    """A move costs a point of score, but progress counts more."""
    assert places([idle(), ordered(40_000), begun(100), begun(50)], ranking) == [
        ("bob", 1),
        ("ann", 2),
        ("dan", 3),
        ("cat", 4),
    ]


@pytest.mark.parametrize("ranking", Ranking)
def test_racers_absent_or_idle_at_the_end_are_ranked_with_those_who_forfeited(ranking: Ranking) -> None:
    """They are marked in the result. A winner is never inactive."""
    plays = dict(zip(NAMES, [ordered(10), begun(5), forfeited(), won(9_000)], strict=True))
    assert results(race(), plays, ranking, {"ann", "dan"}) == (
        Result("dan", "Dan", 1, RacerState.WON, 599, 1, 1, 9_000),
        Result("bob", "Bob", 2, RacerState.UNFINISHED, 499, 1, 0, 5),
        Result("ann", "Ann", 3, RacerState.UNFINISHED, 499, 1, 0, 10, inactive=True),
        Result("cat", "Cat", 4, RacerState.FORFEITED, 499, 1, 0, 10),
    )


def test_an_inactive_racer_and_one_who_forfeited_share_a_rank_if_they_are_equal() -> None:
    assert places([begun(10), forfeited(), won(5), begun(11)], inactive={"ann"}) == [
        ("cat", 1),
        ("dan", 2),
        ("ann", 3),
        ("bob", 3),
    ]


def test_a_racer_who_forfeited_is_not_marked_as_inactive() -> None:
    """The state in the result is enough."""
    plays = dict(zip(NAMES, [forfeited(), idle(), idle(), idle()], strict=True))
    assert not any(row.inactive for row in results(race(), plays, Ranking.TIME, {"ann"}))

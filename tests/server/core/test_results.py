"""The final results: everybody's place by their game, whatever became of the player."""

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
    """A game won `at`, in one move; with moves to and fro before it that were taken back."""
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
    """A game with no move, or with one that was made and taken back `at`."""
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


def places(plays: list[Play], ranking: Ranking = Ranking.TIME) -> list[tuple[str, int]]:
    rows = results(race(), dict(zip(NAMES, plays, strict=True)), ranking)
    return [(row.player, row.rank) for row in rows]


def test_everybody_has_a_result_best_first() -> None:
    """Last place is not `quit`: who played to the end without winning is unfinished, and has a place."""
    plays = {"ann": idle(), "bob": won(2_000), "cat": forfeited(), "dan": won(1_000)}
    assert results(race(), plays, Ranking.TIME) == (
        Result("dan", "Dan", 1, RacerState.WON, 599, 1, 1, 1_000),
        Result("bob", "Bob", 2, RacerState.WON, 599, 1, 1, 2_000),
        Result("ann", "Ann", 3, RacerState.UNFINISHED, 500, 0, 0, 0),
        Result("cat", "Cat", 4, RacerState.FORFEITED, 499, 1, 0, 10),
    )


def test_places_for_equal_times_are_equal() -> None:
    """1, 2, 2, 4; equal ones stand in the order in which they came to the room."""
    plays = [won(9_000), won(5_000), won(1_000), won(5_000, undone=3)]
    assert places(plays) == [("cat", 1), ("bob", 2), ("dan", 2), ("ann", 4)]


def test_finishes_in_the_same_millisecond_are_told_apart_by_fewer_moves() -> None:
    plays = [won_in_two(5_000), won(5_000), idle(), idle()]
    assert places(plays) == [("bob", 1), ("ann", 2), ("cat", 3), ("dan", 3)]


def test_unfinished_games_of_equal_progress_share_a_place() -> None:
    assert places([idle(), idle(), idle(), won(1)]) == [("dan", 1), ("ann", 2), ("bob", 2), ("cat", 2)]


def test_by_score_a_slower_winner_with_more_points_is_first() -> None:
    plays = [won_in_two(1_000), won(9_000), idle(), idle(50)]
    assert places(plays, Ranking.SCORE) == [("bob", 1), ("ann", 2), ("cat", 3), ("dan", 4)]
    assert places(plays, Ranking.TIME) == [("ann", 1), ("bob", 2), ("cat", 3), ("dan", 4)]

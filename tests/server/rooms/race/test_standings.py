"""A racer's standing: committed progress, sort key and row."""

import pytest
from racetest import CODE
from roomtest import ADA, MOVES, move

from engine.code import GameCode
from engine.deal import deal
from engine.ranking import merit
from protocol.parts import RacerState, StandingsRow
from server.core.play import Made, Play
from server.rooms.node_messages import RacerProgress
from server.rooms.race.standings import RacerStanding, progress_of


def progress(n: int, score: int = 500, state: RacerState = RacerState.PLAYING) -> RacerProgress:
    return RacerProgress(ADA, n, state, score, n, 0, 10 * n, 20 * n, 7)


def played(moves: int) -> Play:
    play = Play(deal(GameCode.parse(CODE)), 1)
    for n in range(1, moves + 1):
        assert isinstance(play.decide(move(n), 10 * n, 0), Made)
    return play


def test_progress_is_that_of_the_game() -> None:
    """Times are race times; a winner has every card in order."""
    play = played(3)
    assert progress_of(ADA, play) == RacerProgress(
        ADA, 3, RacerState.PLAYING, play.game.score, 3, 0, 30, 30, play.placing.progress
    )
    won = progress_of(ADA, played(MOVES))
    assert (won.state, won.runs, won.progress, won.reached_ms) == (RacerState.WON, 4, 48, 10 * MOVES)


def test_another_node_s_word_counts_if_it_is_further() -> None:
    """Its messages may come late or twice; an older one changes nothing."""
    standing = RacerStanding(progress(3))
    standing.report(progress(2))
    standing.report(progress(3, score=1))
    assert standing.progress == progress(3)
    standing.report(progress(4))
    assert standing.progress == progress(4)


def test_a_replacement_counts_even_if_it_is_less() -> None:
    """The log is right, also when it has lost actions."""
    standing = RacerStanding(progress(3))
    standing.replace(progress(1))
    assert standing.progress == progress(1)


@pytest.mark.parametrize("mode", ["time", "score"])
def test_the_sort_key_is_that_of_the_progress_when_it_was_weighed(mode: str) -> None:
    """What comes in between changes neither key nor row."""
    standing = RacerStanding(progress(3))
    standing.weigh(mode)  # type: ignore[arg-type]  # one of the two
    standing.report(progress(4, score=600))
    assert standing.weighed == progress(3)
    assert standing.merit == merit(progress(3), mode)  # type: ignore[arg-type]
    standing.weigh(mode)  # type: ignore[arg-type]
    assert standing.merit == merit(progress(4, score=600), mode)  # type: ignore[arg-type]


def test_a_row_is_kept_until_progress_or_rank_change() -> None:
    """A race of a thousand has a thousand rows, and few of them change between two standings."""
    standing = RacerStanding(progress(3))
    standing.weigh("time")
    row = standing.row(1)
    assert row == StandingsRow(ADA, 1, 500, 3, 0, 7, RacerState.PLAYING, None)
    assert standing.row(1) is row
    assert standing.row(2) == StandingsRow(ADA, 2, 500, 3, 0, 7, RacerState.PLAYING, None)
    standing.report(progress(4))
    standing.weigh("time")
    assert standing.row(2).moves == 4


def test_only_a_winner_s_row_has_a_time() -> None:
    """The time of the winning move."""
    standing = RacerStanding(progress(49, state=RacerState.WON))
    standing.weigh("time")
    assert standing.row(1).at_ms == 490

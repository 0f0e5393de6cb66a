"""Replay of one log; test_verify.py has the faults of a whole record."""

from client_cli.core.replay import Outcome, replay
from engine import Board, Game, GameCode, deal
from engine.progress import progress
from engine.ranking import Placing, Status
from protocol import limits
from protocol.parts import RacerState
from protocol.record import ActionKind, Entry

CODE = GameCode.parse("SS1-S1-AAAAABD")
ALMOST_WON = """
1  KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S
2  AS
3
4
5
6
7
8
9
10
"""


def test_an_empty_log_ends_with_the_deal() -> None:
    board = deal(CODE)
    assert replay([], board, 1000) == Outcome(
        board.columns_text(),
        Placing(Status.UNFINISHED, 500, 0, 0, progress(board, 0), 0),
        RacerState.UNFINISHED,
        [],
    )


def test_the_last_run_wins() -> None:
    done = replay([Entry(700, ActionKind.MOVE, 1, 0, 1)], Board.parse(ALMOST_WON), 1000)
    assert done == Outcome([[]] * 10, Placing(Status.WON, 599, 1, 1, 12, 700), RacerState.WON, [])


def test_a_replay_stops_at_the_first_fault() -> None:
    """Entries after an impossible action mean nothing."""
    log = [
        Entry(1, ActionKind.MOVE, 1, 2, 1),
        Entry(2, ActionKind.MOVE, 3, 3, 1),
        Entry(3, ActionKind.MOVE, 4, 4, 1),
    ]
    done = replay(log, Board.parse(ALMOST_WON), 1000)
    assert done.faults == ["action 2: same_column: The cards are already in that column."]
    assert done.placing == Placing(Status.UNFINISHED, 499, 1, 0, 11, 1)


def test_a_forfeit_does_not_change_the_score() -> None:
    """`reached_ms` is the time of the last change of the board; a later forfeit does not change it."""
    log = [Entry(1, ActionKind.MOVE, 1, 2, 1), Entry(500, ActionKind.FORFEIT)]
    done = replay(log, Board.parse(ALMOST_WON), 1000)
    assert (done.placing.reached_ms, done.placing.status) == (1, Status.OUT)
    assert done.state is RacerState.FORFEITED


def test_a_log_longer_than_the_limit_is_a_fault() -> None:
    log = [Entry(1, ActionKind.RESTART)] * (limits.RACE_ACTIONS + 1)
    done = replay(log, Board.parse(ALMOST_WON), 1000)
    assert done.faults == [
        "action 20001: too_many_actions: A racer can send at most 20,000 actions in a race."
    ]


def test_the_given_board_is_not_changed() -> None:
    board = Board.parse(ALMOST_WON)
    replay([Entry(1, ActionKind.MOVE, 1, 0, 1)], board, 1000)
    assert board == Board.parse(ALMOST_WON)
    assert not Game(board).is_won

"""The player's own game follows what the server accepted; the engine checks the result."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client_cli.core.own_game import OwnGame, after, board_of, from_view, table
from engine import Board, Game, GameCode, Refusal, Step, deal
from protocol.from_client import AnyAction, AutoMove, Forfeit, Move, Restart, Undo
from protocol.from_server import Accepted
from protocol.parts import GameView, RacerState

LAYOUT = """
1  KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S
2  4H AS
3
4  5D
5  KD QD
6
7
8
9
10
"""


def answer(n: int, game: Game, step: Step | None, state: RacerState = RacerState.PLAYING) -> Accepted:
    """Return the server's answer to an action."""
    places = {} if step is None else {"source": step.source, "target": step.target, "cards": step.cards}
    return Accepted(
        race=1,
        n=n,
        at_ms=n * 1000,
        score=game.score,
        moves=game.moves,
        runs=game.runs,
        undoable=game.undoable,
        run=step.run if step else None,
        state=state,
        **places,
    )


def test_a_move_moves_the_last_cards() -> None:
    board = Board.parse(LAYOUT)
    start = OwnGame(table(board.columns_text()))
    game = Game(board)
    step = game.move(1, 2, 1)
    assert isinstance(step, Step)
    moved = after(start, Move(race=1, n=1, source=1, target=2, cards=1), answer(1, game, step), start.columns)
    assert moved == OwnGame(table(game.board.columns_text()), 1, 499, 1, 0, 1)


def test_a_completed_run_is_removed_and_restored_by_undo() -> None:
    start = OwnGame(table(Board.parse(LAYOUT).columns_text()))
    game = Game(Board.parse(LAYOUT))
    step = game.auto_move(1)
    assert isinstance(step, Step)
    assert step.run == "S"
    without = after(start, AutoMove(race=1, n=1, source=1), answer(1, game, step), start.columns)
    assert without.columns == table(game.board.columns_text())
    assert without.columns[0] == ()
    assert (without.runs, without.score) == (1, 599)
    back = game.undo()
    assert isinstance(back, Step)
    again = after(without, Undo(race=1, n=2), answer(2, game, back), start.columns)
    assert again.columns == start.columns
    assert (again.n, again.runs, again.score, again.undoable) == (2, 0, 500, 0)


def test_a_restart_restores_the_deal() -> None:
    start = OwnGame(table(Board.parse(LAYOUT).columns_text()))
    game = Game(Board.parse(LAYOUT))
    step = game.move(1, 2, 1)
    assert isinstance(step, Step)
    moved = after(start, Move(race=1, n=1, source=1, target=2, cards=1), answer(1, game, step), start.columns)
    game.restart()
    assert after(moved, Restart(race=1, n=2), answer(2, game, None), start.columns) == OwnGame(
        start.columns, 2
    )


@pytest.mark.parametrize("action", [Forfeit(race=1, n=1), Undo(race=1, n=1)])
def test_a_forfeit_and_its_undo_move_no_card(action: AnyAction) -> None:
    start = OwnGame(table(Board.parse(LAYOUT).columns_text()))
    given_up = answer(1, Game(Board.parse(LAYOUT)), None, RacerState.FORFEITED)
    assert after(start, action, given_up, ()) == OwnGame(start.columns, 1, state=RacerState.FORFEITED)


def test_a_view_of_the_server_becomes_the_game() -> None:
    view = GameView(7, [["KS"], *[[]] * 9], 493, 7, 0, 7, RacerState.PLAYING)
    assert from_view(view) == OwnGame((("KS",), *[()] * 9), 7, 493, 7, 0, 7)


@given(st.integers(0, 26**7 - 1), st.sampled_from([1, 2, 4]), st.randoms(use_true_random=False))
def test_the_board_equals_the_engine_s(number: int, suits: int, random) -> None:  # type: ignore[no-untyped-def]
    """Moves, automatic moves, undo and restart in any order."""
    board = deal(GameCode(suits, number))
    game, drawn = Game(board), OwnGame(table(board.columns_text()))
    start = drawn.columns
    for n in range(1, 40):
        legal = game.board.legal_moves()
        action: AnyAction
        if legal and random.random() < 0.8:
            source, target, count = random.choice(legal)
            action = Move(race=1, n=n, source=source, target=target, cards=count or 1)
            done = game.move(source, target, count)
        elif random.random() < 0.8:
            action, done = Undo(race=1, n=n), game.undo()
        else:
            action, done = Restart(race=1, n=n), None
            game.restart()
        if isinstance(done, Refusal):
            continue
        drawn = after(drawn, action, answer(n, game, done), start)
        assert drawn.columns == table(game.board.columns_text())


def test_the_cached_board_is_never_changed() -> None:
    """Equal columns share one board; a move is made on a copy."""
    board = Board.parse(LAYOUT)
    start = OwnGame(table(board.columns_text()))
    shared = board_of(start.columns)
    game = Game(board)
    step = game.move(1, 2, 1)
    assert isinstance(step, Step)
    moved = after(start, Move(race=1, n=1, source=1, target=2, cards=1), answer(1, game, step), start.columns)
    assert shared == board
    assert board_of(table(board.columns_text())) is shared
    assert board_of(moved.columns) == game.board

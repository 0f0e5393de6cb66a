"""Engine and solver, checked against deals that other programs solved or proved unsolvable."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from engine.board import Board
from engine.game import Game, Step
from engine.layout import group_length
from engine.move import Move
from engine.replay import Action, ActionKind, replay
from engine.solver import Solved, Unsolvable, solve

DATA = Path(__file__).parents[1] / "data"


class SolvedDeal(NamedTuple):
    """A deal, its winning moves, for each run the number of the move and the column, and the score."""

    board: Board
    moves: list[Move]
    runs: list[tuple[int, int]]
    score: int


class UnsolvableDeal(NamedTuple):
    """A deal that cannot be won, and the number of positions reachable from it, itself included."""

    board: Board
    reachable: int


def read_records(name: str) -> dict[str, dict[str, Any]]:
    records = map(json.loads, (DATA / name).read_text().splitlines())
    return {f"{name.removesuffix('.jsonl')}-{n}": record for n, record in enumerate(records)}


def read_solved() -> dict[str, SolvedDeal]:
    deals = {}
    for suits in ("1", "2", "4", "rule-page"):
        for name, record in read_records(f"solved-{suits}.jsonl").items():
            deals[name] = SolvedDeal(
                read_board(record),
                [Move(*move) for move in record["moves"]],
                [(run["after_move"], run["column"]) for run in record["runs"]],
                record["score"],
            )
    return deals


def read_board(record: dict[str, Any]) -> Board:
    return Board.from_columns([column.split() for column in record["columns"]])


SOLVED = read_solved()
UNSOLVABLE = {
    name: UnsolvableDeal(read_board(record), record["reachable_positions"])
    for name, record in read_records("unsolvable.jsonl").items()
}


@pytest.mark.parametrize("name", SOLVED)
def test_a_solution_of_another_program_wins_with_the_same_runs_and_score(name: str) -> None:
    """Every move is legal, the same runs leave the same columns at the same moves, and no card is left."""
    deal = SOLVED[name]
    game = Game(deal.board)
    runs = []
    for number, move in enumerate(deal.moves, start=1):
        step = game.move(*move)
        assert isinstance(step, Step), f"move {number}, {move.text()}: {step}"
        if step.run is not None:
            runs.append((number, step.target))
    assert (game.is_won, runs, game.score) == (True, deal.runs, deal.score)
    assert (game.moves, game.runs) == (len(deal.moves), 4)


@pytest.mark.parametrize("name", SOLVED)
def test_every_move_of_a_solution_is_among_the_legal_moves_and_can_be_undone(name: str) -> None:
    """Cached group lengths stay right, and undo restores every board back to the deal."""
    deal = SOLVED[name]
    game = Game(deal.board)
    boards = []
    for move in deal.moves[:-1]:
        boards.append(game.board.copy())
        assert move in game.board.legal_moves()
        game.move(*move)
        assert game.board.groups == [group_length(column) for column in game.board.columns]
    while game.undoable:
        assert isinstance(game.undo(), Step)
        assert game.board == boards.pop()
    assert boards == []
    assert game.score == 500


@pytest.mark.parametrize("name", SOLVED)
def test_a_solution_replays_from_its_record(name: str) -> None:
    """Offline verification gives the same result."""
    deal = SOLVED[name]
    game = replay(deal.board, [Action(ActionKind.MOVE, *move) for move in deal.moves])
    assert (game.is_won, game.score) == (True, deal.score)


def test_the_rule_page_is_won_with_841_points_in_59_moves() -> None:
    """By the shortest solution that exists: 500 - 59 + 400."""
    deal = SOLVED["solved-rule-page-0"]
    assert (len(deal.moves), deal.score, len(SOLVED)) == (59, 841, 121)


@pytest.mark.parametrize("name", SOLVED)
def test_the_solver_wins_every_deal_that_another_program_won(name: str) -> None:
    """With the default limit, and by moves that the engine allows."""
    deal = SOLVED[name]
    verdict = solve(deal.board)
    assert isinstance(verdict, Solved)
    assert replay(deal.board, [Action(ActionKind.MOVE, *move) for move in verdict.moves]).is_won


@pytest.mark.parametrize("name", UNSOLVABLE)
def test_the_solver_proves_every_deal_unsolvable_that_another_program_did(name: str) -> None:
    """It reaches exactly as many positions, so it misses none and invents none."""
    deal = UNSOLVABLE[name]
    assert solve(deal.board) == Unsolvable(deal.reachable)

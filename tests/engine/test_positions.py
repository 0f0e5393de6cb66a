"""Positions of the solver, checked against the board."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board import Board
from engine.cards import parse_card
from engine.code import COUNT, GameCode
from engine.deal import deal
from engine.positions import FactsOf, Position, estimate_of, placed, sensible_moves


def column(text: str) -> bytes:
    return bytes(map(parse_card, text.split()))


def position(board: Board) -> Position:
    return tuple(map(bytes, board.columns))


def in_any_order(columns: list[bytes]) -> Position:
    return tuple(sorted(columns))


@given(st.sampled_from([1, 2, 4]), st.integers(0, COUNT - 1), st.lists(st.integers(0, 200), max_size=40))
def test_the_solver_reaches_the_same_positions_as_the_legal_moves(
    suits: int, number: int, choices: list[int]
) -> None:
    """Apart from the order of columns, sensible moves reach exactly the positions that legal moves reach."""
    board = deal(GameCode(suits, number))
    for choice in choices:
        if moves := board.legal_moves():
            board.push(*moves[choice % len(moves)])
    before = position(board)
    by_rules = set()
    for move in board.legal_moves():
        after = board.copy()
        after.push(*move)
        by_rules.add(in_any_order(list(position(after))))
    by_solver = set()
    facts_of = FactsOf()
    for source, target, count in sensible_moves(before, facts_of):
        columns = list(before)
        columns[source] = before[source][:-count]
        columns[target] = placed(before[target], before[source][-count:], facts_of)
        by_solver.add(in_any_order(columns))
    assert by_rules - {in_any_order(list(before))} == by_solver - {in_any_order(list(before))}


def test_only_the_first_empty_column_is_used_and_never_by_a_whole_column() -> None:
    """Moves that lead to the same position are left out."""
    board = Board.from_columns([["9D", "5H"], ["KS"], *[[] for _ in range(8)]])
    assert list(sensible_moves(position(board), FactsOf())) == [(0, 2, 1)]


@pytest.mark.parametrize(
    ("destination", "moved", "result"),
    [
        ("", "5H", "5H"),
        ("6S", "5H", "6S 5H"),
        ("9D KH QH JH TH 9H 8H 7H 6H 5H 4H 3H", "2H AH", "9D"),
        ("KH QH JH TH 9H 8H 7H 6H 5H 4H 3S", "2H AH", "KH QH JH TH 9H 8H 7H 6H 5H 4H 3S 2H AH"),
    ],
)
def test_placing_a_group_removes_the_run_that_it_completes(destination: str, moved: str, result: str) -> None:
    """As on the board; a run of two suits stays."""
    assert placed(column(destination), column(moved), FactsOf()) == column(result)


@pytest.mark.parametrize(
    ("text", "estimate"),
    [
        ("", 0),
        ("KS", 0),
        ("KS QS JS", 0),
        ("5S", 12),
        ("6S 5H", 24),
        ("5H 6S", 12 + 12 + 1),
        ("5H 4H 9D KS", 12 + 12 + 2 + 3),
    ],
)
def test_the_estimate_counts_missing_joins_and_buried_cards(text: str, estimate: int) -> None:
    """A card without a join adds 12 unless it is a king, and 1 for each lower card under it."""
    assert estimate_of(column(text)) == estimate

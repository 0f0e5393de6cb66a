"""How far a game has come, as one number that goes up and down with every join."""

from typing import Final

from engine.board import Board

MOST: Final = 48
"""Four runs of twelve joins each: a won game."""

_IN_A_RUN: Final = 12


def joined(board: Board, runs: int) -> int:
    """Count the neighbours of one suit and descending rank, on the table and in the removed runs.

    It is the 48 less the estimate by which the solver is guided: a move makes at most one join.
    """
    return board.joins + _IN_A_RUN * runs

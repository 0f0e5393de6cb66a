"""Progress of a game as one number, which every move changes by one at most."""

from typing import Final

from engine.board import Board

MOST: Final = 48
"""Progress of a won game: four runs with twelve pairs of neighbours each."""

_IN_A_RUN: Final = 12


def progress(board: Board, runs: int) -> int:
    """Count the cards in order: neighbours of one suit and descending rank, on the board and in runs."""
    return board.joins + _IN_A_RUN * runs

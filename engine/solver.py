"""Solver: decides by a weighted best-first search whether a deal can be won, and by which moves.

The search expands the position with the lowest sum of cost so far and estimated remaining cost, the newest
one among equals. Positions that differ only in the order of their columns are the same. The estimate counts
missing joins (a card on the next higher card of its suit; every card but the kings needs one) and lower cards
that lie under a card that must move. A move costs half of a missing join: a higher cost finds shorter
solutions and searches longer (docs/decisions/0004 has the numbers).
"""

from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Final

from engine.board import Board
from engine.move import Move
from engine.positions import FactsOf, placed, sensible_moves

DEFAULT_POSITIONS: Final = 50_000
"""Default limit of positions: half a second to a second of one core, and about 40 MB.

It leaves two or three of 100 deals of four suits undecided, and hardly any of one or two suits. Twice the
limit decides few of those (docs/decisions/0004).
"""

MOVE_MADE: Final = 6


@dataclass(frozen=True, slots=True)
class Solved:
    """The deal can be won, by these moves in order."""

    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Unsolvable:
    """The deal cannot be won: all reachable `positions` were searched."""

    positions: int


@dataclass(frozen=True, slots=True)
class Undecided:
    """The search reached its limit of `positions`."""

    positions: int


def solve(board: Board, max_positions: int = DEFAULT_POSITIONS) -> Solved | Unsolvable | Undecided:
    """Search at most `max_positions` positions for a way to win.

    The same board and limit give the same result on every machine. The board is not changed.
    """
    facts_of = FactsOf()
    start = tuple(map(bytes, board.columns))
    if not any(start):
        return Solved(())
    seen = {tuple(sorted(start))}
    # For each position by serial number: the serial number of its predecessor, and the move. The start is 0.
    trail = [(0, Move(0, 0, 0))]
    estimate = sum(facts_of[column].estimate for column in start)
    frontier = [(estimate, 0, 0, estimate, start)]
    while frontier:
        _, newest_first, spent, estimate, position = heappop(frontier)
        spent += MOVE_MADE
        for move in sensible_moves(position, facts_of):
            source, target, cards = move
            origin, destination = position[source], position[target]
            columns = list(position)
            columns[source] = rest = origin[:-cards]
            columns[target] = grown = placed(destination, origin[-cards:], facts_of)
            key = tuple(sorted(columns))
            if key in seen:
                continue
            if len(seen) >= max_positions:
                return Undecided(len(seen))
            seen.add(key)
            serial = len(trail)
            trail.append((-newest_first, move))
            if not any(columns):
                return Solved(_path(trail))
            before = facts_of[origin].estimate + facts_of[destination].estimate
            after = facts_of[rest].estimate + facts_of[grown].estimate
            ahead = estimate - before + after
            heappush(frontier, (spent + ahead, -serial, spent, ahead, tuple(columns)))
    return Unsolvable(len(seen))


def _path(trail: list[tuple[int, Move]]) -> tuple[Move, ...]:
    path = []
    serial = len(trail) - 1
    while serial:
        serial, move = trail[serial]
        path.append(move)
    return tuple(reversed(path))

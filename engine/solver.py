"""Whether a deal can be won, and by which moves: a weighted best-first search.

Positions are taken up by what was spent plus the estimate of what is still to come, the newest first among
equals. Positions are equal up to the order of their columns. The estimate counts what stands between a
position and the win: joins (a card on the next higher one of its suit) that are missing, since every card but
the kings needs one, and lower cards that lie under a card which has to move. A move is charged half of a
missing join: charging more finds shorter solutions and searches longer (docs/decisions/0004 has the numbers).
"""

from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Final

from engine.board import Board
from engine.move import Move
from engine.positions import FactsOf, placed, sensible_moves

DEFAULT_POSITIONS: Final = 50_000
"""Where to stop by default: after half a second to a second of one core and some 40 MB.

That leaves two or three of 100 deals of four suits undecided, and hardly any of one or two suits; twice as
many positions decide few of those (docs/decisions/0004).
"""

MOVE_MADE: Final = 6


@dataclass(frozen=True, slots=True)
class Solved:
    """The moves that win, in order."""

    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Unsolvable:
    """Proof that nothing wins: there are only so many reachable `positions`, and all were looked at."""

    positions: int


@dataclass(frozen=True, slots=True)
class Undecided:
    """The search gave up after so many `positions`."""

    positions: int


def solve(board: Board, max_positions: int = DEFAULT_POSITIONS) -> Solved | Unsolvable | Undecided:
    """Search for a way to win among `max_positions` different positions at most.

    The same board and limit give the same answer on every machine. The board is not changed.
    """
    facts_of = FactsOf()
    start = tuple(map(bytes, board.columns))
    if not any(start):
        return Solved(())
    seen = {tuple(sorted(start))}
    # How each position was reached, by its serial number: from which one, by which move. The start is 0.
    trail = [(0, Move(0, 0, 0))]
    estimate = sum(facts_of[column].estimate for column in start)
    frontier = [(estimate, 0, 0, estimate, start)]
    while frontier:
        _, newest_first, spent, estimate, position = heappop(frontier)
        spent += MOVE_MADE
        for move in sensible_moves(position, facts_of):
            source, target, count = move
            origin, destination = position[source], position[target]
            columns = list(position)
            columns[source] = rest = origin[:-count]
            columns[target] = grown = placed(destination, origin[-count:], facts_of)
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

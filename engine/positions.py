"""Positions of the solver: columns as bytes, which are immutable and fast to hash and compare."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from engine.cards import KING, RANK_MASK
from engine.layout import group_length
from engine.move import Move

Position = tuple[bytes, ...]

MISSING_JOIN: Final = 12
BURIED_CARD: Final = 1


class ColumnFacts(NamedTuple):
    """Facts of one column: the length of its movable group, and its part of the estimate."""

    group: int
    estimate: int


class FactsOf(dict[bytes, ColumnFacts]):
    """Cache of the facts of each column that occurs in a search."""

    def __missing__(self, column: bytes) -> ColumnFacts:
        self[column] = facts = ColumnFacts(group_length(column), estimate_of(column))
        return facts


def estimate_of(column: bytes) -> int:
    """Estimate the remaining cost of a column: missing joins, and lower cards under cards that must move."""
    estimate = 0
    above = 0
    for depth, card in enumerate(column):
        if above - card != 1:
            rank = card & RANK_MASK
            buried = sum(deeper & RANK_MASK < rank for deeper in column[:depth])
            estimate += BURIED_CARD * buried
            if rank != KING:
                estimate += MISSING_JOIN
        above = card
    return estimate


def sensible_moves(position: Position, facts_of: FactsOf) -> Iterator[Move]:
    """Yield the legal moves without those that lead to the same position as another.

    Only the first empty column is used, and a whole column does not move to an empty one.
    """
    empty = position.index(b"") if b"" in position else None
    for source, origin in enumerate(position):
        if not origin:
            continue
        group = facts_of[origin].group
        last = origin[-1] & RANK_MASK
        for target, destination in enumerate(position):
            if destination:
                cards = (destination[-1] & RANK_MASK) - last
                if 1 <= cards <= group:
                    yield Move(source, target, cards)
            elif target == empty:
                for cards in range(1, min(group, len(origin) - 1) + 1):
                    yield Move(source, target, cards)


def placed(destination: bytes, moved: bytes, facts_of: FactsOf) -> bytes:
    """Return a column with a group placed on it, without the run if that completes one."""
    if destination and destination[-1] - moved[0] == 1 and facts_of[destination].group + len(moved) == KING:
        return destination[: len(moved) - KING]
    return destination + moved

"""The board as the solver sees it: columns as bytes, which hash and compare fast, and never change."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from engine.cards import KING, RANK_MASK
from engine.layout import group_length
from engine.move import Move

Position = tuple[bytes, ...]

MISSING_JOIN: Final = 12
BURIED_CARD: Final = 1


class ColumnFacts(NamedTuple):
    """A column by itself: the length of its movable group, and what it adds to the estimate."""

    group: int
    estimate: int


class FactsOf(dict[bytes, ColumnFacts]):
    """The facts of each column that turns up, worked out once."""

    def __missing__(self, column: bytes) -> ColumnFacts:
        self[column] = facts = ColumnFacts(group_length(column), estimate_of(column))
        return facts


def estimate_of(column: bytes) -> int:
    """Estimate what a column still costs: its missing joins, and the lower cards under what has to move."""
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
    """Yield the legal moves but for those that lead to a position equal to another one's.

    One empty column stands for all, and a whole column is not shifted into an empty one.
    """
    empty = position.index(b"") if b"" in position else None
    for source, origin in enumerate(position):
        if not origin:
            continue
        group = facts_of[origin].group
        last = origin[-1] & RANK_MASK
        for target, destination in enumerate(position):
            if destination:
                count = (destination[-1] & RANK_MASK) - last
                if 1 <= count <= group:
                    yield Move(source, target, count)
            elif target == empty:
                for count in range(1, min(group, len(origin) - 1) + 1):
                    yield Move(source, target, count)


def placed(destination: bytes, moved: bytes, facts_of: FactsOf) -> bytes:
    """Put a group on a column, and take off the run if that completes one."""
    if destination and destination[-1] - moved[0] == 1 and facts_of[destination].group + len(moved) == KING:
        return destination[: len(moved) - KING]
    return destination + moved

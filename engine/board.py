"""The board: what lies where, what may move, and what a move does to it."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final, Self

from engine.cards import ACE, KING, RANK_MASK, card_text, rank_of, suit_from_king, suit_of
from engine.layout import COLUMNS, group_length, layout_text, parse_layout, read_columns
from engine.move import Move
from engine.refusal import Refusal

RUN_LENGTH: Final = KING


class Board:
    """Ten columns of cards, each from its deepest card to the free one.

    All three are there to be read, and changed by push and pop alone. `groups` holds the length of the
    movable group at each column's end, so that checking a move costs the same however long it is; `joins`
    counts the neighbours of one suit and descending rank, anywhere on the table. Columns are counted from 0.
    """

    __slots__ = ("columns", "groups", "joins")

    columns: list[list[int]]
    groups: list[int]
    joins: int

    def __init__(self, columns: Iterable[Iterable[int]]) -> None:
        self.columns = [list(column) for column in columns]
        self.groups = [group_length(column) for column in self.columns]
        self.joins = sum(upper - lower == 1 for column in self.columns for upper, lower in pairwise(column))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Set up a layout from its ten lines; InvalidBoard if they are not well-formed."""
        return cls(parse_layout(text))

    @classmethod
    def from_columns(cls, columns: Sequence[Sequence[str]]) -> Self:
        """Set up a layout from ten columns of cards like TH; InvalidBoard if they are not well-formed."""
        return cls(read_columns(columns))

    def text(self) -> str:
        """Write the layout in the ten lines that parse reads."""
        return layout_text(self.columns)

    def columns_text(self) -> list[list[str]]:
        """Write the cards of each column, from the deepest to the free one."""
        return [[card_text(card) for card in column] for column in self.columns]

    def copy(self) -> Self:
        """Make an equal board that changes by itself."""
        twin = type(self).__new__(type(self))
        twin.columns = [column.copy() for column in self.columns]
        twin.groups = self.groups.copy()
        twin.joins = self.joins
        return twin

    def __eq__(self, other: object) -> bool:
        return self.columns == other.columns if isinstance(other, Board) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # a board changes, so it is no key

    def __repr__(self) -> str:
        return f"Board.parse({self.text()!r})"

    @property
    def is_won(self) -> bool:
        """Whether no card is left."""
        return not any(self.columns)

    def group(self, column: int) -> int:
        """Tell the length of the movable group at a column's end, 0 if the column is empty."""
        return self.groups[column]

    def check(self, source: int, target: int, count: int) -> Refusal | None:
        """Name the rule that refuses a move, or None if the move is legal."""
        if not (0 <= source < COLUMNS and 0 <= target < COLUMNS):
            return Refusal.NO_SUCH_COLUMN
        if source == target:
            return Refusal.SAME_COLUMN
        if not 1 <= count <= self.groups[source]:
            return self.check_group(source, count)
        destination = self.columns[target]
        if not destination:
            return None
        first, last = self.columns[source][-count], destination[-1]
        if (last - first) & RANK_MASK == 1:
            return None
        if rank_of(last) == ACE:
            return Refusal.NOTHING_ON_ACE
        if rank_of(first) == KING:
            return Refusal.KING_NEEDS_EMPTY_COLUMN
        return Refusal.RANK_MISMATCH

    def check_group(self, source: int, count: int) -> Refusal | None:
        """Name the rule by which a column's last cards cannot move at all, wherever to."""
        if 1 <= count <= self.groups[source]:
            return None
        if not self.columns[source]:
            return Refusal.EMPTY_SOURCE
        if not 1 <= count <= len(self.columns[source]):
            return Refusal.BAD_COUNT
        return Refusal.NOT_ONE_SUIT_DESCENDING

    def fitting_count(self, source: int, target: int) -> int:
        """Tell how many cards are meant by a move without a count: the longest group that fits.

        Only one length fits on a card; all of them fit into an empty column. If nothing fits it is a count
        whose refusal is the most telling: that of the mixed group which would fit if it were of one suit,
        otherwise that of the whole group.
        """
        if not (0 <= source < COLUMNS and 0 <= target < COLUMNS and self.columns[source]):
            return 1
        origin, destination = self.columns[source], self.columns[target]
        if destination:
            wanted = rank_of(destination[-1]) - rank_of(origin[-1])
            if 1 <= wanted <= len(origin) and (destination[-1] - origin[-wanted]) & RANK_MASK == 1:
                return wanted
        return self.groups[source]

    def best_target(self, source: int, count: int) -> int | None:
        """Choose the column for a movable group as the app's double click does; None if there is none.

        A column ending in the same suit comes first, then an empty one, then any other; the leftmost of
        equals. To shift a whole column into an empty one is pointless and never chosen.
        """
        origin = self.columns[source]
        first = origin[-count]
        empty = other = None
        for target, destination in enumerate(self.columns):
            if not destination:
                if empty is None and count < len(origin):
                    empty = target
            elif destination[-1] - first == 1:
                return target
            elif other is None and (destination[-1] - first) & RANK_MASK == 1:
                other = target
        return other if empty is None else empty

    def legal_moves(self) -> list[Move]:
        """List every legal move, by source, target and count."""
        return [
            Move(source, target, count)
            for source in range(COLUMNS)
            for target in range(COLUMNS)
            for count in range(1, self.groups[source] + 1)
            if self.check(source, target, count) is None
        ]

    def push(self, source: int, target: int, count: int) -> str | None:
        """Make a move that check allows; return the suit of the run that it completed and removed, if any."""
        groups = self.groups
        origin, destination = self.columns[source], self.columns[target]
        first = origin[-count]
        length = count
        if destination and destination[-1] - first == 1:
            length += groups[target]
            self.joins += 1
        if count == 1:  # most moves, and a slice less
            destination.append(origin.pop())
        else:
            destination += origin[-count:]
            del origin[-count:]
        left = groups[source] - count
        if left:
            groups[source] = left
            self.joins -= 1  # a part of the group stayed behind
        else:
            groups[source] = group_length(origin)
        if length < RUN_LENGTH:
            groups[target] = length
            return None
        del destination[-RUN_LENGTH:]
        self.joins -= RUN_LENGTH - 1
        groups[target] = group_length(destination)
        return suit_of(first)

    def pop(self, source: int, target: int, count: int, run: str | None) -> None:
        """Take back the move that was pushed last; `run` is what its push returned."""
        origin, destination = self.columns[source], self.columns[target]
        groups = self.groups
        together = groups[target]
        if run is not None:
            destination += suit_from_king(run)
            self.joins += RUN_LENGTH - 1
            together = RUN_LENGTH
        origin += destination[-count:]
        del destination[-count:]
        groups[source] = group_length(origin)
        groups[target] = group_length(destination)
        self.joins += (groups[source] > count) - (together > count)

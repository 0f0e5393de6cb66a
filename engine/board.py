"""The board: its cards, the moves that the rules allow, and the effect of a move."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final, Self

from engine.cards import ACE, KING, RANK_MASK, card_text, rank_of, suit_from_king, suit_of
from engine.layout import COLUMNS, group_length, layout_text, parse_layout, read_columns
from engine.move import Move, read_numbers
from engine.refusal import Refusal

RUN_LENGTH: Final = KING


class Board:
    """Ten columns of cards, each from its deepest card to the free one. Columns are counted from 0.

    `columns` holds the cards. `groups` holds the length of the movable group at each column's end, so that
    the cost of checking a move does not depend on its length. `joins` counts the neighbours of one suit and
    descending rank in all columns. Only `push` and `pop` change the three, and keep them consistent.
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
        """Set up a layout from its ten lines. Raises InvalidBoard."""
        return cls(parse_layout(text))

    @classmethod
    def from_columns(cls, columns: Sequence[Sequence[str]]) -> Self:
        """Set up a layout from ten columns of cards like `TH`. Raises InvalidBoard."""
        return cls(read_columns(columns))

    def text(self) -> str:
        """Write the layout in the ten lines that `parse` reads."""
        return layout_text(self.columns)

    def columns_text(self) -> list[list[str]]:
        """Write the cards of each column, from the deepest to the free one."""
        return [[card_text(card) for card in column] for column in self.columns]

    def copy(self) -> Self:
        """Return an independent copy."""
        twin = type(self).__new__(type(self))
        twin.columns = [column.copy() for column in self.columns]
        twin.groups = self.groups.copy()
        twin.joins = self.joins
        return twin

    def __eq__(self, other: object) -> bool:
        return self.columns == other.columns if isinstance(other, Board) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # a board is mutable

    def __repr__(self) -> str:
        return f"Board.parse({self.text()!r})"

    @property
    def is_won(self) -> bool:
        """Whether no card is left."""
        return not any(self.columns)

    def group(self, column: int) -> int:
        """Return the length of the movable group at a column's end, 0 if the column is empty."""
        return self.groups[column]

    def check(self, source: int, target: int, cards: int) -> Refusal | None:
        """Return the rule that refuses a move, or None if the move is legal."""
        if not (0 <= source < COLUMNS and 0 <= target < COLUMNS):
            return Refusal.NO_SUCH_COLUMN
        if source == target:
            return Refusal.SAME_COLUMN
        if not 1 <= cards <= self.groups[source]:
            return self.check_group(source, cards)
        destination = self.columns[target]
        if not destination:
            return None
        first, last = self.columns[source][-cards], destination[-1]
        if (last - first) & RANK_MASK == 1:
            return None
        if rank_of(last) == ACE:
            return Refusal.NOTHING_ON_ACE
        if rank_of(first) == KING:
            return Refusal.KING_NEEDS_EMPTY_COLUMN
        return Refusal.RANK_MISMATCH

    def check_group(self, source: int, cards: int) -> Refusal | None:
        """Return the rule by which a column's last cards cannot move to any column, or None."""
        if 1 <= cards <= self.groups[source]:
            return None
        if not self.columns[source]:
            return Refusal.EMPTY_SOURCE
        if not 1 <= cards <= len(self.columns[source]):
            return Refusal.BAD_CARDS
        return Refusal.NOT_ONE_SUIT_DESCENDING

    def parse_move(self, text: str) -> Move:
        """Read a move like `3 7 2`, or `3 7` for the longest group that fits. Raises InvalidMove.

        Columns are counted from 1. Whether the rules allow the move is for `check` to decide.
        """
        source, target, cards = read_numbers(text)
        return Move(source, target, self.fitting_cards(source, target) if cards is None else cards)

    def fitting_cards(self, source: int, target: int) -> int:
        """Return the number of cards of a move that does not name one: the longest group that fits.

        On a card only one length fits; in an empty column every length does. If nothing fits, return the
        length with the most helpful refusal: that of the mixed group that would fit if it were of one suit,
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

    def best_target(self, source: int, cards: int) -> int | None:
        """Return the column to which an automatic move takes a group, or None if no column takes it.

        A column that ends in the same suit is preferred to an empty one, an empty one to any other, and the
        leftmost among equals. A whole column never moves to an empty one.
        """
        origin = self.columns[source]
        first = origin[-cards]
        empty = other = None
        for target, destination in enumerate(self.columns):
            if not destination:
                if empty is None and cards < len(origin):
                    empty = target
            elif destination[-1] - first == 1:
                return target
            elif other is None and (destination[-1] - first) & RANK_MASK == 1:
                other = target
        return other if empty is None else empty

    def legal_moves(self) -> list[Move]:
        """Return every legal move, ordered by source, target and cards."""
        return [
            Move(source, target, cards)
            for source in range(COLUMNS)
            for target in range(COLUMNS)
            for cards in range(1, self.groups[source] + 1)
            if self.check(source, target, cards) is None
        ]

    def push(self, source: int, target: int, cards: int) -> str | None:
        """Make a move that `check` allows. Return the suit of the run that it completed, or None."""
        groups = self.groups
        origin, destination = self.columns[source], self.columns[target]
        first = origin[-cards]
        length = cards
        if destination and destination[-1] - first == 1:
            length += groups[target]
            self.joins += 1
        if cards == 1:  # most moves; this saves a slice
            destination.append(origin.pop())
        else:
            destination += origin[-cards:]
            del origin[-cards:]
        left = groups[source] - cards
        if left:
            groups[source] = left
            self.joins -= 1  # the move split the group
        else:
            groups[source] = group_length(origin)
        if length < RUN_LENGTH:
            groups[target] = length
            return None
        del destination[-RUN_LENGTH:]
        self.joins -= RUN_LENGTH - 1
        groups[target] = group_length(destination)
        return suit_of(first)

    def pop(self, source: int, target: int, cards: int, run: str | None) -> None:
        """Undo the move that was pushed last. `run` is the return value of that `push`."""
        origin, destination = self.columns[source], self.columns[target]
        groups = self.groups
        together = groups[target]
        if run is not None:
            destination += suit_from_king(run)
            self.joins += RUN_LENGTH - 1
            together = RUN_LENGTH
        origin += destination[-cards:]
        del destination[-cards:]
        groups[source] = group_length(origin)
        groups[target] = group_length(destination)
        self.joins += (groups[source] > cards) - (together > cards)

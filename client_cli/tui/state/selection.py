"""Selection: picking up and dropping cards by keys and mouse.

Each function takes a selection and returns the next one, perhaps with the move to send.
"""

from dataclasses import dataclass, replace
from typing import Final

from client_cli.core.commands import MoveCards
from client_cli.core.own_game import Table
from client_cli.tui.state.drop_targets import drop_targets, group_size
from engine.layout import COLUMNS

DOUBLE_CLICK_MS: Final = 400


@dataclass(frozen=True, slots=True)
class HeldGroup:
    """A group that is picked up: the last `cards` cards of a column; None: as many of the group as fit."""

    source: int
    cards: int | None = None


@dataclass(frozen=True, slots=True)
class BoardPoint:
    """A place on the board: a column and the number of cards from there to its end; 0 below the cards."""

    column: int
    cards: int


@dataclass(frozen=True, slots=True)
class Selection:
    """The held group, the cursor and the state of the mouse."""

    held: HeldGroup | None = None
    cursor: int = 0  # column under the cursor
    pressed: tuple[BoardPoint, int] | None = None  # where and when (ms) the button last went down
    dragging: bool = False  # the button is still down after it picked up `held`
    release_puts_back: bool = False  # releasing the button on the source column puts the group back
    auto_place: bool = False  # option: a drop that does not fit becomes an auto move
    double_click: bool = True  # option: a double click is an auto move


Outcome = tuple[Selection, MoveCards | None]
"""The next selection and the move to send, if any."""


def held_cards(selection: Selection, columns: Table) -> int:
    """Return how many cards are drawn as held."""
    if selection.held is None:
        return 0
    return selection.held.cards or group_size(columns, selection.held.source)


def target_columns(selection: Selection, columns: Table) -> frozenset[int]:
    """Return the columns that could take the held group."""
    held = selection.held
    return drop_targets(columns, held.source, held.cards) if held else frozenset()


def after_board_change(selection: Selection, columns: Table) -> Selection:
    """Return the selection for a changed board: a group that is no longer on it is not held any more."""
    held = selection.held
    if held is not None and len(columns[held.source]) < (held.cards or 1):
        return replace(selection, held=None, dragging=False)
    return selection


def put_back(selection: Selection) -> Selection:
    """Return the selection with nothing held."""
    return replace(selection, held=None, dragging=False, release_puts_back=False)


def press_column(selection: Selection, column: int, columns: Table) -> Outcome:
    """Pick up the group of a column or drop the held one there; the source column again: auto move."""
    selection = replace(selection, cursor=column)
    if selection.held is None:
        if not columns[column]:
            return selection, None
        return replace(selection, held=HeldGroup(column)), None
    if selection.held.source == column:
        return put_back(selection), MoveCards(column, None, selection.held.cards)
    return _drop(selection, selection.held, column, columns)


def press_cursor(selection: Selection, columns: Table) -> Outcome:
    """Pick up or drop at the cursor; on the source column the group is put back."""
    if selection.held is not None and selection.held.source == selection.cursor:
        return put_back(selection), None
    return press_column(selection, selection.cursor, columns)


def auto_move(selection: Selection, columns: Table) -> Outcome:
    """Send the held group, or the group at the cursor, to the best column."""
    held = selection.held or HeldGroup(selection.cursor)
    if not columns[held.source]:
        return selection, None
    return put_back(selection), MoveCards(held.source, None, held.cards)


def move_cursor(selection: Selection, step: int) -> Selection:
    """Move the cursor left or right; it wraps around at the edges."""
    return replace(selection, cursor=(selection.cursor + step) % COLUMNS)


def resize(selection: Selection, step: int, columns: Table) -> Selection:
    """Hold one card more or fewer, from one to the whole group; pick up if nothing is held."""
    if selection.held is None:
        return press_column(selection, selection.cursor, columns)[0]
    whole = max(1, group_size(columns, selection.held.source))
    cards = min(max(1, held_cards(selection, columns) + step), whole)
    return replace(selection, held=replace(selection.held, cards=cards))


def mouse_down(selection: Selection, point: BoardPoint, now_ms: int, columns: Table) -> Outcome:
    """Pick up or drop at a point; a second press there soon after the first is a double click.

    A press on a card picks up that card and all below it; a press below the cards or on the column's number
    picks up the whole group.
    """
    before = selection.pressed
    selection = replace(selection, pressed=(point, now_ms), cursor=point.column, release_puts_back=False)
    size = len(columns[point.column])
    double = before is not None and before[0] == point and now_ms - before[1] <= DOUBLE_CLICK_MS
    if selection.double_click and double and size:
        cards = None if point.cards <= 1 else point.cards
        return put_back(replace(selection, pressed=None)), MoveCards(point.column, None, cards)
    if selection.held is None:
        picked = HeldGroup(point.column, point.cards or None) if size else None
        return replace(selection, held=picked, dragging=picked is not None), None
    if selection.held.source == point.column:
        other = HeldGroup(point.column, point.cards or None)
        puts_back = other == selection.held
        return replace(selection, held=other, dragging=True, release_puts_back=puts_back), None
    # The click that drops a group is not the first half of a double click.
    return _drop(replace(selection, pressed=None), selection.held, point.column, columns)


def mouse_move(selection: Selection, point: BoardPoint) -> Selection:
    """Move the cursor with the mouse while a group is held."""
    return replace(selection, cursor=point.column) if selection.held is not None else selection


def mouse_up(selection: Selection, point: BoardPoint | None, columns: Table) -> Outcome:
    """End a drag: drop on another column; on the source column the group stays held. None: off the board."""
    held = selection.held
    if not selection.dragging or held is None:
        return selection, None
    selection = replace(selection, dragging=False)
    if point is None:
        return _place_best(selection, held) if selection.auto_place else (put_back(selection), None)
    if point.column == held.source:
        return (put_back(selection) if selection.release_puts_back else selection), None
    return _drop(replace(selection, pressed=None), held, point.column, columns)


def _drop(selection: Selection, held: HeldGroup, target: int, columns: Table) -> Outcome:
    if selection.auto_place and target not in drop_targets(columns, held.source, held.cards):
        return _place_best(selection, held)
    return put_back(selection), MoveCards(held.source, target, held.cards)


def _place_best(selection: Selection, held: HeldGroup) -> Outcome:
    return put_back(selection), MoveCards(held.source, None, held.cards)

"""Picking up and putting down, by keys and by mouse: a hand goes in, a hand and perhaps a move come out."""

from dataclasses import dataclass, replace
from typing import Final

from client_cli.core.commands import MoveCards
from client_cli.core.own_game import Table
from client_cli.tui.state import drop_targets
from engine.layout import COLUMNS

DOUBLE_CLICK_MS: Final = 400


@dataclass(frozen=True, slots=True)
class Held:
    """A group in the hand: the last `count` cards of a column; None: as many of the group as fit."""

    source: int
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Spot:
    """A place of the board: a column, and how many cards from there to its end; 0 below them."""

    column: int
    count: int


@dataclass(frozen=True, slots=True)
class Hand:
    """What is held, where the cursor is, and what the mouse is about.

    `pressed` is the place and the time in ms where the button last went down; `dragging` is on while it stays
    down, `back` when letting go at the same place puts the group back.
    """

    held: Held | None = None
    cursor: int = 0
    pressed: tuple[Spot, int] | None = None
    dragging: bool = False
    back: bool = False
    auto_place: bool = False
    double_click: bool = True


Outcome = tuple[Hand, MoveCards | None]


def taken(hand: Hand, table: Table) -> int:
    """Return how many cards are drawn as held."""
    if hand.held is None:
        return 0
    return hand.held.count or drop_targets.group(table, hand.held.source)


def lit(hand: Hand, table: Table) -> frozenset[int]:
    """Return the columns that could take what is held."""
    return drop_targets.places(table, hand.held.source, hand.held.count) if hand.held else frozenset()


def settled(hand: Hand, table: Table) -> Hand:
    """Return the hand after the board has changed: a group that is no longer there is no longer held."""
    held = hand.held
    if held is not None and len(table[held.source]) < (held.count or 1):
        return replace(hand, held=None, dragging=False)
    return hand


def put_back(hand: Hand) -> Hand:
    """Return the hand with nothing in it."""
    return replace(hand, held=None, dragging=False, back=False)


def column(hand: Hand, number: int, table: Table) -> Outcome:
    """Pick up a column's group, or drop what is held there; twice the same column is the best place."""
    hand = replace(hand, cursor=number)
    if hand.held is None:
        return (replace(hand, held=Held(number)), None) if table[number] else (hand, None)
    if hand.held.source == number:
        return put_back(hand), MoveCards(number, None, hand.held.count)
    return _drop(hand, hand.held, number, table)


def here(hand: Hand, table: Table) -> Outcome:
    """Pick up at the cursor, or drop there; on the column it came from the group is put back."""
    if hand.held is not None and hand.held.source == hand.cursor:
        return put_back(hand), None
    return column(hand, hand.cursor, table)


def best(hand: Hand, table: Table) -> Outcome:
    """Send what is held, or the group at the cursor, to the best place."""
    held = hand.held or Held(hand.cursor)
    return (put_back(hand), MoveCards(held.source, None, held.count)) if table[held.source] else (hand, None)


def moved(hand: Hand, step: int) -> Hand:
    """Move the cursor left or right, around the edges."""
    return replace(hand, cursor=(hand.cursor + step) % COLUMNS)


def resized(hand: Hand, step: int, table: Table) -> Hand:
    """Hold one card more or fewer, from one to the whole group; with an empty hand, pick up."""
    if hand.held is None:
        return column(hand, hand.cursor, table)[0]
    whole = max(1, drop_targets.group(table, hand.held.source))
    count = min(max(1, taken(hand, table) + step), whole)
    return replace(hand, held=replace(hand.held, count=count))


def pressed(hand: Hand, spot: Spot, now: int, table: Table) -> Outcome:
    """The button went down: a second time soon is a double click; else pick up, or drop what is held.

    A card is taken with all below it; a place below the cards, or the column's number, means the whole group.
    """
    before, hand = hand.pressed, replace(hand, pressed=(spot, now), cursor=spot.column, back=False)
    size = len(table[spot.column])
    if hand.double_click and before and before[0] == spot and now - before[1] <= DOUBLE_CLICK_MS and size:
        whole = None if spot.count <= 1 else spot.count
        return put_back(replace(hand, pressed=None)), MoveCards(spot.column, None, whole)
    if hand.held is None:
        picked = Held(spot.column, spot.count or None) if size else None
        return replace(hand, held=picked, dragging=picked is not None), None
    if hand.held.source == spot.column:
        other = Held(spot.column, spot.count or None)
        return replace(hand, held=other, dragging=True, back=other == hand.held), None
    # What is dropped by a click is not the first half of a double click.
    return _drop(replace(hand, pressed=None), hand.held, spot.column, table)


def dragged(hand: Hand, spot: Spot) -> Hand:
    """The mouse moved: while a group is held, the cursor shows where it would go."""
    return replace(hand, cursor=spot.column) if hand.held is not None else hand


def released(hand: Hand, spot: Spot | None, table: Table) -> Outcome:
    """The button went up: elsewhere that is a drop, at the same place the group stays in the hand."""
    held = hand.held
    if not hand.dragging or held is None:
        return hand, None
    hand = replace(hand, dragging=False)
    if spot is None:
        return _elsewhere(hand, held) if hand.auto_place else (put_back(hand), None)
    if spot.column == held.source:
        return (put_back(hand) if hand.back else hand), None
    return _drop(replace(hand, pressed=None), held, spot.column, table)


def _drop(hand: Hand, held: Held, target: int, table: Table) -> Outcome:
    if hand.auto_place and target not in drop_targets.places(table, held.source, held.count):
        return _elsewhere(hand, held)
    return put_back(hand), MoveCards(held.source, target, held.count)


def _elsewhere(hand: Hand, held: Held) -> Outcome:
    return put_back(hand), MoveCards(held.source, None, held.count)

"""Picking up and putting down: every way by key and by mouse, with the board of the drawing below.

column  1: 9H 8S 7S     2: 9S     3: (empty)     4: 8D     5: KH     6 to 10: 2C each
"""

from dataclasses import replace

import pytest

from client_cli.core.commands import MoveCards
from client_cli.tui.state import selection as hands
from client_cli.tui.state.selection import Hand, Held, Spot

TABLE = (("9H", "8S", "7S"), ("9S",), (), ("8D",), ("KH",), *((("2C"),),) * 5)
EMPTY = Hand()


def test_a_column_s_key_picks_up_as_much_as_fits_and_another_drops_it() -> None:
    """Where it is dropped decides how many cards go; the link counts them when it is their turn."""
    held, move = hands.column(EMPTY, 0, TABLE)
    assert (held.held, held.cursor, move) == (Held(0), 0, None)
    assert hands.taken(held, TABLE) == 2
    assert hands.column(held, 1, TABLE) == (replace(EMPTY, cursor=1), MoveCards(0, 1))


def test_the_same_key_twice_sends_the_group_to_the_best_place() -> None:
    held, _ = hands.column(EMPTY, 0, TABLE)
    assert hands.column(held, 0, TABLE) == (EMPTY, MoveCards(0, None))


def test_nothing_is_picked_up_from_an_empty_column() -> None:
    assert hands.column(EMPTY, 2, TABLE) == (replace(EMPTY, cursor=2), None)
    assert hands.best(replace(EMPTY, cursor=2), TABLE) == (replace(EMPTY, cursor=2), None)


def test_the_cursor_goes_around_and_space_takes_and_puts_back() -> None:
    left = hands.moved(EMPTY, -1)
    assert left.cursor == 9
    held, _ = hands.here(left, TABLE)
    assert held.held == Held(9)
    assert hands.here(held, TABLE) == (left, None)
    assert hands.here(hands.moved(held, 1), TABLE) == (EMPTY, MoveCards(9, 0))


def test_arrows_hold_from_one_card_to_the_whole_group() -> None:
    held = hands.resized(EMPTY, 1, TABLE)
    assert held.held == Held(0)
    one = hands.resized(held, -1, TABLE)
    assert one.held == Held(0, 1)
    assert hands.resized(one, -1, TABLE) == one
    assert hands.resized(hands.resized(one, 1, TABLE), 1, TABLE).held == Held(0, 2)


def test_a_counted_group_moves_with_its_count() -> None:
    held = replace(EMPTY, held=Held(0, 1))
    assert hands.column(held, 3, TABLE)[1] == MoveCards(0, 3, 1)
    assert hands.best(held, TABLE)[1] == MoveCards(0, None, 1)


def test_columns_that_can_take_it_are_lit() -> None:
    assert hands.lit(replace(EMPTY, held=Held(0)), TABLE) == {1, 2, 3}
    assert hands.lit(replace(EMPTY, held=Held(0, 2)), TABLE) == {1, 2}
    assert hands.lit(replace(EMPTY, held=Held(0, 1)), TABLE) == {2, 3}
    assert hands.lit(replace(EMPTY, held=Held(0, 3)), TABLE) == frozenset()
    assert hands.lit(EMPTY, TABLE) == frozenset()


def test_a_click_takes_a_card_with_all_below_it_and_a_second_one_drops() -> None:
    held, move = hands.pressed(EMPTY, Spot(0, 2), 0, TABLE)
    assert (held.held, held.dragging, move) == (Held(0, 2), True, None)
    stays, move = hands.released(held, Spot(0, 2), TABLE)
    assert (stays.held, move) == (Held(0, 2), None)
    dropped, move = hands.pressed(stays, Spot(1, 0), 900, TABLE)
    assert (dropped.held, move) == (None, MoveCards(0, 1, 2))


def test_a_card_that_is_covered_by_others_can_be_tried_and_the_server_says_why_not() -> None:
    held, _ = hands.pressed(EMPTY, Spot(0, 3), 0, TABLE)
    assert hands.released(held, Spot(2, 0), TABLE)[1] == MoveCards(0, 2, 3)


def test_dragging_to_another_column_drops_there() -> None:
    held, _ = hands.pressed(EMPTY, Spot(0, 1), 0, TABLE)
    over = hands.dragged(held, Spot(3, 1))
    assert over.cursor == 3
    assert hands.released(over, Spot(3, 0), TABLE)[1] == MoveCards(0, 3, 1)
    assert hands.dragged(EMPTY, Spot(3, 1)) == EMPTY


def test_dragging_off_the_board_puts_back() -> None:
    held, _ = hands.pressed(EMPTY, Spot(0, 1), 0, TABLE)
    back, move = hands.released(held, None, TABLE)
    assert (back.held, move) == (None, None)


def test_a_click_on_what_is_held_puts_it_back_and_on_another_card_takes_that() -> None:
    held, _ = hands.released(hands.pressed(EMPTY, Spot(0, 2), 0, TABLE)[0], Spot(0, 2), TABLE)
    other, _ = hands.pressed(held, Spot(0, 1), 900, TABLE)
    assert hands.released(other, Spot(0, 1), TABLE)[0].held == Held(0, 1)
    same, _ = hands.pressed(held, Spot(0, 2), 900, TABLE)
    assert hands.released(same, Spot(0, 2), TABLE)[0].held is None


@pytest.mark.parametrize(("count", "sent"), [(0, None), (1, None), (2, 2)])
def test_a_double_click_sends_the_group_to_the_best_column(count: int, sent: int | None) -> None:
    """On the free card it is the whole group; on a card above, that one with all below it."""
    first, _ = hands.released(hands.pressed(EMPTY, Spot(0, count), 0, TABLE)[0], Spot(0, count), TABLE)
    second, move = hands.pressed(first, Spot(0, count), 399, TABLE)
    assert (second.held, move) == (None, MoveCards(0, None, sent))
    late, move = hands.pressed(first, Spot(0, count), 401, TABLE)
    assert move is None
    assert hands.pressed(replace(first, double_click=False), Spot(0, count), 100, TABLE)[1] is None
    assert late.back


def test_two_quick_drops_are_no_double_click() -> None:
    held, _ = hands.pressed(EMPTY, Spot(0, 1), 0, TABLE)
    held, _ = hands.released(held, Spot(0, 1), TABLE)
    dropped, _ = hands.pressed(held, Spot(3, 1), 100, TABLE)
    again, move = hands.pressed(dropped, Spot(3, 1), 200, TABLE)
    assert (again.held, move) == (Held(3, 1), None)


def test_auto_placement_sends_what_does_not_fit_to_the_best_place() -> None:
    """What is dropped where it fits stays there: nobody who points at a column wants another one."""
    auto = replace(EMPTY, auto_place=True, held=Held(0, 1))
    assert hands.column(auto, 3, TABLE)[1] == MoveCards(0, 3, 1)
    assert hands.column(auto, 4, TABLE)[1] == MoveCards(0, None, 1)
    assert hands.released(replace(auto, dragging=True), None, TABLE)[1] == MoveCards(0, None, 1)


def test_cards_that_have_gone_are_no_longer_held() -> None:
    assert hands.settled(replace(EMPTY, held=Held(0, 4)), TABLE).held is None
    assert hands.settled(replace(EMPTY, held=Held(2)), TABLE).held is None
    assert hands.settled(replace(EMPTY, held=Held(0, 2)), TABLE).held == Held(0, 2)

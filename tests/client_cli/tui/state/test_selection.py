"""Selection: picking up and dropping by keys and mouse.

The board of these tests:
column  1: 9H 8S 7S     2: 9S     3: (empty)     4: 8D     5: KH     6 to 10: 2C each
"""

from dataclasses import replace

import pytest

from client_cli.core.commands import MoveCards
from client_cli.tui.state import selection as selections
from client_cli.tui.state.selection import BoardPoint, HeldGroup, Selection

COLUMNS = (("9H", "8S", "7S"), ("9S",), (), ("8D",), ("KH",), *((("2C"),),) * 5)
EMPTY = Selection()


def test_a_column_key_picks_up_what_fits_and_another_one_drops_it() -> None:
    """The target decides how many cards move; they are counted when the action is sent."""
    held, move = selections.press_column(EMPTY, 0, COLUMNS)
    assert (held.held, held.cursor, move) == (HeldGroup(0), 0, None)
    assert selections.held_cards(held, COLUMNS) == 2
    assert selections.press_column(held, 1, COLUMNS) == (replace(EMPTY, cursor=1), MoveCards(0, 1))


def test_the_same_column_key_twice_sends_the_group_to_the_best_column() -> None:
    held, _ = selections.press_column(EMPTY, 0, COLUMNS)
    assert selections.press_column(held, 0, COLUMNS) == (EMPTY, MoveCards(0, None))


def test_nothing_is_picked_up_from_an_empty_column() -> None:
    assert selections.press_column(EMPTY, 2, COLUMNS) == (replace(EMPTY, cursor=2), None)
    assert selections.auto_move(replace(EMPTY, cursor=2), COLUMNS) == (replace(EMPTY, cursor=2), None)


def test_the_cursor_wraps_around_and_space_picks_up_and_puts_back() -> None:
    left = selections.move_cursor(EMPTY, -1)
    assert left.cursor == 9
    held, _ = selections.press_cursor(left, COLUMNS)
    assert held.held == HeldGroup(9)
    assert selections.press_cursor(held, COLUMNS) == (left, None)
    assert selections.press_cursor(selections.move_cursor(held, 1), COLUMNS) == (EMPTY, MoveCards(9, 0))


def test_resizing_holds_from_one_card_to_the_whole_group() -> None:
    held = selections.resize(EMPTY, 1, COLUMNS)
    assert held.held == HeldGroup(0)
    one = selections.resize(held, -1, COLUMNS)
    assert one.held == HeldGroup(0, 1)
    assert selections.resize(one, -1, COLUMNS) == one
    assert selections.resize(selections.resize(one, 1, COLUMNS), 1, COLUMNS).held == HeldGroup(0, 2)


def test_a_resized_group_moves_with_its_number_of_cards() -> None:
    held = replace(EMPTY, held=HeldGroup(0, 1))
    assert selections.press_column(held, 3, COLUMNS)[1] == MoveCards(0, 3, 1)
    assert selections.auto_move(held, COLUMNS)[1] == MoveCards(0, None, 1)


def test_the_columns_that_can_take_the_held_group() -> None:
    assert selections.target_columns(replace(EMPTY, held=HeldGroup(0)), COLUMNS) == {1, 2, 3}
    assert selections.target_columns(replace(EMPTY, held=HeldGroup(0, 2)), COLUMNS) == {1, 2}
    assert selections.target_columns(replace(EMPTY, held=HeldGroup(0, 1)), COLUMNS) == {2, 3}
    assert selections.target_columns(replace(EMPTY, held=HeldGroup(0, 3)), COLUMNS) == frozenset()
    assert selections.target_columns(EMPTY, COLUMNS) == frozenset()


def test_a_click_picks_up_a_card_with_all_below_it_and_a_second_click_drops_them() -> None:
    held, move = selections.mouse_down(EMPTY, BoardPoint(0, 2), 0, COLUMNS)
    assert (held.held, held.dragging, move) == (HeldGroup(0, 2), True, None)
    stays, move = selections.mouse_up(held, BoardPoint(0, 2), COLUMNS)
    assert (stays.held, move) == (HeldGroup(0, 2), None)
    dropped, move = selections.mouse_down(stays, BoardPoint(1, 0), 900, COLUMNS)
    assert (dropped.held, move) == (None, MoveCards(0, 1, 2))


def test_a_group_that_cannot_move_is_sent_and_the_server_refuses_it() -> None:
    held, _ = selections.mouse_down(EMPTY, BoardPoint(0, 3), 0, COLUMNS)
    assert selections.mouse_up(held, BoardPoint(2, 0), COLUMNS)[1] == MoveCards(0, 2, 3)


def test_a_drag_to_another_column_drops_there() -> None:
    held, _ = selections.mouse_down(EMPTY, BoardPoint(0, 1), 0, COLUMNS)
    moved = selections.mouse_move(held, BoardPoint(3, 1))
    assert moved.cursor == 3
    assert selections.mouse_up(moved, BoardPoint(3, 0), COLUMNS)[1] == MoveCards(0, 3, 1)
    assert selections.mouse_move(EMPTY, BoardPoint(3, 1)) == EMPTY


def test_a_drag_off_the_board_puts_back() -> None:
    held, _ = selections.mouse_down(EMPTY, BoardPoint(0, 1), 0, COLUMNS)
    back, move = selections.mouse_up(held, None, COLUMNS)
    assert (back.held, move) == (None, None)


def test_a_click_on_the_held_card_puts_it_back_and_one_on_another_card_picks_that_up() -> None:
    held, _ = selections.mouse_up(
        selections.mouse_down(EMPTY, BoardPoint(0, 2), 0, COLUMNS)[0], BoardPoint(0, 2), COLUMNS
    )
    other, _ = selections.mouse_down(held, BoardPoint(0, 1), 900, COLUMNS)
    assert selections.mouse_up(other, BoardPoint(0, 1), COLUMNS)[0].held == HeldGroup(0, 1)
    same, _ = selections.mouse_down(held, BoardPoint(0, 2), 900, COLUMNS)
    assert selections.mouse_up(same, BoardPoint(0, 2), COLUMNS)[0].held is None


@pytest.mark.parametrize(("cards", "sent"), [(0, None), (1, None), (2, 2)])
def test_a_double_click_sends_the_group_to_the_best_column(cards: int, sent: int | None) -> None:
    """On the free card the whole group; on a card above it, that card with all below it."""
    first, _ = selections.mouse_up(
        selections.mouse_down(EMPTY, BoardPoint(0, cards), 0, COLUMNS)[0], BoardPoint(0, cards), COLUMNS
    )
    second, move = selections.mouse_down(first, BoardPoint(0, cards), 399, COLUMNS)
    assert (second.held, move) == (None, MoveCards(0, None, sent))
    late, move = selections.mouse_down(first, BoardPoint(0, cards), 401, COLUMNS)
    assert move is None
    assert (
        selections.mouse_down(replace(first, double_click=False), BoardPoint(0, cards), 100, COLUMNS)[1]
        is None
    )
    assert late.release_puts_back


def test_two_quick_drops_are_not_a_double_click() -> None:
    held, _ = selections.mouse_down(EMPTY, BoardPoint(0, 1), 0, COLUMNS)
    held, _ = selections.mouse_up(held, BoardPoint(0, 1), COLUMNS)
    dropped, _ = selections.mouse_down(held, BoardPoint(3, 1), 100, COLUMNS)
    again, move = selections.mouse_down(dropped, BoardPoint(3, 1), 200, COLUMNS)
    assert (again.held, move) == (HeldGroup(3, 1), None)


def test_auto_placement_sends_what_does_not_fit_to_the_best_column() -> None:
    """Cards that are dropped where they fit stay there: the player has pointed at that column."""
    auto = replace(EMPTY, auto_place=True, held=HeldGroup(0, 1))
    assert selections.press_column(auto, 3, COLUMNS)[1] == MoveCards(0, 3, 1)
    assert selections.press_column(auto, 4, COLUMNS)[1] == MoveCards(0, None, 1)
    assert selections.mouse_up(replace(auto, dragging=True), None, COLUMNS)[1] == MoveCards(0, None, 1)


def test_cards_that_are_no_longer_on_the_board_are_not_held() -> None:
    assert selections.after_board_change(replace(EMPTY, held=HeldGroup(0, 4)), COLUMNS).held is None
    assert selections.after_board_change(replace(EMPTY, held=HeldGroup(2)), COLUMNS).held is None
    assert selections.after_board_change(replace(EMPTY, held=HeldGroup(0, 2)), COLUMNS).held == HeldGroup(
        0, 2
    )

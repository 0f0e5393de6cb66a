"""The table of keys is whole: no key means two things, everything is explained, every action has a key."""

from itertools import chain

import pytest

from client_cli.tui.state.keys import ROOM, TITLES, Do, Where, find, table


@pytest.mark.parametrize("where", Where)
def test_no_key_means_two_things_at_one_place(where: Where) -> None:
    keys = list(chain.from_iterable(each.keys for each in table(where)))
    assert sorted(keys) == sorted(set(keys))


def test_every_action_has_a_key() -> None:
    used = {each.does for where in Where for each in table(where)}
    assert used == set(Do)


def test_every_key_is_explained_by_itself_or_by_the_one_before_it() -> None:
    """`←→` explains both arrows; whatever has a hint has an explanation for the help page."""
    for where in Where:
        assert table(where)[0].long
        for before, each in zip(table(where), table(where)[1:], strict=False):
            assert each.long or before.long, each.does
            assert each.long or not each.short


def test_there_is_a_way_out_of_everywhere() -> None:
    for where in Where:
        assert {find(where, "q"), find(where, "ctrl+c")} <= {Do.LEAVE, Do.CLOSE}


def test_a_key_without_meaning_does_nothing() -> None:
    assert find(Where.LOBBY, "F12") is None


def test_the_help_page_has_a_part_for_each_place_with_keys_of_its_own() -> None:
    assert set(TITLES) == set(Where) - {Where.WON, Where.TEXT, Where.ENDED}


def test_who_has_won_has_the_keys_of_the_room_and_none_for_moves() -> None:
    assert table(Where.WON) == ROOM

"""Table of keys: no key has two meanings, every key is explained, every action has a key."""

from itertools import chain

import pytest

from client_cli.tui.state.keys import MODE_TITLES, ROOM_KEYS, KeyAction, Mode, bindings, find_action


@pytest.mark.parametrize("mode", Mode)
def test_a_key_has_one_meaning_in_a_mode(mode: Mode) -> None:
    keys = list(chain.from_iterable(each.keys for each in bindings(mode)))
    assert sorted(keys) == sorted(set(keys))


def test_every_action_has_a_key() -> None:
    used = {each.action for mode in Mode for each in bindings(mode)}
    assert used == set(KeyAction)


def test_every_key_is_explained_by_its_binding_or_by_the_one_before_it() -> None:
    """`←→` explains both arrows; a binding with a hint has a line on the help page."""
    for mode in Mode:
        assert bindings(mode)[0].help
        for before, each in zip(bindings(mode), bindings(mode)[1:], strict=False):
            assert each.help or before.help, each.action
            assert each.help or not each.hint


def test_every_mode_has_a_key_to_leave_it() -> None:
    for mode in Mode:
        assert {find_action(mode, "q"), find_action(mode, "ctrl+c")} <= {KeyAction.LEAVE, KeyAction.CLOSE}


def test_a_key_without_a_meaning_does_nothing() -> None:
    assert find_action(Mode.LOBBY, "F12") is None


def test_the_help_page_has_a_title_for_each_mode_with_keys_of_its_own() -> None:
    """The list of members is explained at the key that opens it."""
    assert set(MODE_TITLES) == set(Mode) - {Mode.WON, Mode.MEMBERS, Mode.TEXT, Mode.ENDED}
    lobby = {each.help for each in bindings(Mode.LOBBY)}
    assert next(each for each in bindings(Mode.MEMBERS) if each.action is KeyAction.CHOOSE).help in lobby


def test_a_winner_has_the_keys_of_the_room_and_no_keys_for_moves() -> None:
    assert bindings(Mode.WON) == ROOM_KEYS

"""The peer's state patches, decoded; all bytes were recorded from a server of the peer."""

import pytest

from bench.load.patches import Patches

# Two racers have come; what a newcomer gets, and what the one who was there gets, are the same.
STATE = bytes.fromhex(
    "8001ff018000a9415637763866583754028001a9385532326f7443725503"
    "ff0280f401000081000000008200830084a7706c6179696e67"
    "ff0380f401000081000000008200830084a7706c6179696e67"
)
FIRST, SECOND = "AV7v8fX7T", "8U22otCrU"
FIRST_MOVED = bytes.fromhex("ff0280f301000081010000008304")
FIRST_UNDID = bytes.fromhex("ff0280f401000081000000008303")
BOTH_MOVED = bytes.fromhex("ff0380f301000081010000008304ff0280f301000081010000008304")
SECOND_LEFT = bytes.fromhex("ff014001")


def told(*patches: bytes) -> dict[str, int]:
    room = Patches()
    for patch in patches:
        room.apply(patch)
    return dict(room.moves)


def test_a_state_tells_of_everybody_in_the_room() -> None:
    """The state comes before all patches."""
    assert told(STATE) == {FIRST: 0, SECOND: 0}


def test_a_state_may_come_again() -> None:
    """The first patch after somebody came repeats it."""
    assert told(STATE, STATE) == {FIRST: 0, SECOND: 0}


def test_a_patch_tells_of_a_move() -> None:
    """Score, moves and joins have changed; the other fields are left out."""
    assert told(STATE, FIRST_MOVED) == {FIRST: 1, SECOND: 0}


def test_a_patch_tells_of_an_undo() -> None:
    """Moves go back."""
    assert told(STATE, FIRST_MOVED, FIRST_UNDID) == {FIRST: 0, SECOND: 0}


def test_a_patch_tells_of_several_racers() -> None:
    """In the order in which they have changed, not that in which they came."""
    assert told(STATE, BOTH_MOVED) == {FIRST: 1, SECOND: 1}


def test_who_has_left_is_not_told_of() -> None:
    """Places of the map are numbered, and told by their number alone."""
    assert told(STATE, BOTH_MOVED, SECOND_LEFT) == {FIRST: 1}


def test_large_numbers_of_structures_and_of_moves_are_read() -> None:
    """A structure above 127 has its number in the bytes behind; 70,000 moves take three of the four bytes."""
    state = bytes.fromhex("8001 ff01 8000 a161 cce8 ffcce8 81 70110100")
    assert told(state, bytes.fromhex("ffcce8 81 71110100")) == {"a": 70_001}


def test_a_racer_that_wins_has_another_state() -> None:
    """A text among the numbers is passed over."""
    assert told(STATE, bytes.fromhex("ff02 81 31000000 84 a3776f6e 8204")) == {FIRST: 49, SECOND: 0}


@pytest.mark.parametrize("patch", ["ff07 81 01000000", "ff02 81 0100", "ff02 9f", "ff"])
def test_what_is_no_patch_of_these_standings_is_an_error(patch: str) -> None:
    """An unknown structure, a number cut short, an unknown field, nothing behind the turn."""
    with pytest.raises(ValueError, match="no patch of the peer's standings"):
        told(STATE, bytes.fromhex(patch))

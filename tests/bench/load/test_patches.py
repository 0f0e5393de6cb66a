"""The peer's state patches, decoded; all bytes were recorded from its server."""

import pytest

from bench.load.patches import Patches

# Two racers have joined; both get the same state.
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


def moves_after(*patches: bytes) -> dict[str, int]:
    room = Patches()
    for patch in patches:
        room.apply(patch)
    return dict(room.moves)


def test_a_state_has_all_racers_of_the_room() -> None:
    """The state precedes all patches."""
    assert moves_after(STATE) == {FIRST: 0, SECOND: 0}


def test_a_state_can_be_repeated() -> None:
    """The first patch after a racer joined repeats it."""
    assert moves_after(STATE, STATE) == {FIRST: 0, SECOND: 0}


def test_a_patch_has_the_changes_of_a_move() -> None:
    """Score, moves and progress have changed; the other fields are absent."""
    assert moves_after(STATE, FIRST_MOVED) == {FIRST: 1, SECOND: 0}


def test_a_patch_has_the_changes_of_an_undo() -> None:
    """The number of moves decreases."""
    assert moves_after(STATE, FIRST_MOVED, FIRST_UNDID) == {FIRST: 0, SECOND: 0}


def test_a_patch_can_have_several_racers() -> None:
    """In the order of their changes, not of their joins."""
    assert moves_after(STATE, BOTH_MOVED) == {FIRST: 1, SECOND: 1}


def test_a_racer_who_left_is_removed() -> None:
    """Racers have numbers in the map, and only the number is sent."""
    assert moves_after(STATE, BOTH_MOVED, SECOND_LEFT) == {FIRST: 1}


def test_large_numbers_of_structures_and_moves_are_read() -> None:
    """The number of a structure above 127 takes more bytes; 70,000 moves take three of the four bytes."""
    state = bytes.fromhex("8001 ff01 8000 a161 cce8 ffcce8 81 70110100")
    assert moves_after(state, bytes.fromhex("ffcce8 81 71110100")) == {"a": 70_001}


def test_the_state_of_a_racer_can_change() -> None:
    """A text between the numbers is skipped."""
    assert moves_after(STATE, bytes.fromhex("ff02 81 31000000 84 a3776f6e 8204")) == {FIRST: 49, SECOND: 0}


@pytest.mark.parametrize("patch", ["ff07 81 01000000", "ff02 81 0100", "ff02 9f", "ff"])
def test_other_bytes_raise(patch: str) -> None:
    """An unknown structure, a number cut short, an unknown field, nothing after the selection."""
    with pytest.raises(ValueError, match="no patch of the peer's standings"):
        moves_after(STATE, bytes.fromhex(patch))

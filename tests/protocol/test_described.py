"""Enums with descriptions."""

import msgspec
import pytest

from protocol.described import Described


class Colour(Described):
    """Colour of a card."""

    RED = "red", "hearts and diamonds"
    BLACK = "black", "spades and clubs"


def test_a_member_has_its_value_and_its_description() -> None:
    assert [(each.value, each.description) for each in Colour] == [
        ("red", "hearts and diamonds"),
        ("black", "spades and clubs"),
    ]


def test_a_member_is_found_by_its_value() -> None:
    assert Colour("red") is Colour.RED
    with pytest.raises(ValueError, match="green"):
        Colour("green")


def test_only_the_value_is_on_the_wire() -> None:
    assert msgspec.json.encode(Colour.BLACK) == b'"black"'
    assert msgspec.json.decode(b'"black"', type=Colour) is Colour.BLACK
    assert f"{Colour.BLACK}" == "black"

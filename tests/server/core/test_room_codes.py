"""Room codes: easy to read aloud, accepted in any case."""

from random import Random

import pytest

from server.core import room_codes


def test_a_code_has_five_letters_of_the_alphabet() -> None:
    below = Random(7).randrange
    for _ in range(200):
        code = room_codes.draw(below)
        assert len(code) == 5
        assert set(code) <= set(room_codes.ALPHABET)


def test_each_letter_is_drawn_on_its_own() -> None:
    places = iter([0, 17, 0, 17, 5])
    assert room_codes.draw(lambda n: next(places) % n) == "BYBYH"


@pytest.mark.parametrize("lookalike", "0O1IL2Z5S8UAE")
def test_no_letter_looks_like_another_character_or_makes_words(lookalike: str) -> None:
    """B looks like 8, which is not in the alphabet."""
    assert lookalike not in room_codes.ALPHABET


def test_a_typed_code_is_normalized() -> None:
    assert room_codes.normalize("  kqxmb ") == "KQXMB"


def test_a_drawn_code_is_normalized() -> None:
    code = room_codes.draw(Random(1).randrange)
    assert room_codes.normalize(code) == code

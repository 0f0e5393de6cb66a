"""Game codes: notation, limits and order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.code import COUNT, GameCode, InvalidGameCode

CODES = st.builds(GameCode, st.sampled_from([1, 2, 4]), st.integers(0, COUNT - 1))


@given(CODES)
def test_every_code_is_read_back_as_it_was_written(code: GameCode) -> None:
    """All 26^7 numbers are valid, for each number of suits."""
    assert GameCode.parse(str(code)) == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("SS1-S1-AAAAAAA", GameCode(1, 0)),
        ("SS1-S1-AAAAABD", GameCode(1, 29)),
        ("SS1-S2-BAAAAAA", GameCode(2, 26**6)),
        ("SS1-S4-ZZZZZZZ", GameCode(4, 26**7 - 1)),
    ],
)
def test_the_letters_are_a_number_of_base_26(text: str, code: GameCode) -> None:
    """A is 0; the most significant letter comes first."""
    assert GameCode.parse(text) == code
    assert str(code) == text


@pytest.mark.parametrize("text", ["ss1-s1-aaaaabd", " SS1-s1-AAaaABD\n", "\tSs1-S1-aAaAaBd  "])
def test_case_and_surrounding_blanks_do_not_matter(text: str) -> None:
    """People type codes; the server shows them in upper case."""
    assert str(GameCode.parse(text)) == "SS1-S1-AAAAABD"


SHAPE = "it is not made of game, suits and seven letters with dashes between"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", SHAPE),
        ("AAAAABD", SHAPE),
        ("SS1-S1-AAAA1BD", SHAPE),
        ("SS1 S1 AAAAABD", SHAPE),
        ("SS1-S1-AAAAABD-", SHAPE),
        ("SS1-S1-AAAAAB\N{LATIN SMALL LETTER LONG S}", SHAPE),
        ("\N{LATIN SMALL LETTER SHARP S}1-S1-AAAAABD", SHAPE),
        ("SS1-S\N{ARABIC-INDIC DIGIT ONE}-AAAAABD", SHAPE),
        ("SP1-S1-AAAAABD", "it must begin with SS for Simple Simon"),
        ("SS2-S1-AAAAABD", "only version 1 of the codes is known"),
        ("SS1-S3-AAAAABD", "the number of suits must be S1, S2 or S4"),
        ("SS1-S01-AAAAABD", "the number of suits must be S1, S2 or S4"),
        ("SS1-S1-AAAABD", "the deal must be seven letters from A to Z"),
        ("SS1-S1-AAAAAABD", "the deal must be seven letters from A to Z"),
    ],
)
def test_other_text_is_refused_with_the_fault_and_an_example(text: str, fault: str) -> None:
    """The message says how to correct a mistyped code."""
    with pytest.raises(InvalidGameCode) as caught:
        GameCode.parse(text)
    assert str(caught.value) == f"{text!r} is not a game code: {fault}. A game code looks like SS1-S1-AAAAABD"


def test_the_message_does_not_repeat_a_giant_text() -> None:
    """The message is short for any input."""
    with pytest.raises(InvalidGameCode) as caught:
        GameCode.parse("SS1-S1-" + "A" * 100_000)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(("suits", "number"), [(3, 0), (0, 0), (1, -1), (4, COUNT)])
def test_a_code_of_a_deal_that_does_not_exist_cannot_be_created(suits: int, number: int) -> None:
    """There are games of 1, 2 and 4 suits, and deals 0 to 26^7 - 1."""
    with pytest.raises(InvalidGameCode):
        GameCode(suits, number)


def test_codes_are_ordered_by_suits_and_number_and_hashable() -> None:
    """Lists of codes have one order everywhere."""
    codes = [GameCode(1, 5), GameCode(2, 0), GameCode(2, 1), GameCode(4, 0)]
    assert sorted([codes[2], codes[0], codes[3], codes[1]]) == codes
    assert {GameCode(1, 5): "here"}[GameCode.parse("SS1-S1-AAAAAAF")] == "here"

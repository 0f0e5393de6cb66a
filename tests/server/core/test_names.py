"""Names and lines of chat: nothing invisible in names, nothing that disturbs others, no equal names."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.limits import NAME_LENGTH
from server.core.names import chat_line, clean, unique_name


@pytest.mark.parametrize(
    "name", ["Ann", "陳小明", "Łukasz", "Zoë", "7", "O'Neil", "नमस्ते", "สมชาย", "a😀", "محمد", "שָׁלוֹם"]
)
def test_a_name_in_any_script_is_kept(name: str) -> None:
    """Accents, vowel signs and tones included: no script needs more than two marks on a letter."""
    assert clean(name) == unicodedata.normalize("NFC", name)


def test_a_name_is_normalized_to_composed_form() -> None:
    """A name is the same whether an accent was typed as a character of its own or not."""
    assert clean("Zoe\N{COMBINING DIAERESIS}") == "Zoë"


@pytest.mark.parametrize("space", ["\N{NO-BREAK SPACE}", "\N{EM SPACE}", "\N{IDEOGRAPHIC SPACE}", "\t", "  "])
def test_white_space_becomes_one_space(space: str) -> None:
    """A no-break space would make a look-alike."""
    assert clean(f"{space}Ann{space}Lee{space}") == "Ann Lee"


def test_a_name_has_1_to_24_characters() -> None:
    assert clean("x" * 24) == "x" * 24
    assert (clean("x" * 25), clean(""), clean("   ")) == (None, None, None)


def test_the_length_counts_composed_characters() -> None:
    """Twenty-four accented letters fit, however they were typed."""
    assert clean("e\N{COMBINING ACUTE ACCENT}" * 24) == "é" * 24


@pytest.mark.parametrize("name", ["…", "😀", "---", "♥♠"])
def test_a_name_has_a_letter_or_a_digit(name: str) -> None:
    assert clean(name) is None


@pytest.mark.parametrize(
    "hidden",
    [
        "\N{RIGHT-TO-LEFT OVERRIDE}",
        "\N{LEFT-TO-RIGHT ISOLATE}",
        "\N{RIGHT-TO-LEFT MARK}",
        "\N{ZERO WIDTH SPACE}",
        "\N{ZERO WIDTH JOINER}",
        "\N{ZERO WIDTH NO-BREAK SPACE}",
        "\N{SOFT HYPHEN}",
        "\N{COMBINING GRAPHEME JOINER}",
        "\N{HANGUL FILLER}",
        "\N{HALFWIDTH HANGUL FILLER}",
        "\N{BRAILLE PATTERN BLANK}",
        "\N{MONGOLIAN FREE VARIATION SELECTOR ONE}",
        "\N{KHMER VOWEL INHERENT AQ}",
        "\N{MUSICAL SYMBOL NULL NOTEHEAD}",
        "\N{VARIATION SELECTOR-17}",
        "\N{TAG LATIN SMALL LETTER A}",
        "\0",
        "\x1b",
        "\x7f",
        "\ue000",
        "\ud800",
        "\uffff",
    ],
)
def test_a_name_with_an_invisible_character_is_refused(hidden: str) -> None:
    """Controls, direction overrides, fillers, private and unassigned characters, halves of a pair."""
    assert clean(f"An{hidden}n") is None


def test_a_variation_selector_after_an_emoji_is_removed() -> None:
    """The name is accepted, and equals the one of a keyboard that inserts no selector."""
    assert clean("Ann \N{HEAVY BLACK HEART}\N{VARIATION SELECTOR-16}") == "Ann \N{HEAVY BLACK HEART}"


def test_three_marks_on_one_letter_are_refused() -> None:
    """Stacked marks cover the lines above and below."""
    assert clean("n\u0323\u0332o") == "ṇ\u0332o"
    assert clean("x\u0323\u0332\u0333") is None


@pytest.mark.parametrize("name", ["\u0301Ann", "Ann \u0301Lee"])
def test_a_mark_without_a_letter_is_refused(name: str) -> None:
    """It would combine with the character that a page shows before the name."""
    assert clean(name) is None


@given(st.text(max_size=30))
def test_a_clean_name_stays_as_it_is(text: str) -> None:
    name = clean(text)
    if name is not None:
        assert clean(name) == name
        assert 1 <= len(name) <= NAME_LENGTH


def test_a_name_that_is_not_taken_is_kept() -> None:
    assert unique_name("Ann", ["Bob", "Anna"]) == "Ann"


def test_a_name_that_is_taken_gets_a_number() -> None:
    assert unique_name("Ann", ["Ann"]) == "Ann 2"
    assert unique_name("Ann", ["Ann", "Ann 2", "Bob"]) == "Ann 3"


@pytest.mark.parametrize(
    ("name", "other"),
    [("ANN", "ann"), ("Ann", "Ann"), ("Straße", "STRASSE"), ("K1", "\N{KELVIN SIGN}1"), ("2", "²")],
)
def test_names_that_differ_in_case_or_width_are_equal(name: str, other: str) -> None:
    assert unique_name(name, [other]) == f"{name} 2"


def test_a_long_name_is_cut_to_make_room_for_its_number() -> None:
    assert unique_name("x" * 24, ["x" * 24]) == "x" * 22 + " 2"


def test_a_name_that_is_cut_at_a_space_has_no_double_space() -> None:
    name = "x" * 21 + " yy"
    assert unique_name(name, [name]) == "x" * 21 + " 2"


@given(
    st.lists(
        st.sampled_from(["Ann", "ann", "Ann 2", "ANN 3", "x" * 24, "X" * 24, "x" * 21 + " yy"]), max_size=12
    )
)
def test_the_names_of_a_room_are_unique_and_clean(wanted: list[str]) -> None:
    taken: list[str] = []
    for each in wanted:
        taken.append(unique_name(each, taken))
    assert len({name.casefold() for name in taken}) == len(taken)
    assert [clean(name) for name in taken] == taken


# Chat.


@pytest.mark.parametrize(
    "text",
    [
        "Well played!",
        "加油 💪🏽",
        "👩\N{ZERO WIDTH JOINER}💻 ❤\N{VARIATION SELECTOR-16}",
        "שָׁלוֹם",
        "10♥ → 7",
        "…",
    ],
)
def test_chat_without_disturbing_characters_is_unchanged(text: str) -> None:
    assert chat_line(text) == text


def test_chat_becomes_one_line() -> None:
    assert chat_line(" a\nb\r\n\tc\N{LINE SEPARATOR}d  e ") == "a b c d e"


def test_control_characters_are_removed_from_chat() -> None:
    """An escape sequence that clears the screen becomes its harmless rest."""
    assert chat_line("\x1b[2Jboo\x07\x9b\x00\ud800") == "[2Jboo"


def test_changes_of_direction_are_removed_from_chat() -> None:
    turned = "\N{RIGHT-TO-LEFT OVERRIDE}abc\N{POP DIRECTIONAL FORMATTING}\N{RIGHT-TO-LEFT ISOLATE}"
    assert chat_line(turned) == "abc"


def test_stacked_marks_are_removed_from_chat() -> None:
    assert chat_line("\u0301x" + "\u0323" * 50 + "y \u0301z") == "x\u0323\u0323y z"


@pytest.mark.parametrize("text", [" ", "\n", "\x1b", "\N{RIGHT-TO-LEFT OVERRIDE}"])
def test_chat_can_become_empty(text: str) -> None:
    assert chat_line(text) == ""

"""Texts that are English and can be translated later."""

from client_cli.core.translatable import Translatable, gettext_noop


def test_a_told_sentence_is_english_and_remembers_how_it_was_made() -> None:
    told = Translatable("{count} of {all} rooms", count=2, all=5)
    assert told == "2 of 5 rooms"
    assert (told.pattern, told.values) == ("{count} of {all} rooms", {"count": 2, "all": 5})


def test_braces_in_a_sentence_without_values_are_left_alone() -> None:
    told = Translatable("a {brace} from elsewhere")
    assert told == told.pattern == "a {brace} from elsewhere"


def test_a_note_is_the_text_itself() -> None:
    assert gettext_noop("ready") == "ready"

"""English texts that can be translated later."""

from client_cli.core.translatable import Translatable, gettext_noop


def test_a_translatable_text_keeps_its_pattern_and_values() -> None:
    text = Translatable("{count} of {all} rooms", count=2, all=5)
    assert text == "2 of 5 rooms"
    assert (text.pattern, text.values) == ("{count} of {all} rooms", {"count": 2, "all": 5})


def test_braces_without_values_stay() -> None:
    text = Translatable("a {brace} from elsewhere")
    assert text == text.pattern == "a {brace} from elsewhere"


def test_gettext_noop_returns_the_text() -> None:
    assert gettext_noop("ready") == "ready"

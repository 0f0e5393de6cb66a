"""Translated texts."""

from client_cli.core.translatable import Translatable
from client_cli.files.catalogues import translation
from client_cli.text.translation import ENGLISH

CHINESE = translation("zh-Hant")


def test_a_text_is_translated_with_its_values() -> None:
    assert ENGLISH("{name} is back.", name="Ada") == "Ada is back."
    assert CHINESE("{name} is back.", name="Ada") == "Ada 回來了。"


def test_a_text_without_a_translation_stays_english() -> None:
    assert CHINESE("An error of a newer server.") == "An error of a newer server."
    assert CHINESE("") == ""


def test_braces_in_a_text_without_values_stay() -> None:
    assert CHINESE("a {brace} from elsewhere") == "a {brace} from elsewhere"


def test_plurals_follow_the_language() -> None:
    assert [ENGLISH.plural("{count} run", "{count} runs", count) for count in (0, 1, 2)] == [
        "0 runs",
        "1 run",
        "2 runs",
    ]
    assert [CHINESE.plural("{count} run", "{count} runs", count) for count in (1, 2)] == ["1 順", "2 順"]


def test_a_translatable_text_is_translated_with_its_values() -> None:
    inner = Translatable("yes or no")
    text = Translatable(
        "{value!r} is not a value of {key}. Give {choices}.", key="winnable", choices=inner, value="maybe"
    )
    assert text == "'maybe' is not a value of winnable. Give yes or no."
    assert CHINESE.sentence(text) == "「maybe」不是 winnable 的值。請給 yes 或 no。"
    assert CHINESE.sentence("The connection ended normally.") == "連線已正常結束。"

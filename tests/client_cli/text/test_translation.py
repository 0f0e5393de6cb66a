"""Texts in the language of whoever reads them."""

from client_cli.core.translatable import Translatable
from client_cli.files.catalogues import translation
from client_cli.text.translation import ENGLISH

CHINESE = translation("zh-Hant")


def test_a_text_is_looked_up_and_its_values_put_in() -> None:
    assert ENGLISH("{name} is back.", name="Ada") == "Ada is back."
    assert CHINESE("{name} is back.", name="Ada") == "Ada 回來了。"


def test_what_is_not_in_the_catalogue_stays_as_it_is() -> None:
    assert CHINESE("An error of a newer server.") == "An error of a newer server."
    assert CHINESE("") == ""


def test_braces_in_a_text_without_values_are_left_alone() -> None:
    assert CHINESE("a {brace} from elsewhere") == "a {brace} from elsewhere"


def test_one_and_several_are_told_apart_where_the_language_does() -> None:
    assert [ENGLISH.plural("{count} run", "{count} runs", count) for count in (0, 1, 2)] == [
        "0 runs",
        "1 run",
        "2 runs",
    ]
    assert [CHINESE.plural("{count} run", "{count} runs", count) for count in (1, 2)] == ["1 順", "2 順"]


def test_a_told_sentence_is_english_and_can_be_said_again_in_chinese() -> None:
    inner = Translatable("yes or no")
    told = Translatable(
        "{value!r} is not a value of {key}. Give {choices}.", key="winnable", choices=inner, value="maybe"
    )
    assert told == "'maybe' is not a value of winnable. Give yes or no."
    assert CHINESE.sentence(told) == "「maybe」不是 winnable 的值。請給 yes 或 no。"
    assert CHINESE.sentence("The connection ended normally.") == "連線已正常結束。"

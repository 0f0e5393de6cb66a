"""Language of a command."""

import gettext
import os

import pytest

from client_cli.cli.language import UnknownLanguageError, activated, chosen_language, known


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        ("en", "en"),
        ("EN_gb.UTF-8", "en"),
        ("zh-Hant", "zh-Hant"),
        ("zh_TW.UTF-8", "zh-Hant"),
        ("zh-hk", "zh-Hant"),
    ],
)
def test_a_language_is_named_by_its_tag_or_by_a_locale(tag: str, language: str) -> None:
    assert known(tag) == language


@pytest.mark.parametrize("tag", ["xx", "", "zh-CN", "english", "C"])
def test_an_unknown_language_is_refused_with_a_list(tag: str) -> None:
    with pytest.raises(UnknownLanguageError) as refused:
        known(tag)
    assert str(refused.value) == f"{tag!r} is not a language of Simon Race. Choose one of: en, zh-Hant"


@pytest.mark.parametrize(
    ("words", "language"),
    [
        (["--lang", "zh-Hant", "create", "--help"], "zh-Hant"),
        (["create", "--help", "--lang", "zh-Hant"], "zh-Hant"),
        (["create", "--lang=zh_TW"], "zh-Hant"),
        (["--lang", "zh-Hant", "create", "--lang", "en"], "en"),
        (["create", "--", "--lang", "zh-Hant"], "en"),
        (["create", "--lang"], "en"),
        (["create", "--lang", "xx"], "en"),
        (["create"], "en"),
    ],
)
def test_the_option_counts_at_any_place(words: list[str], language: str) -> None:
    """The last one counts. An unknown language is reported in that of the locale."""
    assert chosen_language(words, {"LANG": "fr_FR.UTF-8"}) == language


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "zh_TW.UTF-8"}, "zh-Hant"),
        ({"LANG": "zh_TW.UTF-8", "LC_MESSAGES": "en_US.UTF-8"}, "en"),
        ({"LC_MESSAGES": "en_US.UTF-8", "LC_ALL": "zh_HK"}, "zh-Hant"),
        ({"LC_ALL": "", "LANG": "zh_TW"}, "zh-Hant"),
        ({"LANG": "en_US.UTF-8", "LANGUAGE": "zh_TW:en"}, "zh-Hant"),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": "de:zh_Hant"}, "zh-Hant"),
        ({"LANG": "C", "LANGUAGE": "zh_TW"}, "en"),
        ({"LANG": "zh_TW.UTF-8", "SIMONRACE_LANG": "en"}, "en"),
    ],
)
def test_without_the_option_the_locale_counts(environment: dict[str, str], language: str) -> None:
    """In the order of gettext: LANGUAGE unless the locale is C, then LC_ALL, LC_MESSAGES, LANG."""
    assert chosen_language([], environment) == language


def test_click_uses_the_language_while_a_command_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "fr")
    with activated("zh-Hant"):
        assert gettext.gettext("Usage:") == "用法："
        with activated("en"):
            assert gettext.gettext("Usage:") == "Usage:"
        assert gettext.gettext("Options") == "選項"
    assert (gettext.textdomain(), os.environ["LANGUAGE"]) == ("messages", "fr")
    monkeypatch.delenv("LANGUAGE")
    with activated("zh-Hant"):
        pass
    assert "LANGUAGE" not in os.environ

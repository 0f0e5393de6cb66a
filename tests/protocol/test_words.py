"""Codes with sentences: which language fits which tag."""

import pytest

from protocol.notices import NoticeCode
from protocol.words import ENGLISH, LANGUAGES, TRADITIONAL_CHINESE, language


@pytest.mark.parametrize("tag", ["zh-Hant", "zh-TW", "zh_TW.UTF-8", "zh-HK", "zh-MO", "ZH-hant-TW"])
def test_traditional_chinese_is_selected_by_its_tags(tag: str) -> None:
    assert language(tag) == TRADITIONAL_CHINESE


@pytest.mark.parametrize("tag", ["en", "en-GB", "", "de", "zh", "zh-Hans", "zh-CN", "C.UTF-8", "\0"])
def test_english_is_selected_by_any_other_tag(tag: str) -> None:
    """Simplified Chinese is another script; English serves its readers no worse than the wrong one."""
    assert language(tag) == ENGLISH


def test_each_language_has_its_sentence() -> None:
    code = NoticeCode.STORE_AVAILABLE
    assert [code.text(tag) for tag in LANGUAGES] == [
        "The server's store answers again.",
        "伺服器已恢復儲存。",
    ]
    assert code.text() == code.english


def test_a_code_is_found_by_its_text_and_anything_else_is_a_key_error() -> None:
    assert NoticeCode.of("store_available") is NoticeCode.STORE_AVAILABLE
    with pytest.raises(KeyError):
        NoticeCode.of("store_gone")

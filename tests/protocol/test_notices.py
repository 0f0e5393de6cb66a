"""Notices: each has a sentence in both languages."""

import re

import pytest

from protocol.notices import NoticeCode

CODES = pytest.mark.parametrize("code", NoticeCode, ids=lambda code: code.name)


@CODES
def test_a_notice_is_written_in_lower_snake_case_like_its_name(code: NoticeCode) -> None:
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", code)
    assert code.name == code.upper()


@CODES
def test_a_notice_has_a_sentence_in_both_languages(code: NoticeCode) -> None:
    assert code.english.isascii()
    assert code.english.endswith(".")
    assert re.search(r"[\u4e00-\u9fff]", code.chinese)
    assert code.chinese.endswith("。")


def test_no_two_notices_share_a_code() -> None:
    assert len(NoticeCode) == len(NoticeCode.__members__)

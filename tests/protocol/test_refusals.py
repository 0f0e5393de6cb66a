"""Refusals: each has a sentence in both languages, and every rule of the engine is among them."""

import re

import pytest

from engine.refusal import Refusal
from protocol.refusals import RefusalCode

CODES = pytest.mark.parametrize("code", RefusalCode, ids=lambda code: code.name)


@CODES
def test_a_refusal_is_written_in_lower_snake_case_like_its_name(code: RefusalCode) -> None:
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", code)
    assert code.name == code.upper()


@CODES
def test_a_refusal_has_a_sentence_in_both_languages(code: RefusalCode) -> None:
    assert code.english.isascii()
    assert code.english.endswith(".")
    assert re.search(r"[\u4e00-\u9fff]", code.chinese)
    assert code.chinese.endswith("。")


@pytest.mark.parametrize("rule", Refusal)
def test_every_rule_of_the_engine_has_a_refusal_code(rule: Refusal) -> None:
    """A rule that the engine refuses by has the same code on the wire."""
    assert RefusalCode.of(rule).value == rule.value


def test_the_rules_of_the_game_come_first_and_in_the_order_of_the_engine() -> None:
    assert [code.value for code in RefusalCode][: len(Refusal)] == [rule.value for rule in Refusal]


def test_no_two_refusals_share_a_code_or_a_sentence() -> None:
    assert len(RefusalCode) == len(RefusalCode.__members__)
    assert len({code.english for code in RefusalCode}) == len(RefusalCode)
    assert len({code.chinese for code in RefusalCode}) == len(RefusalCode)

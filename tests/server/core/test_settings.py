"""Check of settings and game codes."""

import pytest

from protocol.errors import ErrorCode
from protocol.parts import Ranking, Settings
from server.core.settings import Checked, check


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_a_deal_can_have_1_2_or_4_suits(suits: int) -> None:
    assert check(Settings(suits=suits), None) == Checked(Settings(suits=suits), None)


def test_three_suits_are_refused() -> None:
    assert check(Settings(suits=3), None) is ErrorCode.BAD_SETTINGS


def test_the_default_is_one_suit() -> None:
    assert check(Settings(), None) == Checked(Settings(suits=1), None)


def test_a_game_code_is_normalized() -> None:
    """Case and blanks around it do not matter."""
    assert check(Settings(), "  ss1-s1-aaaaabd ") == Checked(Settings(), "SS1-S1-AAAAABD")


@pytest.mark.parametrize("suits", [1, 3])
def test_a_named_code_determines_the_number_of_suits(suits: int) -> None:
    """The other settings stay."""
    chosen = Settings(suits=suits, ranking=Ranking.SCORE, max_members=7)
    expected = Settings(suits=4, ranking=Ranking.SCORE, max_members=7)
    assert check(chosen, "SS1-S4-ZZZZZZZ") == Checked(expected, "SS1-S4-ZZZZZZZ")


@pytest.mark.parametrize("code", ["", "SS1-S3-AAAAABD", "SS2-S1-AAAAABD", "SS1-S1-AAAAAB", "KQXMB"])
def test_any_other_text_is_no_game_code(code: str) -> None:
    assert check(Settings(), code) is ErrorCode.BAD_CODE

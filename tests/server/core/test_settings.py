"""Settings and game codes that people choose."""

import pytest

from protocol.errors import ErrorCode
from protocol.parts import Ranking, Settings
from server.core.settings import Checked, check


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_a_race_has_1_2_or_4_suits(suits: int) -> None:
    assert check(Settings(suits=suits), None) == Checked(Settings(suits=suits), None)


def test_there_is_no_game_of_three_suits() -> None:
    assert check(Settings(suits=3), None) is ErrorCode.BAD_SETTINGS


def test_a_new_game_without_a_suit_count_has_one_suit() -> None:
    assert check(Settings(), None) == Checked(Settings(suits=1), None)


def test_a_game_code_is_put_in_its_one_form() -> None:
    """Any case, blanks around it ignored."""
    assert check(Settings(), "  ss1-s1-aaaaabd ") == Checked(Settings(), "SS1-S1-AAAAABD")


@pytest.mark.parametrize("suits", [1, 3])
def test_the_suits_of_a_code_that_is_named_are_those_of_the_race(suits: int) -> None:
    """Whatever the settings said; the others stay."""
    chosen = Settings(suits=suits, ranking=Ranking.SCORE, max_members=7)
    expected = Settings(suits=4, ranking=Ranking.SCORE, max_members=7)
    assert check(chosen, "SS1-S4-ZZZZZZZ") == Checked(expected, "SS1-S4-ZZZZZZZ")


@pytest.mark.parametrize("code", ["", "SS1-S3-AAAAABD", "SS2-S1-AAAAABD", "SS1-S1-AAAAAB", "KQXMB"])
def test_anything_else_is_no_game_code(code: str) -> None:
    assert check(Settings(), code) is ErrorCode.BAD_CODE

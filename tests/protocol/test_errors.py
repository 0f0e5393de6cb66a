"""Error codes: their form, and which of them are temporary."""

import re

import pytest

from protocol.errors import ErrorCode

CODES = pytest.mark.parametrize("code", ErrorCode, ids=lambda code: code.name)


@CODES
def test_an_error_code_is_written_in_lower_snake_case_like_its_name(code: ErrorCode) -> None:
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", code)
    assert code.name == code.upper()


@CODES
def test_an_error_code_has_a_sentence_and_a_verdict(code: ErrorCode) -> None:
    assert type(code.temporary) is bool
    assert code.sentence[0].isupper()
    assert code.sentence.endswith(".")


def test_no_two_errors_share_a_code_or_a_sentence() -> None:
    assert len(ErrorCode) == len(ErrorCode.__members__) == len({code.sentence for code in ErrorCode})


def test_the_temporary_errors_are_these() -> None:
    """Only after these can the same request succeed later. A new one is added here on purpose."""
    assert sorted(code for code in ErrorCode if code.temporary) == [
        "boards_hidden",
        "busy",
        "countdown_running",
        "draining",
        "nobody_ready",
        "race_running",
        "rate_limited",
        "room_full",
        "room_locked",
        "server_full",
        "store_unavailable",
        "too_many_players",
        "too_many_rooms",
        "too_many_tries",
    ]

"""Close codes: each has a verdict, a sentence, and a number that can be sent in a close frame."""

import pytest

from protocol.close_codes import RECONNECT_WITHOUT_CODE, CloseCode

NEVER_SENT = {1004, 1005, 1006, 1015}
"""RFC 6455 section 7.4.1: reserved, or only for use within an endpoint."""

CODES = pytest.mark.parametrize("code", CloseCode, ids=lambda code: code.name)


@CODES
def test_a_close_code_can_be_sent_in_a_close_frame(code: CloseCode) -> None:
    """RFC 6455: 1000 to 1014 are its own, 4000 to 4999 are for applications."""
    assert code in range(1000, 1015) or code in range(4000, 5000)
    assert code not in NEVER_SENT


@CODES
def test_a_close_code_says_whether_to_reconnect_and_why_in_a_sentence(code: CloseCode) -> None:
    """A close reason has 123 bytes, so that the sentence can be sent as it is."""
    assert type(code.reconnect) is bool
    assert code.sentence[0].isupper()
    assert code.sentence.endswith(".")
    assert len(code.sentence.encode()) <= 123


def test_no_two_close_codes_share_a_number() -> None:
    assert len(CloseCode) == len(CloseCode.__members__)


def test_the_verdicts_are_frozen() -> None:
    """Clients have them built in: a new code can be added, but no verdict can change."""
    assert {code.value: code.reconnect for code in CloseCode} == {
        1000: False,
        1001: True,
        1002: False,
        1007: False,
        1008: False,
        1009: False,
        1011: True,
        1012: True,
        4001: False,
        4002: False,
        4003: False,
        4004: True,
        4005: True,
    }
    assert RECONNECT_WITHOUT_CODE

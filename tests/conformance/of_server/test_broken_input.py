"""Servers that do not conform in what they say to broken input."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from conformance.of_server.broken_input import BrokenInput
from conformance.of_server.suite import check_server
from conformance.report import Verdict

Message = dict[str, Any]


def blames_the_field(message: Message) -> Message:
    return message | {"code": "bad_message"} if message.get("code") == "unknown_type" else message


def says_nothing_of_the_type(message: Message) -> Message:
    return {name: value for name, value in message.items() if name != "request"}


def says_nothing_of_the_race(message: Message) -> Message:
    return {name: value for name, value in message.items() if name != "race"}


def says_nothing_of_the_ref(message: Message) -> Message:
    return message | {"ref": 0} if message["type"] == "error" else message


ECHO = "an error repeats what identifies the message that it answers"


@pytest.mark.parametrize(
    ("change", "failed"),
    [
        (blames_the_field, ["an unknown type is answered and the connection stays", ECHO]),
        (says_nothing_of_the_type, [ECHO]),
        (says_nothing_of_the_race, [ECHO]),
        (says_nothing_of_the_ref, [ECHO]),
    ],
)
async def test_a_fault_is_found_by_its_check(
    tampered: Callable[..., Awaitable[str]], change: Callable[[Message], Message], failed: list[str]
) -> None:
    """And by no other; what could not be tried any more counts as neither."""
    report = await check_server(await tampered(change), [BrokenInput])
    assert [each.title for each in report.findings if each.verdict is Verdict.FAIL] == failed

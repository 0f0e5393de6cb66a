"""Servers with faults in their answers to bad input."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from conformance.of_server.bad_input import BadInput
from conformance.of_server.suite import check_server
from conformance.report import Outcome

Message = dict[str, Any]


def blames_the_field(message: Message) -> Message:
    return message | {"code": "bad_message"} if message.get("code") == "unknown_type" else message


def says_nothing_of_the_type(message: Message) -> Message:
    return {name: value for name, value in message.items() if name != "request"}


def says_nothing_of_the_race(message: Message) -> Message:
    return {name: value for name, value in message.items() if name != "race"}


def says_nothing_of_the_ref(message: Message) -> Message:
    return message | {"ref": 0} if message["type"] == "error" else message


def hides_unknown_types(message: Message) -> Message:
    return {"type": "done", "ref": message["ref"]} if message.get("request") == "dance" else message


def refuses_floats(message: Message) -> Message:
    """Change a client's message so that the server answers like one that accepts no floats."""
    floats = [name for name, value in message.items() if isinstance(value, float) and value.is_integer()]
    return message | dict.fromkeys(floats, 0.5)


def unchanged(message: Message) -> Message:
    return message


STAYS = "an unknown type gets an error and the connection stays open"
ECHO = "an error echoes type, `ref`, `race` and `n` of the message"
FLOATS = "a whole float such as 1.0 is accepted as an integer"
IN_TURN = "an unknown type is answered in its turn, with its `ref` and type"


@pytest.mark.parametrize(
    ("change", "asked", "failed"),
    [
        (blames_the_field, unchanged, [STAYS, ECHO, IN_TURN]),
        (says_nothing_of_the_type, unchanged, [ECHO, IN_TURN]),
        (says_nothing_of_the_race, unchanged, [ECHO, FLOATS]),
        (says_nothing_of_the_ref, unchanged, [ECHO, IN_TURN]),
        (hides_unknown_types, unchanged, [IN_TURN]),
        (unchanged, refuses_floats, [FLOATS]),
    ],
)
async def test_a_fault_is_found_by_its_check(
    tampered: Callable[..., Awaitable[str]],
    change: Callable[[Message], Message],
    asked: Callable[[Message], Message],
    failed: list[str],
) -> None:
    """No other check fails; skipped ones do not count."""
    report = await check_server(await tampered(change, asked=asked), [BadInput])
    assert [each.title for each in report.results if each.outcome is Outcome.FAIL] == failed

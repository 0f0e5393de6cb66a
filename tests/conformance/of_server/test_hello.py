"""Servers that do not conform in what they say to who comes."""

from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any

import pytest

from conformance.of_server.hello import Hello
from conformance.of_server.suite import check_server
from conformance.report import Outcome

Message = dict[str, Any]
COUNTDOWN = count(1000, -1)


def forgives_before_hello(message: Message) -> Message:
    return message | {"code": "not_in_room"} if message.get("code") == "hello_required" else message


def gives_a_new_token_each_time(message: Message) -> Message:
    return message | {"token": "fresh"} if message["type"] == "welcome" else message


def cuts_long_names(message: Message) -> Message:
    return message | {"name": message["name"][:20]} if message["type"] == "welcome" else message


def lets_the_clock_go_back(message: Message) -> Message:
    return message | {"clock_ms": next(COUNTDOWN)} if message["type"] == "pong" else message


def writes_numbers_as_text(message: Message) -> Message:
    return message | {"clock_ms": str(message["clock_ms"])} if message["type"] == "welcome" else message


@pytest.mark.parametrize(
    ("change", "failed"),
    [
        (forgives_before_hello, "nothing but `ping` may come before `hello`"),
        (gives_a_new_token_each_time, "`player` and `token` make one the same again, without a new token"),
        (cuts_long_names, "names are put in their normal form"),
        (lets_the_clock_go_back, "`pong` has a clock that goes on"),
        (writes_numbers_as_text, "`hello` is answered by `welcome` with a new identity"),
    ],
)
async def test_a_fault_is_found_by_its_check(
    tampered: Callable[..., Awaitable[str]], change: Any, failed: str
) -> None:
    """And by no other; what could not be tried any more counts as neither."""
    report = await check_server(await tampered(change), [Hello])
    assert [each.title for each in report.results if each.outcome is Outcome.FAIL] == [failed]

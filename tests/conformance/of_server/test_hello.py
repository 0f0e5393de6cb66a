"""Servers with faults in their answers to `hello`."""

from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any

import pytest

from conformance.of_server.hello import Hello
from conformance.of_server.suite import check_server
from conformance.report import Outcome

Message = dict[str, Any]
COUNTDOWN = count(1000, -1)


def has_another_code_before_hello(message: Message) -> Message:
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
        (has_another_code_before_hello, "only `ping` is allowed before `hello`"),
        (gives_a_new_token_each_time, "`player` and `token` identify the same player, without a new token"),
        (cuts_long_names, "names are normalized"),
        (lets_the_clock_go_back, "the clock of `pong` never goes back"),
        (writes_numbers_as_text, "`hello` is answered by `welcome` with a new identity"),
    ],
)
async def test_a_fault_is_found_by_its_check(
    tampered: Callable[..., Awaitable[str]], change: Any, failed: str
) -> None:
    """No other check fails; skipped ones do not count."""
    report = await check_server(await tampered(change), [Hello])
    assert [each.title for each in report.results if each.outcome is Outcome.FAIL] == [failed]

"""Servers that do not conform in handshake, encodings, broken input or hello."""

from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any

import pytest

from client_cli.conformance.connecting import BrokenInput, Connecting, Greeting, Silence
from client_cli.conformance.report import Verdict
from client_cli.conformance.suite import check_server

Message = dict[str, Any]
COUNTDOWN = count(1000, -1)


def blames_the_field(message: Message) -> Message:
    return message | {"code": "bad_message"} if message.get("code") == "unknown_type" else message


def forgives_before_hello(message: Message) -> Message:
    return message | {"code": "not_in_room"} if message.get("code") == "hello_first" else message


def gives_a_new_token_each_time(message: Message) -> Message:
    return message | {"token": "fresh"} if message["type"] == "welcome" else message


def cuts_long_names(message: Message) -> Message:
    return message | {"name": message["name"][:20]} if message["type"] == "welcome" else message


def lets_the_clock_go_back(message: Message) -> Message:
    return message | {"clock": next(COUNTDOWN)} if message["type"] == "pong" else message


def writes_numbers_as_text(message: Message) -> Message:
    return message | {"clock": str(message["clock"])} if message["type"] == "welcome" else message


@pytest.mark.parametrize(
    ("change", "chapter", "failed"),
    [
        (blames_the_field, BrokenInput, ["an unknown type is answered and the connection stays"]),
        (forgives_before_hello, Greeting, ["nothing but `ping` may come before `hello`"]),
        (
            gives_a_new_token_each_time,
            Greeting,
            ["`player` and `token` make one the same again, without a new token"],
        ),
        (cuts_long_names, Greeting, ["names are put in their normal form"]),
        (lets_the_clock_go_back, Greeting, ["`pong` has a clock that goes on"]),
        (writes_numbers_as_text, Greeting, ["`hello` is answered by `welcome` with a new identity"]),
    ],
)
async def test_a_fault_is_found_by_its_check(
    tampered: Callable[..., Awaitable[str]], change: Any, chapter: Any, failed: list[str]
) -> None:
    """And by no other; what could not be tried any more counts as neither."""
    report = await check_server(await tampered(change), [chapter])
    assert [each.title for each in report.findings if each.verdict is Verdict.FAIL] == failed


async def test_nobody_listens() -> None:
    """Each chapter then says so once, and tries nothing else."""
    report = await check_server("ws://localhost:1", [Connecting, Silence])
    assert [each.verdict for each in report.findings if each.number in ("1.1", "2.1")] == [Verdict.FAIL] * 2
    assert "Nobody answers at ws://localhost:1" in report.findings[0].came
    assert {each.verdict for each in report.findings[1:-1]} == {Verdict.SKIP}

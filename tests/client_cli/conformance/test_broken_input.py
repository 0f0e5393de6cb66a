"""Servers that do not conform in what they say to broken input."""

from collections.abc import Awaitable, Callable
from typing import Any

from client_cli.conformance.broken_input import BrokenInput
from client_cli.conformance.report import Verdict
from client_cli.conformance.suite import check_server

Message = dict[str, Any]


def blames_the_field(message: Message) -> Message:
    return message | {"code": "bad_message"} if message.get("code") == "unknown_type" else message


async def test_a_fault_is_found_by_its_check(tampered: Callable[..., Awaitable[str]]) -> None:
    """And by no other; what could not be tried any more counts as neither."""
    report = await check_server(await tampered(blames_the_field), [BrokenInput])
    failed = [each.title for each in report.findings if each.verdict is Verdict.FAIL]
    assert failed == ["an unknown type is answered and the connection stays"]

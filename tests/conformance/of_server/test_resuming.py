"""Servers that lose something with a connection."""

from collections.abc import Awaitable, Callable
from typing import Any

from conformance.of_server.resuming import Resuming
from conformance.of_server.suite import check_server
from conformance.report import Outcome


async def test_faults_are_found_by_their_checks(tampered: Callable[..., Awaitable[str]]) -> None:
    """A server that leaves out a missed line and changes the notice `replaced`."""
    lines: list[str] = []

    def change(message: dict[str, Any]) -> dict[str, Any] | None:
        match message:
            case {"type": "chat_message", "text": "two"}:
                lines.append("two")
                return message if len(lines) == 1 else None
            case {"type": "notice", "code": "replaced"}:
                return message | {"code": "gone"}
        return message

    report = await check_server(await tampered(change), [Resuming])
    assert [each.title for each in report.results if each.outcome is Outcome.FAIL] == [
        "with `seen`, every missed event comes once and in order",
        "the newest connection wins; the older one gets a notice and close code 4002",
    ]

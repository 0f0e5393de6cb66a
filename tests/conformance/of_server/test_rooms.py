"""Servers with faults in rooms."""

from collections.abc import Awaitable, Callable
from typing import Any

from conformance.of_server.rooms import Rooms
from conformance.of_server.suite import check_server
from conformance.report import Outcome


async def test_faults_are_found_by_their_checks(tampered: Callable[..., Awaitable[str]]) -> None:
    """A server with a wrong lock, changed chat, and a wrong reason for leaving."""

    def change(message: dict[str, Any]) -> dict[str, Any]:
        match message:
            case {"type": "lock_changed"}:
                return message | {"locked": not message["locked"]}
            case {"type": "chat_message"}:
                return message | {"text": message["text"].lower()}
            case {"type": "member_left", "reason": "kicked"}:
                return message | {"reason": "left"}
        return message

    report = await check_server(await tampered(change), [Rooms])
    assert [each.title for each in report.results if each.outcome is Outcome.FAIL] == [
        "every member receives a line of chat, the sender included",
        "a locked room refuses new members",
        "a kicked member is removed and cannot return",
    ]

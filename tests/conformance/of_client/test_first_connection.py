"""Clients with faults on their first connection fail the right check."""

from collections.abc import Awaitable, Callable
from types import ModuleType
from typing import Any

import pytest

from conformance.of_client.fake_room import ROOM


@pytest.mark.parametrize(
    ("fault", "failed"),
    [
        ("does_not_name_its_program", "it names its program and version"),
        ("counts_from_zero", "it gets ready, and its first action names the race and number 1"),
        ("counts_races", "it gets ready, and its first action names the race and number 1"),
        ("sends_a_request_before_hello", "it sends `hello` first"),
    ],
)
async def test_a_fault_is_found_by_its_check(
    example: ModuleType, failures: Callable[..., Awaitable[list[str]]], fault: str, failed: str
) -> None:
    """Each of these clients is ours except for one line."""

    class Faulty(example.Client):  # type: ignore[name-defined,misc]
        async def send(self, **message: Any) -> None:
            if fault == "does_not_name_its_program":
                message.pop("client", None)
            if fault == "counts_from_zero" and "n" in message:
                message["n"] -= 1
            if fault == "counts_races" and "n" in message:
                message["race"] = 1
            if fault == "sends_a_request_before_hello" and message["type"] == "hello":
                await super().send(type="leave")
            await super().send(**message)

        async def on_message(self, message: dict[str, Any]) -> None:
            pass

    assert await failures(Faulty("", ROOM, "Ann"), failed) == [failed]

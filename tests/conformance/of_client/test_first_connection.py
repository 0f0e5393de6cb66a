"""Checks of a client's first connection find clients that are ours but for a line."""

from collections.abc import Awaitable, Callable
from types import ModuleType
from typing import Any

import pytest

from conformance.of_client.fake_room import ROOM


@pytest.mark.parametrize(
    ("fault", "failed"),
    [
        ("keeps_its_program_to_itself", "it says which program it is"),
        ("counts_from_zero", "it gets ready, and its first action names the race and number 1"),
        ("counts_races", "it gets ready, and its first action names the race and number 1"),
        ("asks_before_it_greets", "it says `hello` first"),
    ],
)
async def test_a_fault_is_found_by_its_check(
    example: ModuleType, failures: Callable[..., Awaitable[list[str]]], fault: str, failed: str
) -> None:
    """Each of these clients is ours but for one line."""

    class Faulty(example.Client):  # type: ignore[name-defined,misc]
        async def send(self, **message: Any) -> None:
            if fault == "keeps_its_program_to_itself":
                message.pop("client", None)
            if fault == "counts_from_zero" and "n" in message:
                message["n"] -= 1
            if fault == "counts_races" and "n" in message:
                message["race"] = 1
            if fault == "asks_before_it_greets" and message["type"] == "hello":
                await super().send(type="leave")
            await super().send(**message)

        async def on_message(self, message: dict[str, Any]) -> None:
            pass

    assert await failures(Faulty("", ROOM, "Ann"), failed) == [failed]

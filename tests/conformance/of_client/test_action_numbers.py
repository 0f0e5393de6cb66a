"""Checks of what a client sends again find clients that are ours but for a line."""

from collections.abc import Awaitable, Callable
from types import ModuleType
from typing import Any

import pytest

from conformance.of_client.fake_room import ROOM


@pytest.mark.parametrize(
    ("fault", "failed"),
    [
        ("forgets_who_it_is", "it is the same person then"),
        ("forgets_what_it_saw", "it joins the same room with the last `seq` that it saw"),
        ("does_it_twice", "what was done without an answer is not done again"),
        ("gives_up_too_fast", "after `rate_limited` it waits, and sends the same again"),
    ],
)
async def test_a_fault_is_found_by_its_check(
    example: ModuleType, failures: Callable[..., Awaitable[list[str]]], fault: str, failed: str
) -> None:
    """Each of these clients is ours but for one line."""

    class Faulty(example.Client):  # type: ignore[name-defined,misc]
        async def send(self, **message: Any) -> None:
            if fault == "forgets_who_it_is":
                message.pop("token", None)
                message.pop("player", None)
            if fault == "forgets_what_it_saw":
                message.pop("seen", None)
            await super().send(**message)

        async def take(self, message: dict[str, Any]) -> None:
            if fault == "does_it_twice" and message["type"] == "resumed":
                vars(self)["asked"].update(n=message["game"]["n"] + 1)
            if fault == "gives_up_too_fast" and message.get("code") == "rate_limited":
                message = message | {"code": "no_place"}
            await super().take(message)

        async def told(self, message: dict[str, Any]) -> None:
            pass

    assert await failures(Faulty("", ROOM, "Ann"), failed) == [failed]

"""Clients with faults in what they send again fail the right check."""

from collections.abc import Awaitable, Callable
from types import ModuleType
from typing import Any

import pytest

from conformance.of_client.fake_room import ROOM


@pytest.mark.parametrize(
    ("fault", "failed"),
    [
        ("forgets_who_it_is", "it sends the `player` and `token` of the first `welcome`"),
        ("forgets_what_it_saw", "it joins the same room with the last `seq` that it received"),
        ("does_it_twice", "an action that was accepted without an answer is not repeated under a new number"),
        ("gives_up_too_fast", "after `rate_limited` it waits, then sends the same action again"),
    ],
)
async def test_a_fault_is_found_by_its_check(
    example: ModuleType, failures: Callable[..., Awaitable[list[str]]], fault: str, failed: str
) -> None:
    """Each of these clients is ours except for one line."""

    class Faulty(example.Client):  # type: ignore[name-defined,misc]
        async def send(self, **message: Any) -> None:
            if fault == "forgets_who_it_is":
                message.pop("token", None)
                message.pop("player", None)
            if fault == "forgets_what_it_saw":
                message.pop("seen", None)
            await super().send(**message)

        async def receive(self, message: dict[str, Any]) -> None:
            if fault == "does_it_twice" and message["type"] == "resumed":
                vars(self)["in_flight"].update(n=message["game"]["n"] + 1)
            if fault == "gives_up_too_fast" and message.get("code") == "rate_limited":
                message = message | {"code": "no_place"}
            await super().receive(message)

        async def on_message(self, message: dict[str, Any]) -> None:
            pass

    assert await failures(Faulty("", ROOM, "Ann"), failed) == [failed]


async def test_a_failed_check_does_not_hide_a_later_one(
    example: ModuleType, failures: Callable[..., Awaitable[list[str]]]
) -> None:
    """After the first failure the client is connected again, and the run goes on."""

    class Faulty(example.Client):  # type: ignore[name-defined,misc]
        faulty = False

        async def receive(self, message: dict[str, Any]) -> None:
            if message["type"] == "resumed" and not self.faulty:
                self.faulty = True
                vars(self)["in_flight"].update(n=message["game"]["n"] + 1)
            if message.get("code") == "rate_limited":
                message = message | {"code": "no_place"}
            await super().receive(message)

        async def on_message(self, message: dict[str, Any]) -> None:
            pass

    last = "after `rate_limited` it waits, then sends the same action again"
    failed = ["an action that was accepted without an answer is not repeated under a new number", last]
    assert await failures(Faulty("", ROOM, "Ann"), last) == failed

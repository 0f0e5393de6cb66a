"""Clients with faults at the change to the next race fail the right check."""

from collections.abc import Awaitable, Callable
from types import ModuleType
from typing import Any

import pytest

from conformance.of_client.fake_room import RACES_BEFORE, ROOM

NEXT_RACE = "in the next race its actions have that race and numbers from 1"
LATE = "late answers of the earlier race do not answer actions of the running race"


@pytest.mark.parametrize(
    ("fault", "failed"),
    [
        ("stays_in_the_first_race", NEXT_RACE),
        ("goes_on_counting", NEXT_RACE),
        ("repeats_under_the_next_race", NEXT_RACE),
        ("takes_any_answer", LATE),
        ("takes_any_acceptance", LATE),
        ("takes_any_refusal", LATE),
    ],
)
async def test_a_fault_is_found_by_its_check(
    example: ModuleType, failures: Callable[..., Awaitable[list[str]]], fault: str, failed: str
) -> None:
    """Each of these clients is ours except for a line or two."""
    taken = {
        "takes_any_answer": ("accepted", "refused"),
        "takes_any_acceptance": ("accepted",),
        "takes_any_refusal": ("refused",),
    }.get(fault, ())

    class Faulty(example.Client):  # type: ignore[name-defined,misc]
        counted = 0

        async def send(self, **message: Any) -> None:
            if "n" in message:
                if fault == "stays_in_the_first_race":
                    message["race"] = RACES_BEFORE + 1
                if fault == "goes_on_counting" and message["race"] > RACES_BEFORE + 1:
                    message["n"] += self.counted
                self.counted = max(self.counted, message["n"])
            await super().send(**message)

        async def receive(self, message: dict[str, Any]) -> None:
            waits = vars(self)["in_flight"]
            if message["type"] in taken:
                message = message | {"race": waits.get("race", 0)}
            await super().receive(message)
            if fault == "repeats_under_the_next_race" and message["type"] == "race_ended" and "n" in waits:
                self.__dict__["in_flight"] = waits | {"race": message["race"] + 1}

        async def on_message(self, message: dict[str, Any]) -> None:
            pass

    assert await failures(Faulty("", ROOM, "Ann"), failed) == [failed]


async def test_our_client_passes_them(
    example: ModuleType, failures: Callable[..., Awaitable[list[str]]]
) -> None:
    """A client that repeats an action of the race that is over passes, too."""

    class Repeating(example.Client):  # type: ignore[name-defined,misc]
        async def receive(self, message: dict[str, Any]) -> None:
            waits = vars(self)["in_flight"]
            await super().receive(message)
            if message["type"] == "race_ended" and "n" in waits:
                self.__dict__["in_flight"] = waits

        async def on_message(self, message: dict[str, Any]) -> None:
            pass

    assert await failures(Repeating("", ROOM, "Ann"), LATE) == []

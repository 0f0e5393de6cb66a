"""Clients that act without a game, or miss the race after it, are found by their checks."""

from collections.abc import Awaitable, Callable
from types import ModuleType
from typing import Any

import pytest

from conformance.of_client.fake_room import ROOM

WATCHES = "in a race that it does not take part in it sends no action"
NEXT_RACE = "it takes part in the next race of the room"


@pytest.mark.parametrize(
    ("fault", "failed"), [("", []), ("acts", [WATCHES]), ("keeps_the_race", [NEXT_RACE])]
)
async def test_a_fault_is_found_by_its_check(
    example: ModuleType, failures: Callable[..., Awaitable[list[str]]], fault: str, failed: list[str]
) -> None:
    """Each of these clients is ours except for a line or two."""

    class Client(example.Client):  # type: ignore[name-defined,misc]
        watched = 0

        async def receive(self, message: dict[str, Any]) -> None:
            await super().receive(message)
            race = message.get("current_race", {}).get("race", 0)
            if message["type"] == "room" and race and "game" not in message:
                self.watched = race
                if fault == "acts":
                    await self.send(type="auto_move", race=race, n=1, **{"from": 0})

        async def send(self, **message: Any) -> None:
            if (
                fault == "keeps_the_race"
                and self.watched
                and "n" in message
                and message["race"] > self.watched
            ):
                message["race"] = self.watched
            await super().send(**message)

        async def on_message(self, message: dict[str, Any]) -> None:
            pass

    assert await failures(Client("", ROOM, "Ann"), NEXT_RACE) == failed

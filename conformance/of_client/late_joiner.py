"""Checks of a client that enters a room in which others race."""

from collections.abc import Callable, Sequence
from typing import Final

from conformance.checks import Check
from conformance.errors import CheckFailedError
from conformance.of_client.client_under_test import ClientUnderTest
from conformance.wire import now
from protocol import from_client
from protocol.backoff import BASE_SECONDS

WATCHING_S: Final = 1.5
"""Seconds in which a client without a game must not act."""


class LateJoiner:
    """Checks of a client that returns during a race of others. `instruct` shows a line to its author."""

    def __init__(self, client: ClientUnderTest, instruct: Callable[[str], None]) -> None:
        self.client, self.server, self.instruct = client, client.server, instruct

    def checks(self) -> Sequence[Check]:
        """Return the checks in order."""
        life = "Life of a room"
        return (
            Check("in a race that it does not take part in it sends no action", life, self._watches, True),
            Check("it takes part in the next race of the room", life, self._next_race, True),
        )

    async def _watches(self) -> None:
        await self.client.cut_connection()
        self.server.room.start_next_race(takes_part=False)
        await self.client.expect_return(since=now(), longest=BASE_SECONDS)
        await self.client.send_room()
        race = self.server.room.race
        for action in await self.server.actions_within(WATCHING_S):
            if action.race == race:
                raise CheckFailedError("no action in a race without a game", str(action))

    async def _next_race(self) -> None:
        room = self.server.room
        seen = room.seq
        room.start_next_race()
        await self.server.send(*room.events_after(seen))
        self.instruct("The next race has started: let your client make moves again.")
        action: from_client.AnyAction = await self.server.next_action("the first action of the next race")
        await self.server.accept(action)

"""Checks of a client at the change to the next race: actions and answers belong to one race."""

from collections.abc import Callable, Sequence
from typing import Final

from conformance.checks import Check
from conformance.errors import CheckFailedError
from conformance.of_client.client_under_test import ClientUnderTest
from conformance.wire import now
from protocol import from_client
from protocol.backoff import BASE_SECONDS
from protocol.refusals import RefusalCode

READ_WITHIN_S: Final = 2.0
"""Longest time in seconds until a client has read what was sent."""


class SecondRace:
    """Checks of a race that ends while the client is disconnected. `instruct` shows a line to the author."""

    first: from_client.AnyAction

    def __init__(self, client: ClientUnderTest, instruct: Callable[[str], None]) -> None:
        self.client, self.server, self.instruct = client, client.server, instruct

    def checks(self) -> Sequence[Check]:
        """Return the checks in order."""
        numbers = "Ordering, acknowledgement, repetition"
        return (
            Check(
                "in the next race its actions have that race and numbers from 1",
                numbers,
                self._next_race,
                True,
            ),
            Check(
                "late answers of the earlier race do not answer actions of the running race",
                numbers,
                self._late_answers,
                True,
            ),
        )

    async def _next_race(self) -> None:
        """`next_action` requires that repeated actions of the earlier race keep race and number."""
        self.server.apply(await self.server.next_action("an action"))
        await self.client.cut_connection()
        self.server.room.start_next_race()
        await self._return()
        self.instruct("The next race has started: let your client make moves again.")
        self.first = await self.server.next_action("the first action of the next race")

    async def _late_answers(self) -> None:
        """Answers of the earlier race with the same number come while its action has no answer."""
        room = self.server.room
        earlier, accepted = room.applied[room.race - 1, self.first.n]
        await self.server.send(accepted, room.refusal(earlier, RefusalCode.WRONG_RACE))
        if self.client.connection is not None:
            await self.client.connection.wait_until_read(READ_WITHIN_S)
        await self.client.cut_connection()
        await self._return()
        again = await self.server.next_action(f"{self.first} again")
        if again != self.first:
            raise CheckFailedError(f"{self.first} again", str(again))
        await self.server.accept(again)

    async def _return(self) -> None:
        await self.client.expect_return(since=now(), longest=BASE_SECONDS)
        await self.client.answer_join()

"""Checks of a client at the change from one race to the next: actions and answers belong to their race."""

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
"""Seconds in which a client reads what was sent."""


class SecondRace:
    """A client whose race ends while it is not connected; `tell` gets what its author has to do."""

    first: from_client.AnyAction

    def __init__(self, client: ClientUnderTest, instruct: Callable[[str], None]) -> None:
        self.client, self.server, self.instruct = client, client.server, instruct

    def checks(self) -> Sequence[Check]:
        """Return what to check."""
        numbers = "Ordering, acknowledgement, repetition"
        return (
            Check(
                "in the next race its actions name that race, and are numbered from 1 again",
                numbers,
                self._next_race,
                True,
            ),
            Check(
                "late answers of the earlier race are not taken for those of the running one",
                numbers,
                self._late_answers,
                True,
            ),
        )

    async def _next_race(self) -> None:
        """What it sends again of the earlier race must keep race and number: `next_action` sees to that."""
        self.server.apply(await self.server.next_action("an action"))
        await self.client.cut_connection()
        self.server.room.start_next_race()
        await self._return()
        self.instruct("The next race has started: let your client make moves again.")
        self.first = await self.server.next_action("the first action of the next race")

    async def _late_answers(self) -> None:
        """Its action has no answer yet while answers of the earlier race with the same number come."""
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

"""Checks of a client at the change from one race to the next: actions and answers belong to their race."""

from collections.abc import Callable, Sequence
from typing import Final

from conformance.chapter import Step
from conformance.errors import UnmetError
from conformance.of_client.examinee import Examinee
from conformance.wire import now
from protocol import from_client as say
from protocol.backoff import BASE_SECONDS
from protocol.refusals import RefusalCode

READ_WITHIN_S: Final = 2.0
"""Seconds in which a client reads what was sent."""


class SecondRace:
    """A client whose race ends while it is not connected; `tell` gets what its author has to do."""

    first: say.AnyAction

    def __init__(self, client: Examinee, tell: Callable[[str], None]) -> None:
        self.client, self.stage, self.tell = client, client.stage, tell

    def steps(self) -> Sequence[Step]:
        """Return what to check."""
        numbers = "Ordering, acknowledgement, repetition"
        return (
            Step(
                "in the next race its actions name that race, and are numbered from 1 again",
                numbers,
                self._next_race,
                True,
            ),
            Step(
                "late answers of the earlier race are not taken for those of the running one",
                numbers,
                self._late_answers,
                True,
            ),
        )

    async def _next_race(self) -> None:
        """What it sends again of the earlier race must keep race and number: `next_action` sees to that."""
        self.stage.carry_out(await self.stage.next_action("an action"))
        await self.client.lose()
        self.stage.pretence.race_again()
        await self._return()
        self.tell("The next race has started: let your client make moves again.")
        self.first = await self.stage.next_action("the first action of the next race")

    async def _late_answers(self) -> None:
        """Its action has no answer yet while answers of the earlier race with the same number come."""
        pretence = self.stage.pretence
        earlier, accepted = pretence.carried_out[pretence.race - 1, self.first.n]
        await self.stage.tell(accepted, pretence.refusal(earlier, RefusalCode.WRONG_RACE))
        if self.client.guest is not None:
            await self.client.guest.has_read(READ_WITHIN_S)
        await self.client.lose()
        await self._return()
        again = await self.stage.next_action(f"{self.first} again")
        if again != self.first:
            raise UnmetError(f"{self.first} again", str(again))
        await self.stage.accept(again)

    async def _return(self) -> None:
        await self.client.returns(since=now(), longest=BASE_SECONDS)
        await self.client.resume()

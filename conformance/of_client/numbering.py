"""Checks of what a client sends again: nothing is lost or done twice, whatever is lost or refused."""

from collections.abc import Sequence
from typing import Final

import msgspec

from conformance.chapter import Step
from conformance.errors import UnmetError
from conformance.of_client.examinee import Examinee
from conformance.wire import now
from protocol import from_client as say
from protocol.backoff import BASE_SECONDS
from protocol.refusals import RefusalCode

PATIENT_S: Final = 0.5
"""Seconds that a client must have waited that was told to wait about one."""


class Numbering:
    """A client in a race loses its connection, answers, and some patience."""

    def __init__(self, client: Examinee) -> None:
        self.client, self.stage = client, client.stage

    def steps(self) -> Sequence[Step]:
        """Return what to check."""
        resuming, behaves = "Resuming", "How a client behaves"
        numbers = "Ordering, acknowledgement, repetition"
        return (
            Step(
                "it comes back by itself, at once, when the connection is lost",
                behaves,
                self._comes_back,
                True,
            ),
            Step("it is the same person then", resuming, self._same_person),
            Step("it joins the same room with the last `seq` that it saw", resuming, self._seen),
            Step("what was done without an answer is not done again", numbers, self._done_once, True),
            Step("what was lost is sent under the same number", numbers, self._lost_action, True),
            Step("a refusal that it does not know leaves the number free", "Refusals", self._refused, True),
            Step(
                "after `rate_limited` it waits, and sends the same again", behaves, self._rate_limited, True
            ),
        )

    async def _comes_back(self) -> None:
        action = await self.stage.next_action("a second action")
        self.stage.carry_out(action)
        await self.client.lose()
        await self.client.returns(since=now(), longest=BASE_SECONDS)

    async def _same_person(self) -> None:
        self.client.require_token()

    async def _seen(self) -> None:
        self.client.require_place()

    async def _done_once(self) -> None:
        done = self.stage.pretence.carried_out[self.stage.pretence.race, self.stage.pretence.n][0]
        await self.client.resume()
        wanted = "the same action again, or the next one"
        action = await self.stage.any_action(wanted)
        if action.n != done.n and _without_number(action) == _without_number(done):
            raise UnmetError(f"{done} again, or another action", f"the same under another number: {action}")
        if not await self.stage.is_allowed(action, wanted):
            await self.stage.next_action("the next action")

    async def _lost_action(self) -> None:
        await self.client.lose()
        await self.client.returns(since=now(), longest=BASE_SECONDS)
        await self.client.resume()
        await self.stage.accept(await self.stage.next_action("the lost action again"))

    async def _refused(self) -> None:
        action = await self.stage.next_action("an action")
        refused = self.stage.pretence.refusal(action, RefusalCode.NO_PLACE)
        await self.stage.tell_refusal(msgspec.structs.replace(refused, code="windy", text="It is too windy."))
        await self.stage.accept(await self.stage.next_action("an action"))

    async def _rate_limited(self) -> None:
        action = await self.stage.next_action("an action")
        since = now()
        await self.stage.refuse(action, RefusalCode.RATE_LIMITED)
        again = await self.stage.next_action(f"action {action.n} again")
        waited = now() - since
        if again != action:
            raise UnmetError(f"{action} again", str(again))
        if waited < PATIENT_S:
            raise UnmetError("about a second of patience", f"{waited:.2f} seconds")
        await self.stage.accept(again)


def _without_number(action: say.AnyAction) -> say.AnyAction:
    return msgspec.structs.replace(action, n=1)

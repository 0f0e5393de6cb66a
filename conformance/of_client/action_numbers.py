"""Checks of lost connections, lost answers and refusals: every action is carried out exactly once."""

from collections.abc import Sequence
from typing import Final

import msgspec

from conformance.checks import Check
from conformance.errors import CheckFailedError
from conformance.of_client.client_under_test import ClientUnderTest
from conformance.wire import now
from protocol import from_client
from protocol.backoff import BASE_SECONDS
from protocol.refusals import RefusalCode

PATIENT_S: Final = 0.5
"""Shortest wait in seconds of a client that should wait for about one second."""


class ActionNumbers:
    """Checks of a client that loses its connection and answers in a race."""

    def __init__(self, client: ClientUnderTest) -> None:
        self.client, self.server = client, client.server

    def checks(self) -> Sequence[Check]:
        """Return the checks in order."""
        resuming, behaves = "Resuming", "How a client behaves"
        numbers = "Ordering, acknowledgement, repetition"
        return (
            Check(
                "it reconnects at once after a lost connection",
                behaves,
                self._comes_back,
                True,
            ),
            Check("it sends the `player` and `token` of the first `welcome`", resuming, self._same_person),
            Check("it joins the same room with the last `seq` that it received", resuming, self._seen),
            Check(
                "an action that was accepted without an answer is not repeated under a new number",
                numbers,
                self._done_once,
                True,
            ),
            Check("a lost action is sent again with the same number", numbers, self._lost_action, True),
            Check(
                "after a refusal with an unknown code it uses the number again",
                "Refusals",
                self._refused,
                True,
            ),
            Check(
                "after `rate_limited` it waits, then sends the same action again",
                behaves,
                self._rate_limited,
                True,
            ),
        )

    async def _comes_back(self) -> None:
        action = await self.server.next_action("a second action")
        self.server.apply(action)
        await self.client.cut_connection()
        await self.client.expect_return(since=now(), longest=BASE_SECONDS)

    async def _same_person(self) -> None:
        self.client.require_token()

    async def _seen(self) -> None:
        self.client.require_seen()

    async def _done_once(self) -> None:
        done = self.server.room.applied[self.server.room.race, self.server.room.n][0]
        await self.client.answer_join()
        wanted = "the same action again, or the next one"
        action = await self.server.any_action(wanted)
        if action.n != done.n and _without_number(action) == _without_number(done):
            raise CheckFailedError(
                f"{done} again, or another action", f"the same under another number: {action}"
            )
        if not await self.server.is_allowed(action, wanted):
            await self.server.next_action("the next action")

    async def _lost_action(self) -> None:
        await self.client.cut_connection()
        await self.client.expect_return(since=now(), longest=BASE_SECONDS)
        await self.client.answer_join()
        await self.server.accept(await self.server.next_action("the lost action again"))

    async def _refused(self) -> None:
        action = await self.server.next_action("an action")
        refused = self.server.room.refusal(action, RefusalCode.NO_PLACE)
        await self.server.send_refusal(
            msgspec.structs.replace(refused, code="windy", text="It is too windy.")
        )
        await self.server.accept(await self.server.next_action("an action"))

    async def _rate_limited(self) -> None:
        action = await self.server.next_action("an action")
        since = now()
        await self.server.refuse(action, RefusalCode.RATE_LIMITED)
        again = await self.server.next_action(f"action {action.n} again")
        waited = now() - since
        if again != action:
            raise CheckFailedError(f"{action} again", str(again))
        if waited < PATIENT_S:
            raise CheckFailedError("a wait of about a second", f"{waited:.2f} seconds")
        await self.server.accept(again)


def _without_number(action: from_client.AnyAction) -> from_client.AnyAction:
    return msgspec.structs.replace(action, n=1)

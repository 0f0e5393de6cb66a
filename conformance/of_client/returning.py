"""Checks of a client that has lost its server: when it comes back, as whom, and when it does not."""

import asyncio
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

from conformance.chapter import Step
from conformance.errors import UnmetError
from conformance.of_client.examinee import BACK_WITHIN_S, TOLERANCE_S, Examinee
from conformance.of_client.fake_room import TOKEN
from conformance.wire import Door, now
from protocol import from_server as msg
from protocol.backoff import BASE_SECONDS, CAP_SECONDS
from protocol.close_codes import CloseCode
from protocol.errors import ErrorCode
from protocol.notices import NoticeCode

QUIET_S: Final = 2.5
"""Seconds in which a client that must not come back does not come back."""

RESTART_S: Final = 1.0
REFUSED_ATTEMPTS: Final = 4
SAME_SHARE: Final = 0.05
"""Waits that are all the same part of their bounds, up to this, have no jitter."""


class Returning:
    """A server that restarts and cannot be reached, and verdicts; `tell` gets what there is to do."""

    def __init__(self, client: Examinee, door: Door, tell: Callable[[str], None]) -> None:
        self.client, self.stage, self.door, self.tell = client, client.stage, door, tell

    def steps(self) -> Sequence[Step]:
        """Return what to check."""
        behaves, life = "How a client behaves", "Life of a connection"
        return (
            Step("a snapshot replaces all that it knew", "Resuming", self._snapshot, True),
            Step("after `restarting` it waits as long as it was told", "Notices", self._restarting, True),
            Step("it backs off with full jitter while it is not let in", behaves, self._backs_off, True),
            Step("it plays on after all of this", behaves, self._plays_on, True),
            Step("after 4002 it does not come back", "Close codes", self._replaced),
            Step("started again it is still the same person", life, self._started_again, True),
            Step("after 4003 it does not come back as that person", "Close codes", self._bad_token),
        )

    async def _snapshot(self) -> None:
        await self.client.lose()
        self.stage.pretence.plays_itself()
        await self.client.returns(since=now(), longest=BASE_SECONDS)
        await self.client.show_room()
        await self._plays_on()

    async def _plays_on(self) -> None:
        await self.stage.accept(await self.stage.next_action("an action"))

    async def _restarting(self) -> None:
        code = NoticeCode.RESTARTING
        await self.stage.tell(msg.Notice(code=code, text=code.text("en"), retry_in_ms=int(RESTART_S * 1000)))
        since = now()
        await self.stage.close(CloseCode.RESTART)
        await self.client.returns(since, RESTART_S + BASE_SECONDS)
        waited = self.client.guest.at - since if self.client.guest else 0
        if waited < RESTART_S * 0.95:
            raise UnmetError(f"at least {RESTART_S:g} seconds", f"{waited:.2f} seconds")
        await self.client.resume()
        await self._plays_on()

    async def _backs_off(self) -> None:
        self.door.shut_for_now()
        times = [now()]
        await self.client.lose()
        times += [await self._knock() for _ in range(REFUSED_ATTEMPTS)]
        self.door.reopen()
        self.stage.said.append(f"{REFUSED_ATTEMPTS} attempts were answered by HTTP 503")
        bounds = [min(CAP_SECONDS, BASE_SECONDS * 2**k) for k in range(REFUSED_ATTEMPTS + 1)]
        await self.client.returns(times[-1], bounds[-1])
        times.append(self.client.guest.at if self.client.guest else now())
        require_full_jitter([later - earlier for earlier, later in pairwise(times)], bounds)
        await self.client.resume()

    async def _knock(self) -> float:
        try:
            async with asyncio.timeout(BACK_WITHIN_S):
                return await self.door.knocked()
        except TimeoutError:
            raise UnmetError("another attempt", f"nothing within {BACK_WITHIN_S:g} seconds") from None

    async def _replaced(self) -> None:
        code = NoticeCode.REPLACED
        await self.stage.tell(msg.Notice(code=code, text=code.text("en")))
        await self.stage.close(CloseCode.REPLACED)
        if await self.stage.silence(QUIET_S):
            raise UnmetError(f"no new connection within {QUIET_S:g} seconds", "one")

    async def _started_again(self) -> None:
        self.tell("Now start your client again, under the same name.")
        await self.client.arrives(self.stage.patience, "a client")
        await self.client.greets()
        self.client.require_token()

    async def _bad_token(self) -> None:
        code = ErrorCode.BAD_TOKEN
        await self.stage.tell(msg.Error(ref=self.client.hello.ref, code=code, text=code.sentence))
        await self.stage.close(CloseCode.BAD_TOKEN)
        if guest := await self.stage.silence(QUIET_S):
            self.stage.talk_to(guest)
            await self.client.greets()
            if self.client.hello.token == TOKEN:
                raise UnmetError("no `hello` with the token that is wrong", "one")


def require_full_jitter(waits: Sequence[float], bounds: Sequence[float]) -> None:
    """Require that each wait was drawn between nothing and its bound, in seconds. Raises UnmetError."""
    shown = ", ".join(f"{wait:.2f}" for wait in waits)
    if any(wait > bound + TOLERANCE_S for wait, bound in zip(waits, bounds, strict=True)):
        raise UnmetError(f"waits of at most {', '.join(f'{bound:g}' for bound in bounds)} s", shown)
    shares = [wait / bound for wait, bound in zip(waits, bounds, strict=True)]
    if max(shares) - min(shares) < SAME_SHARE or max(waits) - min(waits) < SAME_SHARE:
        raise UnmetError("waits that are drawn anew each time", f"always the same part: {shown} s")
    if sum(waits) < SAME_SHARE:
        raise UnmetError("some patience between attempts", f"{shown} s")

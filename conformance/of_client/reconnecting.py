"""Checks of when and how a client reconnects, and when it must not."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

from conformance.checks import Check
from conformance.errors import CheckFailedError
from conformance.of_client.client_under_test import BACK_WITHIN_S, TOLERANCE_S, ClientUnderTest
from conformance.of_client.fake_room import TOKEN
from conformance.wire import Listener, now
from protocol import from_server
from protocol.backoff import BASE_SECONDS, CAP_SECONDS
from protocol.close_codes import CloseCode
from protocol.errors import ErrorCode
from protocol.notices import NoticeCode

QUIET_S: Final = 2.5
"""Seconds in which a client that must not reconnect has to stay away."""

RESTART_S: Final = 1.0
REFUSED_ATTEMPTS: Final = 4
SAME_SHARE: Final = 0.05
"""Waits whose shares of their bounds differ by less than this have no jitter."""


class Reconnecting:
    """Checks of restarts, refusals and final close codes. `instruct` shows a line to the author."""

    def __init__(self, client: ClientUnderTest, listener: Listener, instruct: Callable[[str], None]) -> None:
        self.client, self.server, self.listener, self.instruct = client, client.server, listener, instruct

    def checks(self) -> Sequence[Check]:
        """Return the checks in order."""
        behaves, life = "How a client behaves", "Life of a connection"
        return (
            Check("a snapshot replaces everything that it knew", "Resuming", self._snapshot, True),
            Check("after `restarting` it waits for `retry_in_ms`", "Notices", self._restarting, True),
            Check(
                "it backs off with full jitter while connections are refused", behaves, self._backs_off, True
            ),
            Check("it sends actions after that", behaves, self._plays_on, True),
            Check("after 4002 it does not reconnect", "Close codes", self._replaced),
            Check(
                "after a restart of the program it sends the same `player` and `token`",
                life,
                self._started_again,
                True,
            ),
            Check("after 4003 it does not send that token again", "Close codes", self._bad_token),
        )

    async def _snapshot(self) -> None:
        await self.client.cut_connection()
        self.server.room.play_elsewhere()
        await self.client.expect_return(since=now(), longest=BASE_SECONDS)
        await self.client.send_room()
        await self._plays_on()

    async def _plays_on(self) -> None:
        await self.server.accept(await self.server.next_action("an action"))

    async def _restarting(self) -> None:
        code = NoticeCode.RESTARTING
        await self.server.send(
            from_server.Notice(code=code, text=code.text("en"), retry_in_ms=int(RESTART_S * 1000))
        )
        since = now()
        await self.server.close(CloseCode.RESTART)
        await self.client.expect_return(since, RESTART_S + BASE_SECONDS)
        waited = self.client.connection.at - since if self.client.connection else 0
        if waited < RESTART_S * 0.95:
            raise CheckFailedError(f"at least {RESTART_S:g} seconds", f"{waited:.2f} seconds")
        await self.client.answer_join()
        await self._plays_on()

    async def _backs_off(self) -> None:
        self.listener.refuse_connections()
        times = [now()]
        await self.client.cut_connection()
        times += [await self._knock() for _ in range(REFUSED_ATTEMPTS)]
        self.listener.accept_connections()
        self.server.transcript.append(f"{REFUSED_ATTEMPTS} attempts were answered by HTTP 503")
        bounds = [min(CAP_SECONDS, BASE_SECONDS * 2**k) for k in range(REFUSED_ATTEMPTS + 1)]
        await self.client.expect_return(times[-1], bounds[-1])
        times.append(self.client.connection.at if self.client.connection else now())
        require_full_jitter([later - earlier for earlier, later in pairwise(times)], bounds)
        await self.client.answer_join()

    async def _knock(self) -> float:
        async with self.server.waiting("another attempt", BACK_WITHIN_S):
            return await self.listener.next_refused_attempt()

    async def _replaced(self) -> None:
        code = NoticeCode.REPLACED
        await self.server.send(from_server.Notice(code=code, text=code.text("en")))
        await self.server.close(CloseCode.REPLACED)
        if await self.server.connection_within(QUIET_S):
            raise CheckFailedError(f"no new connection within {QUIET_S:g} seconds", "one")

    async def _started_again(self) -> None:
        self.instruct("Now start your client again, under the same name.")
        await self.client.wait_for_connection(self.server.timeout_s, "a client")
        await self.client.expect_hello()
        self.client.require_token()

    async def _bad_token(self) -> None:
        code = ErrorCode.BAD_TOKEN
        await self.server.send(from_server.Error(ref=self.client.hello.ref, code=code, text=code.sentence))
        await self.server.close(CloseCode.BAD_TOKEN)
        if connection := await self.server.connection_within(QUIET_S):
            self.server.use_connection(connection)
            await self.client.expect_hello()
            if self.client.hello.token == TOKEN:
                raise CheckFailedError("no `hello` with the token that is wrong", "one")


def require_full_jitter(waits: Sequence[float], bounds: Sequence[float]) -> None:
    """Require that each wait is random between 0 and its bound, in seconds. Raises CheckFailedError."""
    shown = ", ".join(f"{wait:.2f}" for wait in waits)
    if any(wait > bound + TOLERANCE_S for wait, bound in zip(waits, bounds, strict=True)):
        raise CheckFailedError(f"waits of at most {', '.join(f'{bound:g}' for bound in bounds)} s", shown)
    shares = [wait / bound for wait, bound in zip(waits, bounds, strict=True)]
    if max(shares) - min(shares) < SAME_SHARE or max(waits) - min(waits) < SAME_SHARE:
        raise CheckFailedError(
            "waits that are random each time", f"always the same share of the bound: {shown} s"
        )
    if sum(waits) < SAME_SHARE:
        raise CheckFailedError("a wait between attempts", f"{shown} s")

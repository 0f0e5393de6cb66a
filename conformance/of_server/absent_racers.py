"""A chapter about whom a race waits for. It takes minutes, and is tried only if somebody asks for it."""

from collections.abc import Sequence
from typing import Final

from conformance.checks import Check
from conformance.errors import CheckFailedError
from conformance.of_server.scripted_client import ScriptedClient, ServerUnderTest
from conformance.wire import now

GONE_S: Final = 60.0
"""Seconds after which a race ends without a racer whose connection is lost."""

IDLE_S: Final = 5 * 60.0
"""Seconds after which a race ends without a racer who does nothing."""

LATE_S: Final = 15.0
"""Seconds that an end may come later: it waits for the forfeit that may be taken back, too."""

_CLOCKS_S: Final = 0.1
"""Seconds in which two clocks may differ over that time."""


class AbsentRacers:
    """Ann forfeits, and waits for Bo."""

    def __init__(
        self,
        server: ServerUnderTest,
        *,
        gone_s: float = GONE_S,
        idle_s: float = IDLE_S,
        late_s: float = LATE_S,
    ) -> None:
        self.server, self._gone_s, self._idle_s, self._late_s = server, gone_s, idle_s, late_s

    def checks(self) -> Sequence[Check]:
        """Return what to check."""
        life = "Life of a room"
        return (
            Check("a racer who is gone for a minute holds nobody", life, self._gone),
            Check("a racer who does nothing for five minutes holds nobody", life, self._idle),
        )

    async def _gone(self) -> None:
        ann, bo = await self._race()
        since = now()
        bo.connection.cut()
        await self._ends(ann, since, self._gone_s)

    async def _idle(self) -> None:
        since = now()
        ann, _ = await self._race()
        await self._ends(ann, since, self._idle_s)

    async def _race(self) -> tuple[ScriptedClient, ScriptedClient]:
        """Let both race in a room of their own, until Ann forfeits."""
        ann, bo = (
            await ScriptedClient.identified(self.server, "Ann"),
            await ScriptedClient.identified(self.server, "Bo"),
        )
        room = (await ann.request("create", "room", settings={"countdown_s": 0}))["room"]
        await bo.request("join", "room", room=room)
        for each in (ann, bo):
            await each.request("ready")
        await ann.request("start_countdown")
        await ann.expect("race_started")
        await ann.act(1, 1, "forfeit")
        return ann, bo

    async def _ends(self, ann: ScriptedClient, since: float, seconds: float) -> None:
        ann.timeout_s = seconds + self._late_s
        await ann.expect("race_ended")
        waited = now() - since
        if waited < seconds - _CLOCKS_S:
            raise CheckFailedError(f"the end of the race after {seconds:g} seconds", f"{waited:.1f} seconds")

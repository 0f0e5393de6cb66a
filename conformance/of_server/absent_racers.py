"""Checks of how long a race waits for absent and idle racers. They take minutes and run only on demand."""

from collections.abc import Sequence
from typing import Final

from conformance.checks import Check
from conformance.errors import CheckFailedError
from conformance.of_server.scripted_client import ScriptedClient, ServerUnderTest
from conformance.wire import now

GONE_S: Final = 60.0
"""Seconds for which a race waits for a disconnected racer."""

IDLE_S: Final = 5 * 60.0
"""Seconds for which a race waits for an idle racer."""

LATE_S: Final = 15.0
"""Seconds by which the end can be later: a forfeit can be undone first."""

_CLOCKS_S: Final = 0.1
"""Seconds by which two clocks can differ over that time."""


class AbsentRacers:
    """Ann forfeits, and the race waits for Bo."""

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
        """Return the checks in order."""
        life = "Life of a room"
        return (
            Check("a race does not wait for a racer who is disconnected for a minute", life, self._gone),
            Check("a race does not wait for a racer who is idle for five minutes", life, self._idle),
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
        """Start a race of both in a new room, in which Ann forfeits."""
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

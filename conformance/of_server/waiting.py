"""A chapter about whom a race waits for. It takes minutes, and is tried only if somebody asks for it."""

from collections.abc import Sequence
from typing import Final

from conformance.chapter import Step
from conformance.errors import UnmetError
from conformance.of_server.visitor import Stage, Visitor
from conformance.wire import now

GONE_S: Final = 60.0
"""Seconds after which a race ends without a racer whose connection is lost."""

IDLE_S: Final = 5 * 60.0
"""Seconds after which a race ends without a racer who does nothing."""

LATE_S: Final = 15.0
"""Seconds that an end may come later: it waits for the forfeit that may be taken back, too."""

_CLOCKS_S: Final = 0.1
"""Seconds in which two clocks may differ over that time."""


class Waiting:
    """Ann forfeits, and waits for Bo."""

    def __init__(
        self, stage: Stage, *, gone_s: float = GONE_S, idle_s: float = IDLE_S, late_s: float = LATE_S
    ) -> None:
        self.stage, self._gone_s, self._idle_s, self._late_s = stage, gone_s, idle_s, late_s

    def steps(self) -> Sequence[Step]:
        """Return what to check."""
        life = "Life of a room"
        return (
            Step("a racer who is gone for a minute holds nobody", life, self._gone),
            Step("a racer who does nothing for five minutes holds nobody", life, self._idle),
        )

    async def _gone(self) -> None:
        ann, bo = await self._race()
        since = now()
        bo.caller.cut()
        await self._ends(ann, since, self._gone_s)

    async def _idle(self) -> None:
        since = now()
        ann, _ = await self._race()
        await self._ends(ann, since, self._idle_s)

    async def _race(self) -> tuple[Visitor, Visitor]:
        """Let both race in a room of their own, until Ann forfeits."""
        ann, bo = await Visitor.greeted(self.stage, "Ann"), await Visitor.greeted(self.stage, "Bo")
        room = (await ann.ask("create", "room", settings={"countdown_s": 0}))["room"]
        await bo.ask("join", "room", room=room)
        for each in (ann, bo):
            await each.ask("ready")
        await ann.ask("start_countdown")
        await ann.hear("race_started")
        await ann.act(1, 1, "forfeit")
        return ann, bo

    async def _ends(self, ann: Visitor, since: float, seconds: float) -> None:
        ann.patience = seconds + self._late_s
        await ann.hear("race_ended")
        waited = now() - since
        if waited < seconds - _CLOCKS_S:
            raise UnmetError(f"the end of the race after {seconds:g} seconds", f"{waited:.1f} seconds")

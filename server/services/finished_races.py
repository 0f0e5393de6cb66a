"""Finished races: their results are projected on the leaderboards and logged in one line."""

from typing import Any

from protocol.parts import RacerState
from server.services.leaderboards import Leaderboards


class FinishedRaces:
    """Projects finished races on the leaderboards."""

    def __init__(self, leaderboards: Leaderboards, log: Any) -> None:
        self._leaderboards = leaderboards
        self._log = log

    async def expect(self, room: str, number: int) -> None:
        """Schedule the projection of a race that is about to end. Raises StoreError."""
        await self._leaderboards.expect(room, number)

    async def project(self, room: str, number: int) -> None:
        """Put a race's results on the leaderboards, and log it. Raises StoreError."""
        record = await self._leaderboards.project(room, number)
        if record is not None:
            winners = [result for result in record.results if result.state is RacerState.WON]
            self._log.info(
                "race ended",
                room=room,
                race=number,
                code=record.code,
                racers=len(record.racers),
                won=len(winners),
                best_ms=min((result.reached_ms for result in winners), default=None),
                actions=sum(len(racer.actions) for racer in record.racers),
            )

"""The running race of a room on this node: its racers' seats and its live standings."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.code import GameCode
from engine.deal import deal
from engine.ranking import rank
from protocol.from_client import AnyAction
from protocol.from_server import Accepted, Refused, Standings
from protocol.parts import RacerState, Ranking, Standing
from protocol.words import ENGLISH
from server.core.play import Play
from server.core.room import Race
from server.rooms.context import Context, Ear
from server.rooms.seat import Seat

if TYPE_CHECKING:
    from server.rooms.desk import Desk


class Track:
    """All seats of one race. `ears` are the connections of the room's members on this node."""

    __slots__ = (
        "_dirty",
        "context",
        "deal",
        "desk",
        "ears",
        "number",
        "race",
        "room",
        "seats",
        "started_at",
        "time_limit_ms",
    )

    def __init__(
        self, context: Context, desk: "Desk", race: Race, ears: dict[str, Ear], dirty: Callable[[], None]
    ) -> None:
        self.context = context
        self.desk = desk
        self.race = race
        self.ears = ears
        self.room = desk.told.code
        self.number = race.number
        self.started_at = race.started_at
        self.time_limit_ms = race.time_limit_ms
        self.deal = deal(GameCode.parse(race.code))
        self._dirty = dirty
        self.seats = {player: Seat(self, player, Play(self.deal)) for player in race.racers}

    def act(self, player: str, action: AnyAction) -> bool:
        """Let a racer act now; return False for somebody who does not race."""
        seat = self.seats.get(player)
        if seat is None:
            return False
        seat.act(action, self.context.now_ms() - self.started_at)
        return True

    async def load(self) -> None:
        """Read every racer's log, after a restart or when the room comes to this node."""
        for seat in self.seats.values():
            seat.forget()
            await seat.fresh()

    def accepted(self, seat: Seat, answer: Accepted) -> None:
        """Answer an action that is remembered, and let the others know soon."""
        self.context.counts.actions["accepted"] += 1
        self.answer(seat, answer)
        self._dirty()

    def refused(self, seat: Seat, answer: Refused) -> None:
        """Answer an action that was refused."""
        self.context.counts.actions["refused"] += 1
        self.answer(seat, answer)

    def answer(self, seat: Seat, answer: Accepted | Refused) -> None:
        """Tell a racer, if connected here."""
        ear = self.ears.get(seat.player)
        if ear is not None:
            ear.tell(answer)

    def language(self, player: str) -> str:
        """Return the language that a racer reads."""
        ear = self.ears.get(player)
        return ENGLISH if ear is None else ear.lang

    def idle_since(self) -> dict[str, int]:
        """Return when each racer did something last, on the store's clock."""
        return {seat.player: self.started_at + seat.last_at for seat in self.seats.values()}

    def standings(self, ranking: Ranking) -> Standings:
        """Return the live standings, best first."""
        seats = list(self.seats.values())
        placings = [seat.placing for seat in seats]
        ranks = rank(placings, ranking.value)
        rows = [
            Standing(
                seat.player,
                place,
                placing.score,
                placing.moves,
                placing.runs,
                seat.joined,
                seat.state,
                placing.reached if seat.state is RacerState.WON else None,
            )
            for seat, placing, place in zip(seats, placings, ranks, strict=True)
        ]
        rows.sort(key=lambda row: row.rank)
        return Standings(race=self.number, elapsed=self.context.now_ms() - self.started_at, rows=rows)

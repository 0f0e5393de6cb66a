"""The running race of a room on this node: its racers' seats and its live standings."""

from collections.abc import Callable
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from engine.code import GameCode
from engine.deal import deal
from engine.ranking import Mode, ranks_of
from protocol.from_client import AnyAction
from protocol.from_server import Accepted, Refused, Standings
from protocol.parts import Ranking
from protocol.refusals import RefusalCode
from protocol.words import ENGLISH
from server.core.play import load
from server.core.room import Race, Room
from server.rooms.context import Context, Ear
from server.rooms.node_messages import Progress
from server.rooms.race.racer_game import Seat
from server.rooms.race.standings import measured
from server.rooms.race.standings_window import is_crowd
from server.rooms.retry import patiently

if TYPE_CHECKING:
    from server.rooms.room_log import Desk

_MERIT: Final = attrgetter("merit")


class Track:
    """All seats of one race. `ears` are the connections of the room's members on this node.

    `went_back` is told of a racer whose log has become shorter, and by how many actions.
    `crowded` tells that so many race that nobody is shown them all.
    """

    __slots__ = (
        "_dirty",
        "_gone_on",
        "_lines",
        "context",
        "crowded",
        "deal",
        "desk",
        "ears",
        "number",
        "race",
        "room",
        "seats",
        "started_at_ms",
        "time_limit_ms",
        "went_back",
    )

    def __init__(
        self,
        context: Context,
        desk: "Desk",
        race: Race,
        ears: dict[str, Ear],
        dirty: Callable[[], None],
        *,
        went_back: Callable[[str, int], None],
    ) -> None:
        self.context = context
        self.desk = desk
        self.race = race
        self.ears = ears
        self.room = desk.told.code
        self.number = race.number
        self.started_at_ms = race.started_at_ms
        self.time_limit_ms = race.time_limit_ms
        self.deal = deal(GameCode.parse(race.code))
        self.went_back = went_back
        self._dirty = dirty
        self._gone_on: set[Seat] = set()
        self.seats = {player: Seat(self, player) for player in race.racers}
        self.crowded = is_crowd(len(self.seats))
        self._lines = [seat.line for seat in self.seats.values()]

    def act(self, player: str, action: AnyAction) -> bool:
        """Let a racer act now; return False for somebody who does not race."""
        seat = self.seats.get(player)
        if seat is None:
            return False
        seat.act(action, self.context.now_ms() - self.started_at_ms)
        return True

    def turn_down(self, player: str, action: AnyAction, code: RefusalCode) -> bool:
        """Refuse a racer's action unseen; return False for somebody who does not race."""
        seat = self.seats.get(player)
        if seat is None:
            return False
        seat.turn_down(action, self.context.now_ms() - self.started_at_ms, code)
        return True

    async def load(self) -> None:
        """Read every racer's log, after a restart or when the room comes to this node."""
        for seat in self.seats.values():
            seat.forget()
            await seat.fresh()

    def forget(self) -> None:
        """Hold nothing for certain of anybody: every game is read again before it goes on."""
        for seat in self.seats.values():
            seat.forget()

    def leave_to_others(self, room: Room) -> None:
        """Hold nothing for certain of those racers whose connections are on other nodes."""
        for player, seat in self.seats.items():
            member = room.members.get(player)
            if member is not None and member.node != self.context.node:
                seat.forget()

    def heard(self, rows: tuple[Progress, ...], *, anew: bool = False) -> None:
        """Take another node's word for how far its racers have come; `anew`: even if that is less."""
        for progress in rows:
            seat = self.seats.get(progress.player)
            if seat is not None and progress.player not in self.ears:
                if anew:
                    seat.line.progress = progress
                else:
                    seat.line.heard(progress)
        self._dirty()

    async def look_around(self) -> None:
        """Read how far those have come who race on other nodes, for news of it may be lost.

        And look whether the logs of those who race here are as long as they were.
        """
        store = self.context.store
        for player, seat in self.seats.items():
            known = seat.measure().n
            if player in self.ears:
                length = await patiently(partial(store.length, seat.log))
            else:
                play = load(self.deal, self.number, await patiently(partial(store.read, seat.log)))
                seat.line.heard(measured(player, play))
                length = play.n
            if length < known:
                seat.forget()
                await seat.fresh()  # which tells what is gone
        self._dirty()

    def accepted(self, seat: Seat, answer: Accepted) -> None:
        """Answer an action that is remembered, and let the others know soon."""
        self.context.counts.actions["accepted"] += 1
        if not self._gone_on:  # otherwise it is known
            self._dirty()
        self._gone_on.add(seat)
        ear = self.ears.get(seat.player)
        if ear is not None:
            ear.tell(answer)

    def refused(self, seat: Seat, answer: Refused) -> None:
        """Answer an action that was refused."""
        self.context.counts.actions["refused"] += 1
        self.answer(seat, answer)

    def repeated(self, seat: Seat, n: int) -> None:
        """Count an action that is sent again: to find its answer, all before it are carried out again."""
        self.context.counts.actions["repeated"] += 1
        ear = self.ears.get(seat.player)
        if ear is not None:
            ear.charge(n)

    def answer(self, seat: Seat, answer: Accepted | Refused) -> None:
        """Tell a racer, if connected here."""
        ear = self.ears.get(seat.player)
        if ear is not None:
            ear.tell(answer)

    def cut_off(self, player: str) -> None:
        """End a racer's connection here, because of a bug."""
        ear = self.ears.get(player)
        if ear is not None:
            ear.failed()

    def overrun(self, player: str) -> None:
        """End the connection here of a racer who sends more than can wait."""
        ear = self.ears.get(player)
        if ear is not None:
            ear.overran()

    def language(self, player: str) -> str:
        """Return the language that a racer reads."""
        ear = self.ears.get(player)
        return ENGLISH if ear is None else ear.lang

    def idle_since_ms(self) -> dict[str, int]:
        """Return when each racer did something last, on the store's clock."""
        return {player: self.started_at_ms + seat.line.progress.at for player, seat in self.seats.items()}

    def gone_on(self) -> tuple[Progress, ...]:
        """Return, once, the progress of those who have gone on here since the last time."""
        seats, self._gone_on = self._gone_on, set()
        return tuple([seat.measure() for seat in seats])

    def standings(self, ranking: Ranking) -> Standings:
        """Return the live standings, best first."""
        mode: Mode = ranking.value
        for line in self._lines:
            if line.weighed is not line.progress:
                line.weigh(mode)
        lines = sorted(self._lines, key=_MERIT)
        ranks = ranks_of([line.merit for line in lines])
        rows = [line.row(rank) for line, rank in zip(lines, ranks, strict=True)]
        return Standings(
            race=self.number, elapsed_ms=max(0, self.context.now_ms() - self.started_at_ms), rows=rows
        )

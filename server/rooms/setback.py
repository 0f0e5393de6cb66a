"""What happens in a room when the store knows less than people were told: the store counts, for everybody.

So it is after a fail-over to a replica that was behind, and after a restored backup. It cannot be undone
from here, but nobody may go on with what is gone, and whoever runs the server must hear of it.
"""

import asyncio
import contextlib
from typing import TYPE_CHECKING, Final

from protocol import from_server as say
from protocol.notices import NoticeCode
from protocol.parts import Phase
from server.core import commands as cmd
from server.rooms.context import Context, Ear
from server.rooms.news import RacersWent, to_bytes
from server.store.journal import JournalFull
from server.store.port import Commit, Notice
from server.tasks import report_exceptions

if TYPE_CHECKING:
    from server.rooms.desk import Answer
    from server.rooms.live import LiveRoom
    from server.rooms.track import Track

ADVICE: Final = (
    "The store has less than it had: was a replica promoted that was behind, or a backup restored? "
    "What was told and is not in the store now is lost."
)


SETTLE_S: Final = 1.0
"""Pause in which old news of other nodes may still come, before it is looked whether there is more."""


class Setback:
    """Notices what is lost, and lets one room of this node begin anew with what is left.

    All that is noticed until every log of the room was read and nothing more found is one incident, and one
    line in the server's log.
    """

    __slots__ = ("_actions", "_context", "_events", "_live", "_noticed", "_recovering")

    def __init__(self, context: Context, live: "LiveRoom") -> None:
        self._context = context
        self._live = live
        self._events = 0
        self._actions: dict[str, int] = {}  # of each racer
        self._noticed = False
        self._recovering = False

    def events_lost(self, count: int) -> None:
        """Begin anew after the room's log has lost so many events that were told."""
        live = self._live
        if live.vanished and not live.ears:
            _begin_anew(live)  # nobody has been here for long, and another node has let the room go
            return
        self._events += count
        for ear in tuple(live.ears.values()):
            self._tell(ear)
        _begin_anew(live)
        self._recover()

    def actions_lost(self, player: str, count: int) -> None:
        """Let a racer come back for the game that is left after so many actions were lost."""
        self._actions[player] = max(count, self._actions.get(player, 0))  # old news is no further loss
        ear = self._live.ears.get(player)
        if ear is not None:
            self._tell(ear)
            ear.failed()
        self._recover()

    @staticmethod
    def _tell(ear: Ear) -> None:
        code = NoticeCode.SET_BACK
        ear.tell(say.Notice(code=code, text=code.text(ear.lang)))

    def _recover(self) -> None:
        self._noticed = True
        if not self._recovering:
            self._recovering = True
            self._context.spawn(self._read_all())

    async def _read_all(self) -> None:
        """Find out what else is lost, let other nodes know, and say so once."""
        live = self._live
        try:
            await self._confirm()
            while self._noticed:
                self._noticed = False
                if live.track is not None:
                    await self._read_games(live.track)
                await asyncio.sleep(SETTLE_S)
        finally:
            events, actions = self._events, sum(self._actions.values())
            self._events = 0
            self._actions.clear()
            self._recovering = False
            self._context.counts.setbacks += 1
            self._context.log.error(
                "store went back", room=live.code, events=events, actions=actions, advice=ADVICE
            )

    async def _confirm(self) -> None:
        """Return when the room's log was found to be what we take it for."""
        confirmed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def done(_: "Answer") -> None:
            if not confirmed.done():  # nobody waits any more when the server stops
                confirmed.set_result(None)

        self._live.desk.submit(cmd.Tick(), done, sure=True)
        await confirmed

    async def _read_games(self, track: "Track") -> None:
        for seat in track.seats.values():
            with report_exceptions():
                seat.forget()
                await seat.fresh()
        live, node = self._live, self._context.node
        here = [seat for seat in track.seats.values() if _node_of(live, seat.player) == node]
        track.leave_to_others(live.room)
        inboxes = live.inboxes()
        if here and inboxes and live.track is track:
            rows = tuple(seat.line.progress for seat in here)
            news = to_bytes(RacersWent(live.code, track.number, rows, anew=True))
            with contextlib.suppress(JournalFull):  # then they look for themselves when they hear again
                self._context.journal.submit(Commit((), tuple(Notice(inbox, news) for inbox in inboxes)))
        live.standings_wanted()


def _begin_anew(live: "LiveRoom") -> None:
    """Follow the room's log from here on: every game is read again, and nobody stays connected."""
    race, old = live.room.race, live.track
    if race is None or live.room.phase is not Phase.RACING:
        live.track = None
    elif old is None or (old.number, old.started_at) != (race.number, race.started_at):
        live.track = live.make_track()
    else:
        old.race = race
    if old is not None and old is not live.track:
        old.ears = {}  # what it still hears concerns nobody
    if live.track is not None:
        live.track.forget()
    live.cut_off()
    live.door.drop_ghosts()
    live.clockwork.wait()


def _node_of(live: "LiveRoom", player: str) -> str | None:
    member = live.room.members.get(player)
    return None if member is None else member.node

"""Rollback: the store has lost entries that it had acknowledged, and the node continues from the others.

This happens after a fail-over to a replica that was behind, and after a restored backup. A node cannot
restore the lost entries. It makes every client continue from the state of the store, and tells the operator.
"""

import asyncio
import contextlib
from typing import Final

from protocol import from_server as say
from protocol.notices import NoticeCode
from server.core import commands as cmd
from server.rooms.context import RoomContext
from server.rooms.membership import Membership
from server.rooms.node_messages import RaceProgressed, to_bytes
from server.rooms.ports import RecoverableRoom
from server.rooms.race.live_race import LiveRace
from server.rooms.room_log import Answer, RoomLog
from server.rooms.subscriber import Subscriber
from server.store.journal import JournalFull
from server.store.port import Commit, Publish
from server.tasks import report_exceptions

ADVICE: Final = (
    "The store has less than it had: was a replica promoted that was behind, or a backup restored? "
    "Entries that it had acknowledged and no longer has are lost."
)

QUIET_S: Final = 1.0
"""Pause in which late messages of other nodes may still report more."""


class RollbackRecovery:
    """Lets one room of this node continue after lost entries, and reports them.

    An incident begins with the first lost entry, and ends when all logs of the room have been read without
    finding more. Each incident is one line in the operator's log.
    """

    __slots__ = ("_actions", "_context", "_events", "_log", "_membership", "_noticed", "_recovering", "_room")

    def __init__(
        self, context: RoomContext, log: RoomLog, membership: Membership, room: RecoverableRoom
    ) -> None:
        self._context = context
        self._log = log
        self._membership = membership
        self._room = room
        self._events = 0  # lost events of the room's log in this incident
        self._actions: dict[str, int] = {}  # lost actions of each racer in this incident
        self._noticed = False  # whether more was noticed since the logs were read
        self._recovering = False  # whether a task reads the logs

    def events_lost(self, count: int) -> None:
        """Continue from the room's log, which has lost that many committed events."""
        room, subscribers = self._room, self._membership.subscribers
        if room.vanished and not subscribers:
            room.restart_from_log()  # no rollback: the room was empty, and another node has removed it
            return
        self._events += count
        for subscriber in tuple(subscribers.values()):
            self._notify(subscriber)
        room.restart_from_log()
        self._recover()

    def actions_lost(self, player: str, count: int) -> None:
        """Disconnect a racer who has lost committed actions; the next join sends the stored game."""
        self._actions[player] = max(count, self._actions.get(player, 0))  # a late message is no further loss
        subscriber = self._membership.subscribers.get(player)
        if subscriber is not None:
            self._notify(subscriber)
            subscriber.failed()
        self._recover()

    @staticmethod
    def _notify(subscriber: Subscriber) -> None:
        code = NoticeCode.ROLLED_BACK
        subscriber.send(say.Notice(code=code, text=code.text(subscriber.lang)))

    def _recover(self) -> None:
        self._noticed = True
        if not self._recovering:
            self._recovering = True
            self._context.spawn(self._read_all())

    async def _read_all(self) -> None:
        """Find out what else is lost, notify other nodes, and report the incident once."""
        try:
            await self._confirm()
            while self._noticed:
                self._noticed = False
                race = self._room.race
                if race is not None:
                    await self._read_games(race)
                await asyncio.sleep(QUIET_S)
        finally:
            events, actions = self._events, sum(self._actions.values())
            self._events = 0
            self._actions.clear()
            self._recovering = False
            self._context.counters.rollbacks += 1
            room = self._log.committed_state.code
            self._context.log.error(
                "store rolled back", room=room, events=events, actions=actions, advice=ADVICE
            )

    async def _confirm(self) -> None:
        """Return once the room's log has been found unchanged by an empty commit."""
        confirmed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def done(_: Answer) -> None:
            if not confirmed.done():  # it is cancelled when the server stops
                confirmed.set_result(None)

        self._log.submit(cmd.Tick(), done, confirm=True)
        await confirmed

    async def _read_games(self, race: LiveRace) -> None:
        for game in race.games.values():
            with report_exceptions():
                game.invalidate()
                await game.committed_play()
        members, node = self._log.committed_state.members, self._context.node
        here = [
            game
            for game in race.games.values()
            if (member := members.get(game.player)) is not None and member.node == node
        ]
        race.invalidate_remote(self._log.committed_state)
        inboxes = self._room.inboxes()
        if here and inboxes and self._room.race is race:
            rows = tuple(game.standing.progress for game in here)
            payload = to_bytes(RaceProgressed(race.room, race.number, rows, rolled_back=True))
            messages = tuple(Publish(inbox, payload) for inbox in inboxes)
            with contextlib.suppress(JournalFull):  # the other nodes find out when they read the logs
                self._context.journal.submit(Commit((), messages))
        self._room.request_standings()

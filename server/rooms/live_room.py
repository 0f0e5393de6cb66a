"""A room that is loaded on this node: its log, its members' connections, its timers and its race."""

import contextlib
from collections.abc import Callable

from protocol.from_client import AnyAction, RoomRequest
from protocol.from_server import Error, Refused
from protocol.parts import GameView, Phase
from protocol.refusals import RefusalCode
from server.core import commands as cmd
from server.core import events as ev
from server.core import room_messages
from server.core.room import Race, Room
from server.rooms.context import RoomContext
from server.rooms.fanout import broadcast, broadcast_latest
from server.rooms.membership import Membership
from server.rooms.node_messages import RaceProgressed, RacerProgress, to_bytes
from server.rooms.race.earlier_races import EarlierRaces
from server.rooms.race.live_race import LiveRace
from server.rooms.race.standings_window import windows
from server.rooms.rollback import RollbackRecovery
from server.rooms.room_log import Done, RoomLog
from server.rooms.timers import RoomTimers
from server.store import keys
from server.store.journal import JournalFull
from server.store.port import Commit, Publish


class LiveRoom:
    """One room on one node. `standings_changed` is called with the room when its standings have changed."""

    __slots__ = (
        "_context",
        "_earlier_races",
        "_inboxes",
        "_inboxes_for",
        "_inboxes_length",
        "_race",
        "_rereading",
        "_rollback",
        "_standings_changed",
        "_unloaded",
        "code",
        "log",
        "membership",
        "timers",
    )

    def __init__(
        self, context: RoomContext, code: str, standings_changed: Callable[["LiveRoom"], None]
    ) -> None:
        self.code = code
        self.log = RoomLog(
            context,
            code,
            self._publish,
            inboxes=self.inboxes,
            unreadable=self.disconnect_all,
            rolled_back=self._events_lost,
        )
        self.membership = Membership(context, self.log, self)
        self.timers = RoomTimers(context, self.log, self.membership, self)
        self._rollback = RollbackRecovery(context, self.log, self.membership, self)
        self._context = context
        self._earlier_races = EarlierRaces(context, self.membership.subscribers, self.answer_in_turn)
        self._standings_changed = standings_changed
        self._race: LiveRace | None = None
        self._inboxes: list[str] = []
        # `_inboxes` belongs to this state of the room, at this length of its log.
        self._inboxes_for: Room | None = None
        self._inboxes_length = 0
        self._rereading = False  # whether a task reads the progress of racers on other nodes
        self._unloaded = False

    @property
    def room(self) -> Room:
        """The committed state of the room."""
        return self.log.committed_state

    @property
    def race(self) -> LiveRace | None:
        """The running race."""
        return self._race

    @property
    def idle(self) -> bool:
        """Whether this node may unload the room: no member is connected, and no race needs this node."""
        active = self.room.phase in (Phase.COUNTDOWN, Phase.RACING)
        busy = self.timers.closing or self.membership.busy or not self.log.idle
        return not self.membership.subscribers and not busy and not (active and not self.inboxes())

    async def load(self) -> bool:
        """Read the room from the store; return False if there is none. Raises StoreError."""
        await self.log.load()
        if self.room.length == 0:
            return False
        race = self.room.running_race
        if race is not None:
            self._race = self._make_race(race)
            await self._race.load()
            self._race.invalidate_remote(self.room)
        self.timers.reschedule()
        return True

    @property
    def unloaded(self) -> bool:
        """Whether this node no longer holds the room."""
        return self._unloaded

    @property
    def vanished(self) -> bool:
        """Whether the store no longer has the room."""
        return self.room.length == 0

    def unload(self) -> None:
        """Stop the timers, and mark the room as unloaded."""
        self._unloaded = True
        self.timers.stop()

    # Requests and actions of members.

    def request(self, player: str, request: RoomRequest, code: str | None, done: Done) -> None:
        """Submit a member's request to the room."""
        self.log.submit(cmd.MemberRequest(player, self._context.node, request, code), done)

    def leave(self, player: str, done: Done) -> None:
        """Give up a member's seat."""
        self.log.submit(cmd.LeaveRoom(player), done)

    def act(self, player: str, action: AnyAction) -> bool:
        """Carry out a racer's action; return False if the player does not take part in the running race.

        An action of an earlier race is only answered: the client may not know yet that it was accepted.
        """
        race = self._race
        if race is not None and action.race == race.number:
            return race.act(player, action)
        self._earlier_races.answer(self.room, player, action)
        return True

    def refuse(self, player: str, action: AnyAction, code: RefusalCode) -> bool:
        """Refuse a racer's action without deciding it; return False if the player does not race."""
        race = self._race
        return race is not None and action.race == race.number and race.refuse(player, action, code)

    def answer_in_turn(self, player: str, answer: Refused | Error) -> None:
        """Send an answer to an action once the player's earlier actions in the running race have theirs."""
        race = self._race
        if race is None or not race.answer_in_turn(player, answer):
            subscriber = self.membership.subscribers.get(player)
            if subscriber is not None:
                subscriber.send(answer)

    async def game_of(self, player: str) -> tuple[int, GameView] | None:
        """Return the running race's number and a racer's committed game in it, or None."""
        while (race := self._race) is not None and player in race.games:
            view = (await race.games[player].committed_play()).view()
            if race is self._race:  # otherwise the race has ended meanwhile
                return race.number, view
        return None

    # Standings.

    def request_standings(self) -> None:
        """Send the standings soon, if a race runs."""
        if self._race is not None:
            self._standings_changed(self)

    def send_standings(self) -> None:
        """Send the standings to all members here, and the progress of racers here to other nodes."""
        race = self._race
        if race is None or self._unloaded:
            return
        rows = race.take_progress()
        if rows and (inboxes := self.inboxes()):
            payload = to_bytes(RaceProgressed(self.code, race.number, rows))
            messages = tuple(Publish(inbox, payload) for inbox in inboxes)
            # Later progress replaces this one, and a node reads the log before a racer moves there.
            with contextlib.suppress(JournalFull):
                self._context.journal.submit(Commit((), messages))
        subscribers = self.membership.subscribers
        if not subscribers:
            return
        standings = race.standings(self.room.settings.ranking)
        if race.has_windows:
            for window, players in windows(standings, subscribers):
                broadcast_latest("standings", window, [subscribers[player] for player in players])
        else:
            broadcast_latest("standings", standings, subscribers.values())

    @property
    def has_windows(self) -> bool:
        """Whether the running race is so large that subscribers get only a part of the standings."""
        return self._race is not None and self._race.has_windows

    # Messages of other nodes.

    def report_progress(self, race: int, rows: tuple[RacerProgress, ...], *, rolled_back: bool) -> None:
        """Apply the progress of racers that another node reports."""
        if self._race is not None and self._race.number == race:
            self._race.report(rows, rolled_back=rolled_back)

    def read_again(self) -> None:
        """Read the logs again: messages of other nodes may be lost."""
        self.log.read_again()
        if self._race is not None and not self._rereading:
            self._rereading = True
            self._context.spawn(self._reread(self._race))

    async def _reread(self, race: LiveRace) -> None:
        try:
            await race.read_again()
        finally:
            self._rereading = False

    def inboxes(self) -> list[str]:
        """Return the inboxes of the other nodes that hold members of this room."""
        room = self.log.pending_state
        if self._inboxes_for is not room or self._inboxes_length != room.length:
            self._inboxes_for, self._inboxes_length = room, room.length
            self._inboxes = [keys.inbox(node) for node in room.nodes() - {self._context.node}]
        return self._inboxes

    # The room's log.

    def disconnect_all(self) -> None:
        """End every connection here; clients connect again, perhaps to another node, and get the room."""
        self.membership.disconnect_all()

    def restart_from_log(self) -> None:
        """Continue from the log as it is now: read all games again and disconnect all members."""
        race, old = self.room.running_race, self._race
        if race is None:
            self._race = None
        elif old is None or (old.number, old.started_at_ms) != (race.number, race.started_at_ms):
            self._race = self._make_race(race)
        else:
            old.continue_as(race)
        if old is not None and old is not self._race:
            old.abandon()
        if self._race is not None:
            self._race.invalidate_all()
        self.membership.disconnect_all()
        self.membership.mark_ghosts_disconnected()
        self.timers.reschedule()

    def _events_lost(self, count: int) -> None:
        self._rollback.events_lost(count)

    def _actions_lost(self, player: str, count: int) -> None:
        self._rollback.actions_lost(player, count)

    def _publish(self, event: ev.Event, seq: int) -> None:
        """Send a committed event to the members here, and apply it to this node."""
        message = room_messages.message_of(event, seq, self._context.now_ms())
        if message is not None:
            broadcast(message, self.membership.subscribers.values())
        self._follow(event)
        self.timers.reschedule()

    def _follow(self, event: ev.Event) -> None:
        """Apply a committed event to the connections, the games and the draw on this node."""
        node = self._context.node
        match event:
            case ev.MemberLeft(player=player):
                self.membership.left(player)
            case ev.MemberDisconnected(player=player) if player in self.membership.subscribers:
                self.membership.mark_connected(player)  # another node believed that this one is dead
            case (ev.MemberReconnected() | ev.MemberJoined()) as came if came.node != node:
                self.membership.replaced(came.player)
                if self._race is not None and came.player in self._race.games:
                    self._race.games[came.player].invalidate()
            case ev.CountdownStarted(node=drawing_node) if drawing_node == node:
                if self.room.named_code is None:
                    self.timers.draw(self.room.settings)
            case ev.RaceStarted():
                self._start_race()
            case ev.RaceEnded():
                self._race = None
            case _:
                pass

    def _start_race(self) -> None:
        race = self.room.race
        if race is None:
            raise AssertionError("a race that started is the room's race")
        self._context.counters.races_started += 1
        self._race = self._make_race(race)
        self._race.invalidate_remote(self.room)
        self.timers.race_started()
        self._standings_changed(self)

    def _make_race(self, race: Race) -> LiveRace:
        self.timers.watch(race)
        return LiveRace(
            self._context,
            self.log,
            race,
            self.membership.subscribers,
            request_standings=self.request_standings,
            rolled_back=self._actions_lost,
        )

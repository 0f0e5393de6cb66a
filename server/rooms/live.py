"""A room that lives on this node: its log's desk, its members' connections, its race."""

import contextlib
from collections import Counter
from collections.abc import Callable

from engine.code import GameCode
from engine.deal import deal
from protocol import from_server as say
from protocol.from_client import AnyAction, RoomRequest
from protocol.from_server import FromServer
from protocol.parts import GameView, Phase
from protocol.refusals import RefusalCode
from server.core import commands as cmd
from server.core import events as ev
from server.core import tell
from server.core.room import Race, Room
from server.rooms.clockwork import Clockwork
from server.rooms.context import Context, Ear
from server.rooms.crowd import parts
from server.rooms.desk import Desk, Done
from server.rooms.door import Door
from server.rooms.framing import tell_all, tell_latest
from server.rooms.news import Progress, RacersWent, to_bytes
from server.rooms.repeats import remembered_answer
from server.rooms.seat import MOST_WAITING
from server.rooms.setback import Setback
from server.rooms.track import Track
from server.store import keys
from server.store.journal import JournalFull
from server.store.port import Commit, Publish


class LiveRoom:
    """One room on one node. `dirty` is called when its standings have changed."""

    __slots__ = (
        "_context",
        "_dirty",
        "_inboxes_at",
        "_inboxes_of",
        "_inboxes_then",
        "_late",
        "_rereading",
        "_setback",
        "_unloaded",
        "clockwork",
        "code",
        "desk",
        "door",
        "ears",
        "track",
    )

    def __init__(self, context: Context, code: str, dirty: Callable[["LiveRoom"], None]) -> None:
        self.code = code
        self._setback = Setback(context, self)
        self.desk = Desk(
            context, code, self._told, self.inboxes, self.cut_off, went_back=self._setback.events_lost
        )
        self.ears: dict[str, Ear] = {}
        self.track: Track | None = None
        self.door = Door(context, self)
        self.clockwork = Clockwork(context, self)
        self._context = context
        self._dirty = dirty
        self._inboxes_then: list[str] = []
        self._inboxes_of: Room | None = None  # the state of the room, and the length of its log, that
        self._inboxes_at = 0  # they are known for
        self._rereading = False
        self._late: Counter[str] = Counter()  # actions after the race whose answers are looked for
        self._unloaded = False

    @property
    def room(self) -> Room:
        """The room as far as it is remembered."""
        return self.desk.told

    @property
    def idle(self) -> bool:
        """Whether this node need not keep the room in memory: nobody is here, and no race needs this node."""
        active = self.room.phase in (Phase.COUNTDOWN, Phase.RACING)
        busy = self.clockwork.closing or self.door.busy or not self.desk.idle
        return not self.ears and not busy and not (active and not self.inboxes())

    async def load(self) -> bool:
        """Read the room from the store; return False if there is none."""
        await self.desk.load()
        if self.room.length == 0:
            return False
        race = self.room.race
        if race is not None and self.room.phase is Phase.RACING:
            self.track = self.make_track()
            await self.track.load()
            self.track.leave_to_others(self.room)
        self.clockwork.wait()
        return True

    @property
    def unloaded(self) -> bool:
        """Whether the room is not used any more."""
        return self._unloaded

    @property
    def vanished(self) -> bool:
        """Whether the store has no such room any more."""
        return self.room.length == 0

    def unload(self) -> None:
        """Stop the timer; the room is not used any more."""
        self._unloaded = True
        self.clockwork.stop()

    # What people do.

    def ask(self, player: str, request: RoomRequest, code: str | None, done: Done) -> None:
        """Put a member's request to the room."""
        self.desk.submit(cmd.Ask(player, self._context.node, request, code), done)

    def depart(self, player: str, done: Done) -> None:
        """Let somebody give up the seat."""
        self.desk.submit(cmd.Depart(player), done)

    def act(self, player: str, action: AnyAction) -> bool:
        """Let a racer act; return False for somebody who does not race.

        Who raced in the race that is over may not know yet that its last action was accepted.
        """
        if self.track is not None:
            return self.track.act(player, action)
        race = self.room.race
        if race is None or player not in race.racers:
            return False
        ear = self.ears.get(player)
        if ear is not None:
            ear.charge(action.n)
        if self._late[player] < MOST_WAITING:
            self._late[player] += 1
            self._context.spawn(self._act_afterwards(race, player, action))
        elif ear is not None:
            ear.overran()
        return True

    async def _act_afterwards(self, race: Race, player: str, action: AnyAction) -> None:
        log = keys.game_log(self.code, race.number, player)
        board = deal(GameCode.parse(race.code))
        answer: FromServer | None
        try:
            answer = await remembered_answer(self._context.store, log, board, action)
        finally:
            self._late -= Counter([player])
        ear = self.ears.get(player)
        if ear is None:
            return
        if answer is None:
            code = RefusalCode.NOT_RACING
            answer = say.Refused(n=action.n, expected=0, code=code, text=code.text(ear.lang))
        ear.tell(answer)

    def turn_down(self, player: str, action: AnyAction, code: RefusalCode) -> bool:
        """Refuse a racer's action unseen; return False for somebody who does not race."""
        return self.track is not None and self.track.turn_down(player, action, code)

    async def game_of(self, player: str) -> tuple[int, GameView] | None:
        """Return the number of the race that runs now and a racer's game in it, as it is remembered."""
        while (track := self.track) is not None and player in track.seats:
            game = (await track.seats[player].fresh()).view()
            if track is self.track:  # otherwise the race has ended meanwhile
                return track.number, game
        return None

    # What people are told.

    def standings_wanted(self) -> None:
        """Send the standings soon, if there are any."""
        if self.track is not None:
            self._dirty(self)

    def send_standings(self) -> None:
        """Send the standings as they are now to everybody here, and what is new in them to other nodes."""
        track = self.track
        if track is None or self._unloaded:
            return
        rows = track.gone_on()
        if rows and (others := self.inboxes()):
            news = to_bytes(RacersWent(self.code, track.number, rows))
            notices = tuple(Publish(inbox, news) for inbox in others)
            with contextlib.suppress(JournalFull):  # the latest wins, and a log is read when a racer moves
                self._context.journal.submit(Commit((), notices))
        if not self.ears:
            return
        standings = track.standings(self.desk.told.settings.ranking)
        if track.crowded:
            for part, people in parts(standings, self.ears):
                tell_latest("standings", part, [self.ears[player] for player in people])
        else:
            tell_latest("standings", standings, self.ears.values())

    def heard(self, race: int, rows: tuple[Progress, ...], *, anew: bool) -> None:
        """Take another node's word for how far its racers have come."""
        if self.track is not None and self.track.number == race:
            self.track.heard(rows, anew=anew)

    def missed(self) -> None:
        """Look what other nodes have told that did not come here."""
        self.desk.suspect()
        if self.track is not None and not self._rereading:
            self._rereading = True
            self._context.spawn(self._reread(self.track))

    async def _reread(self, track: Track) -> None:
        try:
            await track.look_around()
        finally:
            self._rereading = False

    @property
    def crowded(self) -> bool:
        """Whether so many race that nobody is shown them all."""
        return self.track is not None and self.track.crowded

    def cut_off(self) -> None:
        """End every connection here: who comes back, perhaps to another node, is told how things are."""
        for ear in tuple(self.ears.values()):
            ear.failed()

    # What the room's log says.

    def _told(self, event: ev.Event, seq: int) -> None:
        message = tell.event(event, seq, self._context.now_ms())
        if message is not None:
            tell_all(message, self.ears.values())
        self._follow(event)
        self.clockwork.wait()

    def _follow(self, event: ev.Event) -> None:
        """Do what an event means for the connections, the games and the draw on this node."""
        match event:
            case ev.Left(player=player):
                ear = self.ears.pop(player, None)
                if ear is not None:
                    ear.left()
            case ev.WentAway(player=player) if player in self.ears:
                self.door.mark_back(player)  # another node took this one for dead
            case (ev.CameBack() | ev.Joined()) as came if came.node != self._context.node:
                ear = self.ears.pop(came.player, None)
                if ear is not None:
                    ear.replaced()
                if self.track is not None and came.player in self.track.seats:
                    self.track.seats[came.player].forget()
            case ev.CountdownBegan(node=node) if node == self._context.node:
                if self.room.named_code is None:
                    self.clockwork.draw(self.room.settings)
            case ev.Started():
                self._context.counts.races_started += 1
                self.track = self.make_track()
                self.track.leave_to_others(self.room)
                self.clockwork.race_began()
                self._dirty(self)
            case ev.Ended():
                self.track = None
            case _:
                pass

    def make_track(self) -> Track:
        """Return seats for the race that runs."""
        race = self.room.race
        if race is None:
            raise AssertionError("a track needs a race")
        self.clockwork.watch(race)
        return Track(
            self._context,
            self.desk,
            race,
            self.ears,
            lambda: self._dirty(self),
            went_back=self._setback.actions_lost,
        )

    def inboxes(self) -> list[str]:
        """Return the inboxes of the other nodes that somebody of this room is connected to."""
        room = self.desk.ahead
        if self._inboxes_of is not room or self._inboxes_at != room.length:
            self._inboxes_of, self._inboxes_at = room, room.length
            self._inboxes_then = [keys.inbox(node) for node in room.nodes() - {self._context.node}]
        return self._inboxes_then

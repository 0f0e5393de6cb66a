"""A room that lives on this node: its log's desk, its members' connections, its race, its timer."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final

from protocol import from_server as say
from protocol.codec import Codec
from protocol.errors import ErrorCode
from protocol.from_client import AnyAction, RoomRequest
from protocol.from_server import FromServer
from protocol.notices import NoticeCode
from protocol.parts import GameView, Phase
from protocol.refusals import RefusalCode
from server.core import commands as cmd
from server.core import events as ev
from server.core import people, racing, tell
from server.core.play import load
from server.core.room import Room
from server.rooms.closing import close_race
from server.rooms.context import Context, Ear
from server.rooms.desk import Answer, Desk, Done
from server.rooms.framing import framed
from server.rooms.news import Progress, RacersWent, to_bytes
from server.rooms.next_deal import NextDeal
from server.rooms.patience import patiently
from server.rooms.track import Track
from server.rooms.waiting import next_due
from server.store import keys
from server.store.journal import JournalFull
from server.store.port import Commit, Notice, Outcome

Entered = Callable[[ErrorCode | None], None]

WARNINGS_MS: Final = (300_000, 60_000)
"""What is left of a race when its racers are warned."""

_RETRY_S: Final = 0.05
"""Pause before something that is overdue, and under way, is looked at again."""


class LiveRoom:
    """One room on one node. `dirty` is called when its standings have changed."""

    def __init__(self, context: Context, code: str, dirty: Callable[["LiveRoom"], None]) -> None:
        self.code = code
        self.desk = Desk(context, code, self._told, self._inboxes)
        self.ears: dict[str, Ear] = {}
        self._coming: dict[str, list[Ear]] = {}
        self.track: Track | None = None
        self._context = context
        self._dirty = dirty
        self._next_deal = NextDeal(context, self._begin)
        self._closing = False
        self._rereading = False
        self._unloaded = False
        self._warned = 0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def room(self) -> Room:
        """The room as far as it is remembered."""
        return self.desk.told

    @property
    def idle(self) -> bool:
        """Whether this node need not keep the room in memory: nobody is here, and no race needs this node."""
        active = self.room.phase in (Phase.COUNTDOWN, Phase.RACING)
        busy = self._closing or self._coming or not self.desk.idle
        return not self.ears and not busy and not (active and not self._inboxes())

    async def load(self) -> bool:
        """Read the room from the store; return False if there is none."""
        await self.desk.load()
        if self.room.length == 0:
            return False
        race = self.room.race
        if race is not None and self.room.phase is Phase.RACING:
            self.track = self._make_track()
            await self.track.load()
            self.track.leave_to_others(self.room)
        self._wait()
        return True

    def unload(self) -> None:
        """Stop the timer; the room is not used any more."""
        self._unloaded = True
        if self._timer is not None:
            self._timer.cancel()

    # What people do.

    def enter(self, ear: Ear, enter: cmd.Enter, seen: int | None, ref: int, done: Entered) -> None:
        """Let somebody in or back in; when that is remembered, they get the room, or what they missed."""

        def entered(answer: Answer) -> None:
            if isinstance(answer, ErrorCode):
                self._came(enter.player, ear)
                done(answer)
            else:
                self._context.spawn(self._let_in(ear, enter.player, seen, ref, done))

        self._coming.setdefault(enter.player, []).append(ear)
        self.desk.submit(enter, entered, sure=True)

    def attach(self, ear: Ear, player: str, ref: int, done: Entered) -> None:
        """Give a new member here the whole room, and from then on every event; then call `done` with None.

        Or with a reason, for somebody who has lost the seat meanwhile.
        """
        self._coming.setdefault(player, []).append(ear)
        self._context.spawn(self._let_in(ear, player, None, ref, done))

    def ask(self, player: str, request: RoomRequest, code: str | None, done: Done) -> None:
        """Put a member's request to the room."""
        self.desk.submit(cmd.Ask(player, self._context.node, request, code), done)

    def depart(self, player: str, done: Done) -> None:
        """Let somebody give up the seat."""
        self.desk.submit(cmd.Depart(player), done)

    def drop(self, player: str, ear: Ear) -> None:
        """A connection ended; nothing happens if its player has a newer one, or is about to have it."""
        if self.ears.get(player) is ear:
            del self.ears[player]
            if player not in self._coming:
                self._drop(player)

    def _drop(self, player: str) -> None:
        def again_if_away(answer: Answer) -> None:
            if answer is ErrorCode.STORE_AWAY and player not in self.ears:
                asyncio.get_running_loop().call_later(_RETRY_S * 20, self._drop, player)

        self.desk.submit(cmd.Drop(player, self._context.node), again_if_away)

    def act(self, player: str, action: AnyAction) -> bool:
        """Let a racer act; return False for somebody who does not race."""
        return self.track is not None and self.track.act(player, action)

    def turn_down(self, player: str, action: AnyAction, code: RefusalCode) -> bool:
        """Refuse a racer's action unseen; return False for somebody who does not race."""
        return self.track is not None and self.track.turn_down(player, action, code)

    async def game_of(self, player: str) -> tuple[int, GameView] | None:
        """Return the number of the running race and a racer's game in it, as it is remembered."""
        track = self.track
        if track is None or player not in track.seats:
            return None
        log = track.seats[player].log
        entries = await patiently(lambda: self._context.store.read(log))
        return track.number, load(track.deal, entries).view()

    # What people are told.

    def send_standings(self) -> None:
        """Send the standings as they are now to everybody here, and what is new in them to other nodes."""
        if self.track is None or self._unloaded:
            return
        rows = self.track.gone_on()
        others = self._inboxes() if rows else []
        if others:
            news = to_bytes(RacersWent(self.code, self.track.number, rows))
            notices = tuple(Notice(inbox, news) for inbox in others)
            with contextlib.suppress(JournalFull):  # the latest wins, and a log is read when a racer moves
                self._context.journal.submit(Commit((), notices), _nobody_asks)
        if not self.ears:
            return
        standings = self.track.standings(self.room.settings.ranking)
        frames: dict[str, bytes] = {}
        for ear in self.ears.values():
            ear.pass_on_latest("standings", _frame_for(ear.codec, standings, frames))

    def heard(self, race: int, rows: tuple[Progress, ...]) -> None:
        """Take another node's word for how far its racers have come."""
        if self.track is not None and self.track.number == race:
            self.track.heard(rows)

    def missed(self) -> None:
        """Look what other nodes have told that did not come here."""
        self.desk.suspect()
        if self.track is not None and not self._rereading:
            self._rereading = True
            self._context.spawn(self._reread(self.track))

    async def _reread(self, track: Track) -> None:
        await track.look_elsewhere()
        self._rereading = False

    def _broadcast(self, message: FromServer) -> None:
        frames: dict[str, bytes] = {}
        for ear in self.ears.values():
            ear.pass_on(_frame_for(ear.codec, message, frames))

    async def _let_in(self, ear: Ear, player: str, seen: int | None, ref: int, done: Entered) -> None:
        refusal = await self._attach(ear, player, seen, ref)
        self._came(player, ear)
        done(refusal)

    async def _attach(self, ear: Ear, player: str, seen: int | None, ref: int) -> ErrorCode | None:
        game = await self._game_now(player)  # and nothing is waited for from here on
        room, now = self.room, self._context.now_ms()
        member = room.members.get(player)
        if member is None:
            return ErrorCode.KICKED if player in room.kicked else ErrorCode.NOT_IN_ROOM
        if member.node != self._context.node or self._coming[player][-1] is not ear:
            ear.replaced()
            return ErrorCode.NOT_IN_ROOM
        old = self.ears.get(player)
        if old is not None and old is not ear:
            old.replaced()
        missed = None if seen is None else self.desk.events_after(seen)
        if missed is None:
            self._context.counts.resumes["snapshot"] += 1
            ear.tell(tell.snapshot(room, player, now, game, ref))
        else:
            self._context.counts.resumes["events"] += 1
            ear.tell(say.Resumed(ref=ref, seq=room.length, clock=now, game=game))
            for seq, event in enumerate(missed, start=room.length - len(missed) + 1):
                message = tell.event(event, seq, now)
                if message is not None:
                    ear.tell(message)
        self.ears[player] = ear
        if self.track is not None:
            self._dirty(self)
        if member.away_since is not None:
            self._return(player)
        return None

    def _came(self, player: str, ear: Ear) -> None:
        """Somebody who was about to be here is, or has been refused."""
        coming = self._coming[player]
        coming.remove(ear)
        if not coming:
            del self._coming[player]
            if player not in self.ears:
                self._drop(player)  # if an older connection ended meanwhile

    def _return(self, player: str) -> None:
        """Tell the room that somebody is here whom it takes for gone."""

        def again_if_away(answer: Answer) -> None:
            if answer is ErrorCode.STORE_AWAY and player in self.ears:
                asyncio.get_running_loop().call_later(_RETRY_S * 20, self._return, player)

        self.desk.submit(cmd.Return(player, self._context.node), again_if_away)

    async def _game_now(self, player: str) -> GameView | None:
        """Return a racer's game in the race that runs at the moment of the return."""
        while True:
            track = self.track
            if track is None or player not in track.seats:
                return None
            game = (await track.seats[player].fresh()).view()
            if track is self.track:
                return game

    # What the room's log says.

    def _told(self, event: ev.Event, seq: int) -> None:
        message = tell.event(event, seq, self._context.now_ms())
        if message is not None:
            self._broadcast(message)
        self._follow(event)
        self._wait()

    def _follow(self, event: ev.Event) -> None:
        """Do what an event means for the connections, the games and the draw on this node."""
        match event:
            case ev.Left(player=player):
                ear = self.ears.pop(player, None)
                if ear is not None:
                    ear.left()
            case ev.WentAway(player=player) if player in self.ears:
                self._return(player)  # another node took this one for dead
            case (ev.CameBack() | ev.Joined()) as came if came.node != self._context.node:
                ear = self.ears.pop(came.player, None)
                if ear is not None:
                    ear.replaced()
                if self.track is not None and came.player in self.track.seats:
                    self.track.seats[came.player].forget()
            case ev.CountdownBegan(node=node) if node == self._context.node:
                if self.room.named_code is None:
                    self._next_deal.code_for(self.room.settings)
            case ev.Started():
                self._context.counts.races_started += 1
                self.track = self._make_track()
                self.track.leave_to_others(self.room)
                self._next_deal.use_up()
                self._dirty(self)
            case ev.Ended():
                self.track = None
            case _:
                pass

    def _make_track(self) -> Track:
        race = self.room.race
        if race is None:
            raise AssertionError("a track needs a race")
        self._warned = sum(left >= race.time_limit_ms for left in WARNINGS_MS)
        return Track(self._context, self.desk, race, self.ears, lambda: self._dirty(self))

    def _inboxes(self) -> list[str]:
        return [keys.inbox(node) for node in self.desk.ahead.nodes() if node != self._context.node]

    # What waiting brings about.

    def _wait(self) -> None:
        """Set the timer to the next thing that time alone brings about."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        now = self._context.now_ms()
        idle = self.track.idle_since() if self.track is not None else {}
        due = next_due(self.room, self._context.rules, self._context.node, idle, self._warning_at())
        if due is not None and not self._unloaded:
            pause = (due - now) / 1000 if due > now else _RETRY_S
            self._timer = asyncio.get_running_loop().call_later(pause, self._look)

    def _look(self) -> None:
        room, context = self.room, self._context
        now = context.now_ms()
        if room.phase is Phase.COUNTDOWN and now >= room.starts_at:
            self._begin()
        elif room.phase is Phase.RACING and self.track is not None and not self._closing:
            if racing.is_over(room, self.track.race, now, context.rules, self.track.idle_since()):
                self._closing = True
                context.spawn(self._close(self.track))
            elif (warning := self._warning_at()) is not None and now >= warning:
                self._warn(now)
        if people.tick(room, now, context.rules):
            self.desk.submit(cmd.Tick())
        self._wait()

    def _warning_at(self) -> int | None:
        if self.track is None or self._warned >= len(WARNINGS_MS):
            return None
        return self.track.race.ends_at - WARNINGS_MS[self._warned]

    def _warn(self, now: int) -> None:
        if self.track is None:
            return
        left = self.track.race.ends_at - now
        while self._warned < len(WARNINGS_MS) and left <= WARNINGS_MS[self._warned]:
            self._warned += 1
        if left >= WARNINGS_MS[-1] // 2:
            code = NoticeCode.TIME_WARNING
            for ear in self.ears.values():
                ear.tell(say.Notice(code=code, text=code.text(ear.lang), seconds=round(left / 1000)))

    def _begin(self) -> None:
        room = self.room
        if room.phase is not Phase.COUNTDOWN or self._context.now_ms() < room.starts_at:
            return
        code = room.named_code or self._next_deal.code_for(room.settings)
        if code is not None:
            self.desk.submit(cmd.Begin(code))

    async def _close(self, track: Track) -> None:
        aftermath = self._context.aftermath
        try:
            await patiently(lambda: aftermath.expect(self.code, track.number))
            closed = await close_race(self._context, self.desk, track)
        finally:
            self._closing = False
            self._wait()
        if closed:
            self._context.counts.races_over += 1
            await patiently(lambda: aftermath.project(self.code, track.number))


def _nobody_asks(_: Outcome) -> None:
    """Take no notice of an outcome."""


def _frame_for(codec: Codec, message: FromServer, frames: dict[str, bytes]) -> bytes:
    frame = frames.get(codec.subprotocol)
    if frame is None:
        frame = frames[codec.subprotocol] = framed(codec, message)
    return frame

"""All rooms of this node: opened, found, kept in memory while they are used, and minded.

Every room stands on the store's agenda with the time when somebody must look at it. While it lives on a node,
that node moves the time on before it comes; when the node dies, another finds it there, and goes on. So no
race is for ever in progress, and no room stays in the store that nobody comes back to.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final

from protocol.parts import Phase
from server.core import codes
from server.core import commands as cmd
from server.rooms.context import Context
from server.rooms.desk import Answer
from server.rooms.live import LiveRoom
from server.rooms.news import RacersWent, RoomGrew
from server.rooms.pace import Pace
from server.rooms.patience import patiently
from server.rooms.tidy import game_logs, replayed
from server.store import keys
from server.store.port import Append, Commit, Committed, StoreTrouble
from server.tasks import repeat_every, report_exceptions

MINDED_MS: Final = 60_000
"""How long a room is left to its node before others look whether that still lives."""

SWEEP_S: Final = 5.0
"""Pause between two looks at the agenda."""

STANDINGS_S: Final = 0.05
"""Least pause between two standings of the same room."""

CROWD_STANDINGS_S: Final = 0.1
"""The same for a room of which nobody is shown all racers."""


class Hall:
    """The rooms of one node."""

    def __init__(
        self, context: Context, below: Callable[[int], int], *, most_rooms: int, keep_ms: int
    ) -> None:
        self._context = context
        self._below = below
        self._most_rooms = most_rooms
        self._keep_ms = keep_ms
        self._rooms: dict[str, LiveRoom] = {}
        self._minded: dict[str, int] = {}
        self._loading: dict[str, asyncio.Future[LiveRoom | None]] = {}
        self._pace = Pace(LiveRoom.send_standings, STANDINGS_S)
        self._pace_of_crowds = Pace(LiveRoom.send_standings, CROWD_STANDINGS_S)

    @property
    def full(self) -> bool:
        """Whether no further room can be opened here."""
        return len(self._rooms) >= self._most_rooms

    def open(
        self,
        command: cmd.Open,
        password: Callable[[str], str | None],
        done: Callable[[LiveRoom | None, Answer], None],
    ) -> None:
        """Open a room under a code that nobody has; `done` gets it once it is remembered.

        `password` gives the hash of the room's password, salted with its code.
        """
        code = codes.draw(self._below)
        room = LiveRoom(self._context, code, self._on_dirty)

        def opened(answer: Answer) -> None:
            if isinstance(answer, list):
                self._context.counts.rooms_opened += 1
                done(self._adopted(room), answer)
            else:
                self._forget_unopened(code)
                done(None, answer)

        def taken() -> None:
            self._forget_unopened(code)
            room.unload()
            self.open(command, password, done)

        opening = cmd.Open(
            command.player, command.name, command.node, command.settings, command.code, password(code)
        )

        async def submit() -> None:
            # On the agenda first: a room that nobody looks after must not outlive a crash in this instant.
            await self._keep_minded(code)
            room.desk.submit(opening, opened, (), taken)

        self._context.spawn(submit())

    def _forget_unopened(self, code: str) -> None:
        if code not in self._rooms:  # the room that has the code may be here as well
            self._minded.pop(code, None)

    async def find(self, code: str) -> LiveRoom | None:
        """Return the room of a code, read from the store if it is not here; None if there is none."""
        room = self._rooms.get(code)
        if room is not None:
            return None if room.vanished else room
        loading = self._loading.get(code)
        return await (self._at_once(code, self._load(code)) if loading is None else asyncio.shield(loading))

    def heard(self, news: RoomGrew | RacersWent) -> None:
        """Take another node's news of a room."""
        room = self._rooms.get(news.room)
        if room is None:
            return
        if isinstance(news, RoomGrew):
            room.desk.heard_of(news.length)
        else:
            room.heard(news.race, news.rows, anew=news.anew)

    def missed(self) -> None:
        """Messages to this node's inbox may have been lost: look at every room."""
        for room in self._rooms.values():
            room.missed()

    def close(self) -> None:
        """Let no timer of a room go off any more."""
        for room in self._rooms.values():
            room.unload()

    async def run(self) -> None:
        """Mind the rooms on the agenda, for ever."""
        await repeat_every(self.sweep, SWEEP_S)

    async def sweep(self) -> None:
        """Look at every room here, and at those anywhere whose time has come. Raises StoreTrouble."""
        now = self._context.now_ms()
        await self._drop_dead_nodes()
        for code, room in tuple(self._rooms.items()):
            if self._minded[code] - now < MINDED_MS // 2:
                with report_exceptions():
                    await self._mind(code, room)
        for code in await self._context.store.due(keys.rooms_agenda(), now, 200):
            if not self._is_here(code):
                with report_exceptions():
                    await self._mind_absent_or_later(code)

    async def _load(self, code: str) -> LiveRoom | None:
        room = LiveRoom(self._context, code, self._on_dirty)
        if not await room.load():
            return None
        room = self._adopted(room)
        await self._keep_minded(code)
        return room

    def _adopted(self, room: LiveRoom) -> LiveRoom:
        """Take a room in; return it, or the one of the same code that has come here meanwhile.

        A room that has just been opened can be found in the store before we hear that it is there.
        """
        here = self._rooms.setdefault(room.code, room)
        if here is not room:
            room.unload()
        self._minded.setdefault(room.code, 0)
        self._context.counts.rooms = len(self._rooms)
        return here

    def _is_here(self, code: str) -> bool:
        return code in self._rooms or code in self._loading

    async def _at_once(self, code: str, work: Coroutine[Any, Any, LiveRoom | None]) -> LiveRoom | None:
        """Bring a room here, or make sure that it is gone; whoever looks for it meanwhile waits for that."""
        loading = self._loading[code] = asyncio.ensure_future(work)
        loading.add_done_callback(lambda _: self._loading.pop(code, None))
        return await asyncio.shield(loading)

    async def _keep_minded(self, code: str) -> None:
        """Let the other nodes leave a room to this one for a while."""
        at = self._minded[code] = self._context.now_ms() + MINDED_MS
        await patiently(lambda: self._context.store.schedule(keys.rooms_agenda(), code, at))

    async def _mind(self, code: str, room: LiveRoom) -> None:
        if room.idle:
            del self._rooms[code], self._minded[code]
            self._context.counts.rooms = len(self._rooms)
            room.unload()
            await self._mind_absent(code)
        if code in self._rooms:
            await self._keep_minded(code)

    async def _mind_absent_or_later(self, code: str) -> None:
        """Put a room off that cannot be read: the others behind it on the agenda must have their turn."""
        try:
            await self._mind_absent(code)
        except StoreTrouble:
            raise
        except Exception:
            later = self._context.now_ms() + MINDED_MS
            await self._context.store.schedule(keys.rooms_agenda(), code, later)
            raise

    async def _mind_absent(self, code: str) -> None:
        """Look at a room that is not here: go on with its race, leave it to its node, or let it go."""
        store, agenda, now = self._context.store, keys.rooms_agenda(), self._context.now_ms()
        entries = await store.read(keys.room_log(code))
        room = replayed(code, entries)
        elsewhere = room.nodes() - {self._context.node}
        dead = await self._context.dead(elsewhere) if elsewhere else set()
        if dead is None or self._is_here(code):
            return  # it is still due in the next sweep
        if elsewhere - dead:
            await store.schedule(agenda, code, now + MINDED_MS)
        elif room.phase in (Phase.COUNTDOWN, Phase.RACING):
            await self.find(code)
        elif now - room.changed_at < self._keep_ms:
            await store.schedule(agenda, code, room.changed_at + self._keep_ms)
        else:
            await self._let_go(code, entries, now)

    async def _let_go(self, code: str, entries: list[bytes], now: int) -> None:
        """Remove a room with all its races, if nobody has come into it meanwhile."""
        store = self._context.store
        lengths = {keys.room_log(code): len(entries)}
        for log in game_logs(code, entries):
            lengths[log] = await store.length(log)
        removals = tuple(Append(log, length, (), keep_s=0) for log, length in lengths.items())

        async def removed() -> LiveRoom | None:
            (outcome,) = await store.commit([Commit(removals)])
            if not isinstance(outcome, Committed):
                return await self._load(code)
            await store.unschedule(keys.rooms_agenda(), code, now)
            return None

        if not self._is_here(code):
            await self._at_once(code, removed())

    async def _drop_dead_nodes(self) -> None:
        """Let everybody be away whose node is dead."""
        others = set().union(*(room.room.nodes() for room in self._rooms.values())) - {self._context.node}
        dead = await self._context.dead(others) if others else None
        if dead:
            for room in self._rooms.values():
                if not dead.isdisjoint(room.room.nodes()):
                    room.desk.submit(cmd.DropNodes(frozenset(dead)))

    def _on_dirty(self, room: LiveRoom) -> None:
        pace = self._pace_of_crowds if room.crowded else self._pace
        pace.want(room)

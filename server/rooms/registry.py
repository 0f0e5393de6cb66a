"""Registry of the rooms loaded on this node: open, find, keep, unload, remove.

The store has a schedule of all rooms, each with the time when a node must look at it. The node that has a
room loaded postpones that time before it comes. When the node dies, another one finds the room due and takes
it over. So every race ends, and a room that nobody returns to is removed.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final

from protocol.parts import Phase
from server.core import commands as cmd
from server.core import room_codes
from server.rooms.context import RoomContext
from server.rooms.live_room import LiveRoom
from server.rooms.node_messages import RaceProgressed, RoomLogGrew
from server.rooms.retry import retry_while_unavailable
from server.rooms.room_log import Answer
from server.rooms.stored_room import game_logs, replayed
from server.rooms.throttle import Throttle
from server.store import keys
from server.store.port import Append, Commit, Committed, StoreError
from server.tasks import repeat_every, report_exceptions

RENEWAL_MS: Final = 60_000
"""After this long without a renewal, other nodes look at a room. It is no lock: every commit is checked."""

SWEEP_S: Final = 5.0
"""Pause between two sweeps."""

STANDINGS_S: Final = 0.05
"""Least interval between two standings of one room."""

WINDOWS_S: Final = 0.1
"""The same for a room whose standings are sent in windows."""


class RoomRegistry:
    """The rooms of one node."""

    def __init__(
        self, context: RoomContext, below: Callable[[int], int], *, max_rooms: int, keep_ms: int
    ) -> None:
        self._context = context
        self._below = below  # random source: below(n) returns 0 to n - 1
        self._max_rooms = max_rooms
        self._keep_ms = keep_ms  # how long an empty room is kept
        self._rooms: dict[str, LiveRoom] = {}
        self._due_ms: dict[str, int] = {}  # when the schedule lets other nodes look at each room here
        self._loading: dict[str, asyncio.Future[LiveRoom | None]] = {}
        self._standings = Throttle(LiveRoom.send_standings, STANDINGS_S)
        self._windows = Throttle(LiveRoom.send_standings, WINDOWS_S)

    @property
    def full(self) -> bool:
        """Whether no further room can be opened here."""
        return len(self._rooms) >= self._max_rooms

    def open(
        self,
        command: cmd.OpenRoom,
        password: Callable[[str], str | None],
        done: Callable[[LiveRoom | None, Answer], None],
    ) -> None:
        """Open a room under a free code; `done` gets it once that is committed.

        `password` returns the hash of the room's password, salted with its code.
        """
        code = room_codes.draw(self._below)
        room = LiveRoom(self._context, code, self._standings_changed)

        def opened(answer: Answer) -> None:
            if isinstance(answer, list):
                self._context.counters.rooms_opened += 1
                done(self._adopt(room), answer)
            else:
                self._forget_unopened(code)
                done(None, answer)

        def code_taken() -> None:
            self._forget_unopened(code)
            room.unload()
            self.open(command, password, done)

        opening = cmd.OpenRoom(
            command.player, command.name, command.node, command.settings, command.code, password(code)
        )

        async def submit() -> None:
            # On the schedule first: otherwise, after a crash at this moment, no node would find the room.
            await self._renew(code)
            room.log.submit_with(opening, opened, (), code_taken)

        self._context.spawn(submit())

    def _forget_unopened(self, code: str) -> None:
        if code not in self._rooms:  # the room that has the code may be loaded here as well
            self._due_ms.pop(code, None)

    async def find(self, code: str) -> LiveRoom | None:
        """Return the room of a code, loaded if it is not here; None if there is none. Raises StoreError."""
        room = self._rooms.get(code)
        if room is not None:
            return None if room.vanished else room
        loading = self._loading.get(code)
        return await (
            self._exclusively(code, self._load(code)) if loading is None else asyncio.shield(loading)
        )

    def receive(self, message: RoomLogGrew | RaceProgressed) -> None:
        """Apply another node's message to the room that it is about."""
        room = self._rooms.get(message.room)
        if room is None:
            return
        if isinstance(message, RoomLogGrew):
            room.log.report_length(message.length)
        else:
            room.report_progress(message.race, message.rows, rolled_back=message.rolled_back)

    def read_again(self) -> None:
        """Read the logs of all rooms again: messages to this node's inbox may be lost."""
        for room in self._rooms.values():
            room.read_again()

    def close(self) -> None:
        """Stop the timers of all rooms."""
        for room in self._rooms.values():
            room.unload()

    async def run(self) -> None:
        """Sweep at intervals until cancelled."""
        await repeat_every(self.sweep, SWEEP_S)

    async def sweep(self) -> None:
        """Check every room on this node, and every room on the schedule that is due. Raises StoreError."""
        now = self._context.now_ms()
        await self._disconnect_dead_nodes()
        for code, room in tuple(self._rooms.items()):
            if self._due_ms[code] - now < RENEWAL_MS // 2:
                with report_exceptions():
                    await self._look_after(code, room)
        for code in await self._context.store.due(keys.rooms_schedule(), now, 200):
            if not self._is_here(code):
                with report_exceptions():
                    await self._take_over_or_postpone(code)

    async def _load(self, code: str) -> LiveRoom | None:
        room = LiveRoom(self._context, code, self._standings_changed)
        if not await room.load():
            return None
        room = self._adopt(room)
        await self._renew(code)
        return room

    def _adopt(self, room: LiveRoom) -> LiveRoom:
        """Register a room; return it, or the one of the same code that was registered meanwhile.

        A room that has just been opened can be found in the store before its commit is reported here.
        """
        here = self._rooms.setdefault(room.code, room)
        if here is not room:
            room.unload()
        self._due_ms.setdefault(room.code, 0)
        self._context.counters.rooms = len(self._rooms)
        return here

    def _is_here(self, code: str) -> bool:
        return code in self._rooms or code in self._loading

    async def _exclusively(self, code: str, work: Coroutine[Any, Any, LiveRoom | None]) -> LiveRoom | None:
        """Load or remove a room; others who look for it meanwhile wait for the same result."""
        loading = self._loading[code] = asyncio.ensure_future(work)
        loading.add_done_callback(lambda _: self._loading.pop(code, None))
        return await asyncio.shield(loading)

    async def _renew(self, code: str) -> None:
        """Postpone a room on the schedule, so that other nodes leave it to this one."""
        at = self._due_ms[code] = self._context.now_ms() + RENEWAL_MS
        await retry_while_unavailable(lambda: self._context.store.schedule(keys.rooms_schedule(), code, at))

    async def _look_after(self, code: str, room: LiveRoom) -> None:
        if room.idle:
            del self._rooms[code], self._due_ms[code]
            self._context.counters.rooms = len(self._rooms)
            room.unload()
            await self._take_over(code)
        if code in self._rooms:
            await self._renew(code)

    async def _take_over_or_postpone(self, code: str) -> None:
        """Take over a room, or postpone it if it cannot be read, so that it does not block others."""
        try:
            await self._take_over(code)
        except StoreError:
            raise
        except Exception:
            later = self._context.now_ms() + RENEWAL_MS
            await self._context.store.schedule(keys.rooms_schedule(), code, later)
            raise

    async def _take_over(self, code: str) -> None:
        """Continue the race of a room that is not loaded, leave it to its node, or remove it."""
        store, schedule, now = self._context.store, keys.rooms_schedule(), self._context.now_ms()
        entries = await store.read(keys.room_log(code))
        room = replayed(code, entries)
        elsewhere = room.nodes() - {self._context.node}
        dead = await self._context.dead(elsewhere) if elsewhere else set()
        if dead is None or self._is_here(code):
            return  # it is still due in the next sweep
        if elsewhere - dead:
            await store.schedule(schedule, code, now + RENEWAL_MS)
        elif room.phase in (Phase.COUNTDOWN, Phase.RACING):
            await self.find(code)
        elif now - room.changed_at_ms < self._keep_ms:
            await store.schedule(schedule, code, room.changed_at_ms + self._keep_ms)
        else:
            await self._remove(code, entries, now)

    async def _remove(self, code: str, entries: list[bytes], now: int) -> None:
        """Remove a room with all its races, unless a member has entered it meanwhile."""
        store = self._context.store
        lengths = {keys.room_log(code): len(entries)}
        for log in game_logs(code, entries):
            lengths[log] = await store.length(log)
        removals = tuple(Append(log, length, (), ttl_s=0) for log, length in lengths.items())

        async def removed() -> LiveRoom | None:
            (outcome,) = await store.commit([Commit(removals)])
            if not isinstance(outcome, Committed):
                return await self._load(code)
            await store.unschedule(keys.rooms_schedule(), code, now)
            return None

        if not self._is_here(code):
            await self._exclusively(code, removed())

    async def _disconnect_dead_nodes(self) -> None:
        """Mark as disconnected the members whose connections dead nodes held."""
        others = set().union(*(room.room.nodes() for room in self._rooms.values())) - {self._context.node}
        dead = await self._context.dead(others) if others else None
        if dead:
            for room in self._rooms.values():
                if not dead.isdisjoint(room.room.nodes()):
                    room.log.submit(cmd.DisconnectNodes(frozenset(dead)))

    def _standings_changed(self, room: LiveRoom) -> None:
        throttle = self._windows if room.has_windows else self._standings
        throttle.request(room)

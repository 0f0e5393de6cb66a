"""Room timers: start of a race, time warnings, end of a race, host hand-over, expiry of seats."""

import asyncio
from typing import Final

from protocol import from_server as say
from protocol.notices import NoticeCode
from protocol.parts import Phase, Settings
from server.core import commands as cmd
from server.core import members, racing
from server.core.room import Race
from server.rooms.context import RoomContext
from server.rooms.due import next_due
from server.rooms.membership import Membership
from server.rooms.next_deal import NextDeal
from server.rooms.ports import TimedRoom
from server.rooms.race.closing import close_race
from server.rooms.race.live_race import LiveRace
from server.rooms.retry import retry_while_unavailable
from server.rooms.room_log import RoomLog

WARNINGS_MS: Final = (300_000, 60_000)
"""Time left of a race when its racers are warned."""

UNREADABLE_S: Final = 10.0
"""Pause before a race that is over and could not be closed is tried again."""

_RETRY_S: Final = 0.05
"""Pause before an overdue deadline is checked again, for example while its command has no answer yet."""


class RoomTimers:
    """The timer of a room on this node, set to the next deadline. `closing`: a race is being ended."""

    def __init__(self, context: RoomContext, log: RoomLog, membership: Membership, room: TimedRoom) -> None:
        self.closing = False
        self._context = context
        self._log = log
        self._membership = membership
        self._room = room
        self._next_deal = NextDeal(context, self._start_race)
        self._warned = 0  # how many of WARNINGS_MS have been sent
        self._stopped = False
        self._submitted: set[type[cmd.Command]] = set()  # commands without an answer yet
        self._timer: asyncio.TimerHandle | None = None

    def stop(self) -> None:
        """Cancel the timer; it is not set again."""
        self._stopped = True
        if self._timer is not None:
            self._timer.cancel()

    def draw(self, settings: Settings) -> None:
        """Draw a deal, to have it when the countdown is over."""
        self._next_deal.code_for(settings)

    def race_started(self) -> None:
        """Discard the deal that was drawn: the next race gets another one."""
        self._next_deal.discard()

    def watch(self, race: Race) -> None:
        """Warn the racers of this race from now on; a short race has no warning at its very start."""
        self._warned = sum(left >= race.time_limit_ms for left in WARNINGS_MS)

    def reschedule(self) -> None:
        """Set the timer to the next deadline."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        context, race = self._context, self._room.race
        now = context.now_ms()
        idle_since_ms = race.idle_since_ms() if race is not None else {}
        due = next_due(
            self._log.committed_state, context.rules, context.node, idle_since_ms, self._warning_at_ms()
        )
        if due is not None and not self._stopped:
            pause = (due - now) / 1000 if due > now else _RETRY_S
            self._timer = asyncio.get_running_loop().call_later(pause, self._check)

    def _check(self) -> None:
        """Do what is due."""
        context, race = self._context, self._room.race
        room, now = self._log.committed_state, context.now_ms()
        if room.phase is Phase.COUNTDOWN and now >= room.starts_at_ms:
            self._start_race()
        elif room.phase is Phase.RACING and race is not None and not self.closing:
            if racing.is_over(room, race.race, now, context.rules, race.idle_since_ms()):
                self.closing = True
                context.spawn(self._close(race))
            elif (warning := self._warning_at_ms()) is not None and now >= warning:
                self._warn(race.race.ends_at_ms - now)
        if members.apply_time_rules(room, now, context.rules):
            self._submit(cmd.Tick())
        self.reschedule()

    def _submit(self, command: cmd.Tick | cmd.StartRace) -> None:
        """Submit a command, unless one of its kind has no answer yet.

        An overdue deadline is checked many times a second, and the store may be unavailable for hours.
        """
        kind = type(command)
        if kind not in self._submitted:
            self._submitted.add(kind)
            self._log.submit(command, lambda _: self._submitted.discard(kind))

    def _warning_at_ms(self) -> int | None:
        race = self._room.race
        if race is None or self._warned >= len(WARNINGS_MS):
            return None
        return race.race.ends_at_ms - WARNINGS_MS[self._warned]

    def _warn(self, left_ms: int) -> None:
        while self._warned < len(WARNINGS_MS) and left_ms <= WARNINGS_MS[self._warned]:
            self._warned += 1
        if left_ms >= WARNINGS_MS[-1] // 2:
            code = NoticeCode.TIME_WARNING
            for subscriber in self._membership.subscribers.values():
                text = code.text(subscriber.lang)
                subscriber.send(say.Notice(code=code, text=text, remaining_ms=left_ms))

    def _start_race(self) -> None:
        room = self._log.committed_state
        if room.phase is not Phase.COUNTDOWN or self._context.now_ms() < room.starts_at_ms:
            return
        code = room.named_code or self._next_deal.code_for(room.settings)
        if code is not None:
            self._submit(cmd.StartRace(code))

    async def _close(self, race: LiveRace) -> None:
        finished_races = self._context.finished_races
        try:
            await retry_while_unavailable(lambda: finished_races.expect(race.room, race.number))
            closed = await close_race(self._context, self._log, race)
        except Exception:  # for example a racer's log that a newer server has written
            asyncio.get_running_loop().call_later(UNREADABLE_S, self._closed)
            raise
        self._closed()
        if closed:
            self._context.counters.races_ended += 1
            await retry_while_unavailable(lambda: finished_races.project(race.room, race.number))

    def _closed(self) -> None:
        self.closing = False
        self.reschedule()

"""What time alone brings about in a room: the start, warnings, the end, hand-overs, seats that expire."""

import asyncio
from typing import TYPE_CHECKING, Final

from protocol import from_server as say
from protocol.notices import NoticeCode
from protocol.parts import Phase, Settings
from server.core import commands as cmd
from server.core import people, racing
from server.core.room import Race
from server.rooms.context import Context
from server.rooms.due import next_due
from server.rooms.next_deal import NextDeal
from server.rooms.race.closing import close_race
from server.rooms.race.live_race import Track
from server.rooms.retry import patiently

if TYPE_CHECKING:
    from server.rooms.live_room import LiveRoom

WARNINGS_MS: Final = (300_000, 60_000)
"""What is left of a race when its racers are warned."""

UNREADABLE_S: Final = 10.0
"""Pause before a race that is over and cannot be closed is tried again."""

_RETRY_S: Final = 0.05
"""Pause before something that is overdue, and under way, is looked at again."""


class Clockwork:
    """The one timer of a room on this node, set to the next thing that is due."""

    def __init__(self, context: Context, live: "LiveRoom") -> None:
        self.closing = False
        self._context = context
        self._live = live
        self._next_deal = NextDeal(context, self._begin)
        self._warned = 0
        self._stopped = False
        self._asked: set[type[cmd.Command]] = set()
        self._timer: asyncio.TimerHandle | None = None

    def stop(self) -> None:
        """Let nothing be brought about any more."""
        self._stopped = True
        if self._timer is not None:
            self._timer.cancel()

    def draw(self, settings: Settings) -> None:
        """Have a deal ready when the countdown is over."""
        self._next_deal.code_for(settings)

    def race_began(self) -> None:
        """Let the race after this one have another deal."""
        self._next_deal.use_up()

    def watch(self, race: Race) -> None:
        """Warn the racers of this race from now on; a short race has no warning at its very start."""
        self._warned = sum(left >= race.time_limit_ms for left in WARNINGS_MS)

    def wait(self) -> None:
        """Set the timer to the next thing that time alone brings about."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        live, context = self._live, self._context
        now = context.now_ms()
        idle = live.track.idle_since_ms() if live.track is not None else {}
        due = next_due(live.room, context.rules, context.node, idle, self._warning_at())
        if due is not None and not self._stopped:
            pause = (due - now) / 1000 if due > now else _RETRY_S
            self._timer = asyncio.get_running_loop().call_later(pause, self._look)

    def _look(self) -> None:
        live, context = self._live, self._context
        room, now = live.room, context.now_ms()
        if room.phase is Phase.COUNTDOWN and now >= room.starts_at_ms:
            self._begin()
        elif room.phase is Phase.RACING and live.track is not None and not self.closing:
            if racing.is_over(room, live.track.race, now, context.rules, live.track.idle_since_ms()):
                self.closing = True
                context.spawn(self._close(live.track))
            elif (warning := self._warning_at()) is not None and now >= warning:
                self._warn(live.track.race.ends_at_ms - now)
        if people.tick(room, now, context.rules):
            self._bring_about(cmd.Tick())
        self.wait()

    def _bring_about(self, command: cmd.Tick | cmd.StartRace) -> None:
        """Ask the room for what is due, once until it has answered.

        What is overdue is looked at many times a second, and the store may be away for hours.
        """
        kind = type(command)
        if kind not in self._asked:
            self._asked.add(kind)
            self._live.desk.submit(command, lambda _: self._asked.discard(kind))

    def _warning_at(self) -> int | None:
        track = self._live.track
        if track is None or self._warned >= len(WARNINGS_MS):
            return None
        return track.race.ends_at_ms - WARNINGS_MS[self._warned]

    def _warn(self, left: int) -> None:
        while self._warned < len(WARNINGS_MS) and left <= WARNINGS_MS[self._warned]:
            self._warned += 1
        if left >= WARNINGS_MS[-1] // 2:
            code = NoticeCode.TIME_WARNING
            for ear in self._live.ears.values():
                ear.tell(say.Notice(code=code, text=code.text(ear.lang), remaining_ms=left))

    def _begin(self) -> None:
        room = self._live.room
        if room.phase is not Phase.COUNTDOWN or self._context.now_ms() < room.starts_at_ms:
            return
        code = room.named_code or self._next_deal.code_for(room.settings)
        if code is not None:
            self._bring_about(cmd.StartRace(code))

    async def _close(self, track: Track) -> None:
        aftermath, code = self._context.aftermath, self._live.code
        try:
            await patiently(lambda: aftermath.expect(code, track.number))
            closed = await close_race(self._context, self._live.desk, track)
        except Exception:  # say a racer's log that a newer server has written
            asyncio.get_running_loop().call_later(UNREADABLE_S, self._go_on)
            raise
        self._go_on()
        if closed:
            self._context.counts.races_over += 1
            await patiently(lambda: aftermath.project(code, track.number))

    def _go_on(self) -> None:
        self.closing = False
        self.wait()

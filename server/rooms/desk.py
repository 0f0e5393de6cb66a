"""One room's log: decide, remember, tell.

Two copies of the room: `ahead` contains what was sent to the store, and decides; `told` contains only
what the store has remembered, and speaks. They are the same whenever nothing is under way.
"""

import sys
from collections import deque
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from protocol.errors import ErrorCode
from protocol.refusals import RefusalCode
from server.core import events as ev
from server.core.commands import Command, Open
from server.core.decide import decide
from server.core.room import Room, fold
from server.rooms.context import Context
from server.rooms.news import RoomGrew, to_bytes
from server.rooms.patience import patiently
from server.store import keys
from server.store.journal import JournalFull
from server.store.port import Append, Commit, Committed, Outcome, Publish

Answer = list[ev.Event] | ErrorCode | RefusalCode
Done = Callable[[Answer], None]

REPLAYED: Final = 500
"""Most events that are replayed to somebody who comes back; who missed more gets a snapshot."""

MOST_WAITING: Final = 2_000
"""Most commands that wait for the log to be read; more are refused as if the store were away."""

FIRST_PAUSE_MS: Final = 1_000
LONGEST_PAUSE_MS: Final = 60_000
"""Pauses before a log that could not be read is read again, each twice as long as the one before."""

CHECKED: Final = 20
"""Of how many events that were told last it is looked whether they still stand in a log that is in doubt."""

_UNKNOWN: Final = sys.maxsize
"""Length of a log that may have grown, nobody knows by how much."""


def _nobody_asks(_: Answer) -> None:
    """Take no notice of an answer."""


class Pending(NamedTuple):
    """A command on its way: what to do with its answer, or, where that is given, with a conflict."""

    command: Command
    done: Done
    appends: tuple[Append, ...]
    conflicted: Callable[[], None] | None
    sure: bool
    void: Callable[[], bool] | None
    answer: Answer = []  # noqa: RUF012 - never changed

    @property
    def events(self) -> list[ev.Event]:
        """What came of the command."""
        return self.answer if isinstance(self.answer, list) else []


class Desk:
    """The writer of one room on this node."""

    def __init__(
        self,
        context: Context,
        code: str,
        tell: Callable[[ev.Event, int], None],
        inboxes: Callable[[], list[str]],
        lost: Callable[[], None],
        *,
        went_back: Callable[[int], None],
    ) -> None:
        self.log = keys.room_log(code)
        self.ahead = Room(code)
        self.told = Room(code)
        self._context = context
        self._tell = tell
        self._inboxes = inboxes
        self._lost = lost
        self._went_back = went_back
        self._inflight: deque[Pending] = deque()
        self._again: list[Pending] = []
        self._waiting: list[Pending] = []
        self._catching_up = False
        self._heard_of = 0
        self._failures = 0
        self._read_again_at = 0
        self._latest: deque[ev.Event] = deque(maxlen=REPLAYED)
        self._void: list[range] = []  # numbers of lost events: they may be used again for others

    @property
    def idle(self) -> bool:
        """Whether nothing is under way."""
        return not (self._inflight or self._again or self._waiting or self._catching_up)

    async def load(self) -> None:
        """Read the whole log. Raises StoreError."""
        for entry in await self._context.store.read(self.log):
            event = ev.from_bytes(entry)
            fold(self.ahead, event)
            fold(self.told, event)
            self._latest.append(event)

    def events_after(self, seq: int) -> list[ev.Event] | None:
        """Return what has happened after an event; None for too much, or if it is not known to have happened.

        Numbers of events that the store has lost are used again, so who comes with one has heard of either.
        """
        missed = self.told.length - seq
        if not 0 <= missed <= len(self._latest) or any(seq in lost for lost in self._void):
            return None
        return list(self._latest)[len(self._latest) - missed :]

    def submit(
        self,
        command: Command,
        done: Done = _nobody_asks,
        appends: tuple[Append, ...] = (),
        conflicted: Callable[[], None] | None = None,
        *,
        sure: bool = False,
        void: Callable[[], bool] | None = None,
    ) -> None:
        """Decide a command now and remember what comes of it; `done` gets its events or its refusal.

        `appends` to other logs are made in the same commit, if there are events and it is made. After a
        conflict the command is decided again on what the log says then, unless `conflicted` is given: that is
        called instead; so it is for a command that had to wait and of which `void` then says that what it
        stood on never came to be. With `sure` nobody is told of a refusal, or that nothing happens, before it
        is certain that no other node has written what would make a difference.
        """
        pending = Pending(command, done, appends, conflicted, sure, void)
        if self._failures:
            self._start_catching_up()
        if self._catching_up or self._again:
            self._wait(pending)
        elif self._failures:
            done(ErrorCode.STORE_AWAY)
        else:
            self._decide(pending)

    def heard_of(self, length: int) -> None:
        """Another node has made the log so long; catch up if we are behind."""
        self._heard_of = max(self._heard_of, length)
        if self._heard_of > self.told.length and not self._inflight:
            self._start_catching_up()

    def suspect(self) -> None:
        """Look whether another node has written the log."""
        self.heard_of(_UNKNOWN)

    def _wait(self, pending: Pending) -> None:
        if len(self._waiting) < MOST_WAITING:
            self._waiting.append(pending)
        else:
            pending.done(ErrorCode.STORE_AWAY)

    def _decide(self, pending: Pending) -> None:
        context = self._context
        pending = pending._replace(answer=self._answer_to(pending.command))
        events = pending.events
        if not events and not pending.sure and not (self._inflight and pending.answer == []):
            pending.done(pending.answer)
            return
        own = Append(self.log, self.ahead.length, [ev.to_bytes(event) for event in events])
        inboxes = self._inboxes() if events else ()
        news = self._news(inboxes, self.ahead.length + len(events)) if inboxes else ()
        try:
            context.journal.submit(Commit((own, *pending.appends) if events else (own,), news), self._outcome)
        except JournalFull:
            pending.done(ErrorCode.STORE_AWAY)
            return
        for event in events:
            fold(self.ahead, event)
        self._inflight.append(pending)

    def _answer_to(self, command: Command) -> Answer:
        if self.ahead.length == 0 and not isinstance(command, Open):
            return ErrorCode.NO_SUCH_ROOM  # the store has lost it, or it was let go
        context = self._context
        return decide(self.ahead, command, context.now_ms(), context.rules)

    def _news(self, inboxes: Sequence[str], length: int) -> tuple[Publish, ...]:
        payload = to_bytes(RoomGrew(self.ahead.code, length))
        return tuple(Publish(inbox, payload) for inbox in inboxes)

    def _outcome(self, outcome: Outcome) -> None:
        pending = self._inflight.popleft()
        if isinstance(outcome, Committed):
            for event in pending.events:
                self._remembered(event)
            pending.done(pending.answer)
        else:
            self._again.append(pending)
        if not self._inflight and (self._again or self._heard_of > self.told.length):
            self._start_catching_up()

    def _remembered(self, event: ev.Event) -> None:
        fold(self.told, event)
        self._latest.append(event)
        self._tell(event, self.told.length)

    def _start_catching_up(self) -> None:
        if not self._catching_up and self._context.now_ms() >= self._read_again_at:
            self._catching_up = True
            self._context.spawn(self._catch_up())

    async def _catch_up(self) -> None:
        """Learn what others have written, then decide again what stood on an older log."""
        try:
            behind = True
            while behind:
                doubtful = self._heard_of == _UNKNOWN
                self._heard_of = 0  # what is heard of from here on may be more than what we get to read
                for event in await self._missed(doubtful):
                    self._remembered(event)
                behind = self._heard_of > self.told.length
        except Exception:
            self._give_up()
            raise
        self._catching_up = False
        self._failures = self._read_again_at = 0
        again, self._again, self._waiting = [*self._again, *self._waiting], [], []
        for pending in again:
            command, done, appends, conflicted, sure, void, _ = pending
            if conflicted is not None and (pending.events or (void is not None and void())):
                conflicted()
            else:
                self.submit(command, done, appends, conflicted, sure=sure, void=void)

    def _give_up(self) -> None:
        """Let nobody wait for a log that cannot be read, say one of a newer server.

        Who asks something of the room is to try again, and after a pause that makes us read it again.
        """
        pause = min(FIRST_PAUSE_MS * 2**self._failures, LONGEST_PAUSE_MS)
        self._failures += 1
        self._read_again_at = self._context.now_ms() + pause
        waiting, self._again, self._waiting = [*self._again, *self._waiting], [], []
        self._catching_up = False
        for pending in waiting:
            pending.done(ErrorCode.STORE_AWAY)
        self._lost()

    async def _missed(self, doubtful: bool) -> list[ev.Event]:
        """Read what `told` lacks; from then on `ahead` contains that, and nothing that was refused.

        What was told last is read along: a store that has gone back does not have it any more.
        """
        afresh = bool(self._again or self._failures)
        known, latest = self.told.length, self._latest
        start = 0 if afresh else known - min(len(latest), CHECKED if doubtful else 1)
        events = await self._read(start)
        self._context.counts.gaps_repaired += 1
        told = min(len(latest), known - start)
        if events[known - start - told : known - start] != list(latest)[len(latest) - told :]:
            self._go_back(events if afresh else await self._read(0))
            return []
        if afresh:
            self.ahead = Room(self.told.code)
        for event in events if afresh else events[known - start :]:
            fold(self.ahead, event)
        return events[known - start :]

    async def _read(self, start: int) -> list[ev.Event]:
        entries = await patiently(lambda: self._context.store.read(self.log, start))
        return [ev.from_bytes(entry) for entry in entries]

    def _go_back(self, events: list[ev.Event]) -> None:
        """Begin anew with a log that lacks what was told: what the store has counts, for everybody."""
        known = self.told.length
        first = min(known - len(self._latest), len(events))
        pairs = zip(self._latest, events[first:], strict=False)
        certain = first + sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        self._void.append(range(certain + 1, known + 1))
        self.ahead, self.told = Room(self.told.code), Room(self.told.code)
        for event in events:
            fold(self.ahead, event)
            fold(self.told, event)
        self._latest = deque(events, maxlen=REPLAYED)
        self._went_back(known - certain)

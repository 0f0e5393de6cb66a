"""Writer of one room's log: decide a command, append its events, then publish them.

There are two copies of the room. `pending_state` contains everything that was sent to the store; commands are
decided on it. `committed_state` contains only what the store has acknowledged; only that is sent to members.
They are equal whenever no append is in flight.
"""

import sys
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from protocol.errors import ErrorCode
from protocol.refusals import RefusalCode
from server.core import events as ev
from server.core.commands import Command, OpenRoom
from server.core.decide import decide
from server.core.room import Room, fold
from server.rooms.context import RoomContext
from server.rooms.node_messages import RoomLogGrew, to_bytes
from server.rooms.recent_events import RecentEvents
from server.rooms.retry import retry_while_unavailable
from server.store import keys
from server.store.journal import JournalFull
from server.store.port import Append, Commit, Committed, Outcome, Publish

Answer = list[ev.Event] | ErrorCode | RefusalCode
"""Events that a command caused, perhaps none, or why it was refused."""

Done = Callable[[Answer], None]

MAX_WAITING: Final = 2_000
"""Most commands that wait for the log to be read; further ones are refused with `store_unavailable`."""

FIRST_PAUSE_MS: Final = 1_000
LONGEST_PAUSE_MS: Final = 60_000
"""Pauses before a log that could not be read is read again: each twice as long as the one before."""

CHECKED_EVENTS: Final = 20
"""Committed events that are compared with the store when the log is in doubt."""

_UNKNOWN_LENGTH: Final = sys.maxsize
"""Length of a log that may have grown by an unknown number of entries."""


def _ignore(_: Answer) -> None:
    """Ignore an answer."""


def _never() -> bool:
    return False


class _Pending(NamedTuple):
    """A command whose answer is not known yet.

    A command with `on_conflict` that caused events is not decided again after a conflict. If `is_void`
    returns True, the command must not be decided any more. With `confirm`, a refusal waits for an empty
    commit.
    """

    command: Command
    done: Done
    appends: tuple[Append, ...]
    on_conflict: Callable[[], None] | None
    is_void: Callable[[], bool]
    confirm: bool
    answer: Answer = []  # noqa: RUF012 - never changed

    @property
    def events(self) -> list[ev.Event]:
        """Events that the command caused."""
        return self.answer if isinstance(self.answer, list) else []


class RoomLog:
    """Writer of one room's log on this node.

    `publish` receives each committed event with its `seq`, also those of other nodes. `inboxes` returns the
    inboxes of the other nodes to notify. `unreadable` is called when the log cannot be read, `rolled_back`
    with the number of events that the store has lost.
    """

    def __init__(
        self,
        context: RoomContext,
        code: str,
        publish: Callable[[ev.Event, int], None],
        *,
        inboxes: Callable[[], list[str]],
        unreadable: Callable[[], None],
        rolled_back: Callable[[int], None],
    ) -> None:
        self.log = keys.room_log(code)
        self.pending_state = Room(code)
        self.committed_state = Room(code)
        self._context = context
        self._publish = publish
        self._inboxes = inboxes
        self._unreadable = unreadable
        self._rolled_back = rolled_back
        self._in_flight: deque[_Pending] = deque()  # sent to the journal, in order
        self._conflicted: list[_Pending] = []  # to be decided again once the log has been read
        self._waiting: list[_Pending] = []  # came while the log was being read
        self._catching_up = False  # whether a task reads the log
        self._reported_length = 0  # what other nodes say that the log has grown to
        self._failures = 0  # failed reads in a row
        self._read_again_at_ms = 0  # no read before this time
        self._recent = RecentEvents()

    @property
    def idle(self) -> bool:
        """Whether no command is in flight or waiting."""
        return not (self._in_flight or self._conflicted or self._waiting or self._catching_up)

    async def load(self) -> None:
        """Read the whole log. Raises StoreError."""
        for entry in await self._context.store.read(self.log):
            event = ev.from_bytes(entry)
            fold(self.pending_state, event)
            fold(self.committed_state, event)
            self._recent.append(event)

    def events_after(self, seq: int) -> list[ev.Event] | None:
        """Return the committed events after number `seq`, or None if they cannot be replayed."""
        return self._recent.after(seq, self.committed_state.length)

    def submit(
        self,
        command: Command,
        done: Done = _ignore,
        *,
        confirm: bool = False,
        withdrawn: Callable[[], bool] = _never,
    ) -> None:
        """Decide a command now and append its events; `done` gets them once committed, or the refusal.

        After a conflict the command is decided again on the new log, unless `withdrawn` returns True because
        the sender is gone: then `done` gets `not_in_room`. With `confirm`, a refusal or an empty answer is
        reported only after an empty commit has proved that the log is unchanged.
        """
        self._submit(_Pending(command, done, (), None, withdrawn, confirm))

    def submit_with(
        self,
        command: Command,
        done: Done,
        appends: tuple[Append, ...],
        on_conflict: Callable[[], None],
        *,
        is_void: Callable[[], bool] = _never,
    ) -> None:
        """Decide a command now and append its events and `appends` to other logs in one commit.

        The command is decided once: after a conflict in any of the logs, `on_conflict` is called instead of
        `done`. It is also called for a command that had to wait for the log, if `is_void` then returns True.
        """
        self._submit(_Pending(command, done, appends, on_conflict, is_void, confirm=False))

    def report_length(self, length: int) -> None:
        """Note the length of the log that another node reports; catch up if this node is behind."""
        self._reported_length = max(self._reported_length, length)
        if self._reported_length > self.committed_state.length and not self._in_flight:
            self._start_catching_up()

    def read_again(self) -> None:
        """Read the log again: another node may have written to it, and its message may be lost."""
        self.report_length(_UNKNOWN_LENGTH)

    def _submit(self, pending: _Pending) -> None:
        if self._failures:
            self._start_catching_up()
        if self._catching_up or self._conflicted:
            self._wait(pending)
        elif self._failures:
            pending.done(ErrorCode.STORE_UNAVAILABLE)
        else:
            self._decide(pending)

    def _wait(self, pending: _Pending) -> None:
        if len(self._waiting) < MAX_WAITING:
            self._waiting.append(pending)
        else:
            pending.done(ErrorCode.STORE_UNAVAILABLE)

    def _decide(self, pending: _Pending) -> None:
        context = self._context
        pending = pending._replace(answer=self._answer_to(pending.command))
        events = pending.events
        if not events and not pending.confirm and not (self._in_flight and pending.answer == []):
            pending.done(pending.answer)
            return
        own = Append(self.log, self.pending_state.length, [ev.to_bytes(event) for event in events])
        inboxes = self._inboxes() if events else ()
        messages = self._node_messages(inboxes, self.pending_state.length + len(events)) if inboxes else ()
        commit = Commit((own, *pending.appends) if events else (own,), messages)
        try:
            context.journal.submit(commit, self._on_outcome)
        except JournalFull:
            pending.done(ErrorCode.STORE_UNAVAILABLE)
            return
        for event in events:
            fold(self.pending_state, event)
        self._in_flight.append(pending)

    def _answer_to(self, command: Command) -> Answer:
        if self.pending_state.length == 0 and not isinstance(command, OpenRoom):
            return ErrorCode.NO_SUCH_ROOM  # the store has lost the room, or another node has removed it
        context = self._context
        return decide(self.pending_state, command, context.now_ms(), context.rules)

    def _node_messages(self, inboxes: Sequence[str], length: int) -> tuple[Publish, ...]:
        payload = to_bytes(RoomLogGrew(self.pending_state.code, length))
        return tuple(Publish(inbox, payload) for inbox in inboxes)

    def _on_outcome(self, outcome: Outcome) -> None:
        """Publish the committed events, or keep the command until the log has been read."""
        pending = self._in_flight.popleft()
        if isinstance(outcome, Committed):
            for event in pending.events:
                self._committed(event)
            pending.done(pending.answer)
        else:
            self._conflicted.append(pending)
        if not self._in_flight and (self._conflicted or self._reported_length > self.committed_state.length):
            self._start_catching_up()

    def _committed(self, event: ev.Event) -> None:
        fold(self.committed_state, event)
        self._recent.append(event)
        self._publish(event, self.committed_state.length)

    def _start_catching_up(self) -> None:
        if not self._catching_up and self._context.now_ms() >= self._read_again_at_ms:
            self._catching_up = True
            self._context.spawn(self._catch_up())

    async def _catch_up(self) -> None:
        """Read what other nodes have written, then decide again what conflicted with it."""
        try:
            behind = True
            while behind:
                in_doubt = self._reported_length == _UNKNOWN_LENGTH
                self._reported_length = 0  # a report from here on may be more than what this read returns
                for event in await self._missed(in_doubt=in_doubt):
                    self._committed(event)
                behind = self._reported_length > self.committed_state.length
        except Exception:
            self._refuse_waiting()
            raise
        self._catching_up = False
        self._failures = self._read_again_at_ms = 0
        again, self._conflicted, self._waiting = [*self._conflicted, *self._waiting], [], []
        for pending in again:
            if pending.on_conflict is None:
                if pending.is_void():
                    pending.done(ErrorCode.NOT_IN_ROOM)
                else:
                    self._submit(pending)
            elif pending.events or pending.is_void():
                pending.on_conflict()
            else:
                self._submit(pending)

    def _refuse_waiting(self) -> None:
        """Refuse the commands that wait for a log that cannot be read, for example one of a newer server.

        A command after a pause makes this node read the log again.
        """
        pause = min(FIRST_PAUSE_MS * 2**self._failures, LONGEST_PAUSE_MS)
        self._failures += 1
        self._read_again_at_ms = self._context.now_ms() + pause
        waiting, self._conflicted, self._waiting = [*self._conflicted, *self._waiting], [], []
        self._catching_up = False
        for pending in waiting:
            pending.done(ErrorCode.STORE_UNAVAILABLE)
        self._unreadable()

    async def _missed(self, *, in_doubt: bool) -> list[ev.Event]:
        """Return the events that `committed_state` lacks, and bring `pending_state` up to date with them.

        The last committed events are read too and compared: a store that was rolled back no longer has them.
        """
        from_start = bool(self._conflicted or self._failures)
        known, recent = self.committed_state.length, self._recent
        start = 0 if from_start else known - min(len(recent), CHECKED_EVENTS if in_doubt else 1)
        events = await self._read(start)
        self._context.counters.gaps_repaired += 1
        checked = min(len(recent), known - start)
        if events[known - start - checked : known - start] != recent.last(checked):
            self._roll_back(events if from_start else await self._read(0))
            return []
        if from_start:
            self.pending_state = Room(self.committed_state.code)
        for event in events if from_start else events[known - start :]:
            fold(self.pending_state, event)
        return events[known - start :]

    async def _read(self, start: int) -> list[ev.Event]:
        entries = await retry_while_unavailable(lambda: self._context.store.read(self.log, start))
        return [ev.from_bytes(entry) for entry in entries]

    def _roll_back(self, events: list[ev.Event]) -> None:
        """Replace both copies by a log that lacks events which were committed: the store decides."""
        lost = self._recent.roll_back(self.committed_state.length, events)
        code = self.committed_state.code
        self.pending_state, self.committed_state = Room(code), Room(code)
        for event in events:
            fold(self.pending_state, event)
            fold(self.committed_state, event)
        self._rolled_back(lost)

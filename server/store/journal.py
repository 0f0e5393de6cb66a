"""Group commit: one batch in flight; the commits submitted meanwhile form the next batch."""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from server.store.cancellation import cancel_and_wait
from server.store.clock import SharedClock
from server.store.clock_agreement import ClockAgreement
from server.store.port import Commit, Committed, Outcome, Store, StoreRefused, StoreUnavailable
from server.store.reconcile import reconcile
from server.store.stale_logs import StaleLogs

MAX_WAITING = 20_000
MAX_BATCH = 1024

_SOME = 4
_MANY = 64

_CLOCK_READINGS = 3
_REPORT_AFTER_S = 0.25
_FIRST_PAUSE_S = 0.05
_MAX_PAUSE_S = 1.0

OutcomeCallback: TypeAlias = Callable[[Outcome], None]


def _ignore(*_: object) -> None:
    pass


class JournalFull(Exception):  # noqa: N818 - like asyncio.QueueFull
    """The commit was not queued, because too many wait for the store already; try again later."""


class JournalClosed(Exception):  # noqa: N818 - likewise
    """The journal has been closed, or a bug has stopped it, which is then the cause of this exception."""


class JournalStats:
    """Counters of a journal since it was created."""

    __slots__ = ("batches", "commits", "conflicts", "failures", "stale")

    def __init__(self) -> None:
        self.batches = 0
        self.commits = 0  # with an outcome of either kind; divided by batches: the mean size of a batch
        self.conflicts = 0
        self.stale = 0  # conflicts of commits that were not sent, because they depend on a refused one
        self.failures = 0  # calls of the store that failed


class Journal:
    """Queue of commits for a store, which makes each exactly once, also if calls of the store fail.

    `submit` accepts a commit at any time; its callback gets the outcome in a later turn of the loop, and
    callbacks run in order of submission. While the store is unavailable all commits wait. `on_unavailable` is
    called with True when this lasts for longer than a quarter of a second, and with False when the store is
    available again; `on_batch` with the size and the duration in seconds of each batch.

    Batches begin at least `pause` seconds apart, and at least `long_pause` while 4 to 63 commits wait. So
    few commits are sent soon, some wait for others to share the cost of a batch, and many share it already.

    Commits are numbered from 0 in order of submission. Numbers below `_answered` have an outcome, those from
    there to below `_taken` are in flight, and those from `_taken` on wait in `_commits`.
    """

    def __init__(
        self,
        store: Store,
        *,
        on_unavailable: Callable[[bool], None] = _ignore,
        on_batch: Callable[[int, float], None] = _ignore,
        max_waiting: int = MAX_WAITING,
        max_batch: int = MAX_BATCH,
        pause: float = 0.0,
        long_pause: float = 0.0,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.stats = JournalStats()
        self.unavailable_since: float | None = None  # local time of the first failed call; None if available
        self.error: str | None = None  # why the store is unavailable; None if it is available
        self._store = store
        self._on_unavailable = on_unavailable
        self._on_batch = on_batch
        self._max_waiting = max_waiting  # most commits in `_commits`
        self._max_batch = max_batch  # most commits in one call of the store
        self._pause = pause
        self._long_pause = long_pause
        self._monotonic = monotonic
        self._clock = SharedClock()
        self._agreement = ClockAgreement(store, self._clock, monotonic)
        self._commits: list[Commit] = []  # waiting, in order of submission
        self._callbacks: list[OutcomeCallback] = []  # of the same commits, at the same indices
        self._answered = 0  # number of the first commit without an outcome
        self._taken = 0  # number of the first commit that has not been taken into a batch
        self._stale = StaleLogs()
        self._wakeup: asyncio.Future[None] | None = None  # the worker's; done when `_enough` commits wait
        self._enough = 1  # only meaningful while there is a `_wakeup`
        self._drains: list[tuple[int, asyncio.Future[None]]] = []  # done when `_answered` reaches the number
        self._worker: asyncio.Task[None] | None = None  # None before `start`
        self._ended: BaseException | None = None  # why no commit is accepted any more

    async def start(self) -> None:
        """Read the store's clock and its correction, and start to make commits. Raises StoreError."""
        await self._agreement.read()
        await self.sync()
        self._worker = asyncio.create_task(self._work(), name="journal")
        self._worker.add_done_callback(self._on_end)

    def submit(self, commit: Commit, on_outcome: OutcomeCallback = _ignore) -> None:
        """Queue a commit and return at once.

        Raises `JournalFull` or `JournalClosed`; the commit is then not queued.
        """
        commits = self._commits
        if len(commits) >= self._max_waiting:
            raise JournalFull(f"{len(commits)} commits wait for the store already")
        if self._ended is not None:
            raise JournalClosed from self._ended
        commits.append(commit)
        self._callbacks.append(on_outcome)
        if self._wakeup is not None and len(commits) >= self._enough:
            _wake(self._wakeup)
            self._wakeup = None

    @property
    def waiting(self) -> int:
        """Number of commits that have no outcome yet."""
        return self._taken + len(self._commits) - self._answered

    def now_ms(self) -> int:
        """Return the time of the clock that all nodes share, without a call of the store."""
        return self._clock.at_ms(self._monotonic())

    async def sync(self) -> None:
        """Read the store's clock, and agree with the other nodes if a clock was set.

        Every batch reads the clock too. Call this every few seconds. Raises what the store raises.
        """
        for _ in range(_CLOCK_READINGS):
            sent = self._monotonic()
            store_ms = await self._store.now_ms()
            self._clock.observe(sent, self._monotonic(), store_ms)
        await self._agreement.agree()

    async def drain(self) -> None:
        """Return when every commit submitted so far has its outcome.

        Raises `JournalClosed` if the journal ends before that.
        """
        target = self._taken + len(self._commits)
        if self._answered >= target:
            return
        if self._ended is not None:
            raise JournalClosed from self._ended
        drained: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._drains.append((target, drained))
        await drained

    async def aclose(self) -> None:
        """Stop at once. Commits without an outcome get none, though the store may still make them."""
        self._wakeup = None  # commits submitted while the worker ends must not wake it
        if self._worker is not None:
            await cancel_and_wait(self._worker)
        self._on_end(self._worker)

    async def _work(self) -> None:
        size, started = self._max_batch, -self._long_pause
        while True:
            await self._wait_for_commits(1)
            await self._wait_for_commits(size, started + self._pause)
            if len(self._commits) >= _SOME:
                await self._wait_for_commits(min(_MANY, size), started + self._long_pause)
            commits, self._commits = self._commits[:size], self._commits[size:]
            callbacks, self._callbacks = self._callbacks[:size], self._callbacks[size:]
            first = self._taken
            self._taken += len(commits)
            started = self._monotonic()
            outcomes = await (self._make_unless_stale(commits, first) if self._stale else self._make(commits))
            seconds = self._monotonic() - started
            self.stats.batches += 1
            self.stats.commits += len(commits)
            self._report_outcomes(commits, callbacks, outcomes)
            self._call(self._on_batch, len(commits), seconds)

    async def _wait_for_commits(self, enough: int, until: float | None = None) -> None:
        """Return when at least `enough` commits wait, or at the local time `until`."""
        if len(self._commits) >= enough:
            return
        loop, timer = asyncio.get_running_loop(), None
        wakeup: asyncio.Future[None] = loop.create_future()
        if until is not None:
            remaining = until - self._monotonic()
            if remaining <= 0.0:
                return
            timer = loop.call_later(remaining, _wake, wakeup)
        self._wakeup, self._enough = wakeup, enough
        try:
            await wakeup
        finally:
            self._wakeup = None
            if timer is not None:
                timer.cancel()

    async def _make(self, commits: Sequence[Commit]) -> list[Outcome]:
        sent = self._monotonic()
        try:
            outcomes = await self._store.commit(commits)
        except (StoreUnavailable, StoreRefused) as error:
            return await self._reconcile(commits, sent, error)
        received = self._monotonic()
        for outcome in outcomes:
            if isinstance(outcome, Committed):
                self._clock.observe(sent, received, outcome.at_ms)
                break
        return outcomes

    async def _reconcile(
        self, commits: Sequence[Commit], failed_at: float, error: StoreUnavailable | StoreRefused
    ) -> list[Outcome]:
        """Retry until the store has answered for every commit of a batch that failed."""
        self.unavailable_since = failed_at
        reported = False
        for pause in _pauses():
            self.stats.failures += 1
            self.error = str(error)
            if not reported and self._monotonic() - failed_at > _REPORT_AFTER_S:
                reported = True
                self._call(self._on_unavailable, True)
            await asyncio.sleep(pause)
            try:
                outcomes = await reconcile(self._store, commits)
            except (StoreUnavailable, StoreRefused) as again:
                error = again
                continue
            self.unavailable_since = None
            self.error = None
            if reported:
                self._call(self._on_unavailable, False)
            return outcomes
        raise AssertionError("the pauses never end")

    async def _make_unless_stale(self, commits: Sequence[Commit], first: int) -> list[Outcome]:
        """Make a batch without the commits that depend on refused ones."""
        outcomes: list[Outcome | None] = []
        for number, commit in enumerate(commits, first):
            conflict = self._stale.conflict_of(commit, number)
            outcomes.append(conflict)
            if conflict is not None:
                self.stats.stale += 1
                self._stale.add(commit, conflict, self._taken)
        self._stale.discard_before(self._taken)
        sent = [commit for commit, known in zip(commits, outcomes, strict=True) if known is None]
        answers = iter(await self._make(sent) if sent else ())
        return [known or next(answers) for known in outcomes]

    def _report_outcomes(
        self, commits: Sequence[Commit], callbacks: Sequence[OutcomeCallback], outcomes: Sequence[Outcome]
    ) -> None:
        for commit, callback, outcome in zip(commits, callbacks, outcomes, strict=True):
            if not isinstance(outcome, Committed):
                self.stats.conflicts += 1
                if self._commits:
                    self._stale.add(commit, outcome, self._taken + len(self._commits))
            try:
                callback(outcome)
            except Exception as bug:
                self._report_bug(bug)
        self._answered += len(commits)
        while self._drains and self._drains[0][0] <= self._answered:
            _wake(self._drains.pop(0)[1])

    def _call(self, callback: Callable[..., None], *arguments: object) -> None:
        try:
            callback(*arguments)
        except Exception as bug:
            self._report_bug(bug)

    @staticmethod
    def _report_bug(bug: Exception) -> None:
        """Report an exception of a callback; the other callbacks must still run."""
        asyncio.get_running_loop().call_exception_handler(
            {"message": "a callback of the journal failed", "exception": bug}
        )

    def _on_end(self, worker: asyncio.Task[None] | None) -> None:
        if self._ended is not None:
            return
        bug = None if worker is None or worker.cancelled() else worker.exception()
        self._ended = bug or asyncio.CancelledError()
        self._wakeup = None
        if bug is not None:
            self.unavailable_since = self._monotonic()
            self.error = f"a bug stopped the journal: {bug!r}"
            asyncio.get_running_loop().call_exception_handler({"message": self.error, "exception": bug})
        for _, drained in self._drains:
            if not drained.done():
                drained.set_exception(JournalClosed())
        self._drains.clear()


def _wake(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


def _pauses() -> Iterator[float]:
    """Yield the pauses before the attempts to reach the store again: 0, then doubling up to the maximum."""
    yield 0.0
    pause = _FIRST_PAUSE_S
    while True:
        yield pause
        pause = min(2 * pause, _MAX_PAUSE_S)

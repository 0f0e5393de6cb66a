"""Group commit: one batch in flight, and what arrives meanwhile goes into the next."""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence

from server.store.cancellation import end
from server.store.clock import StoreClock
from server.store.port import Commit, Committed, Outcome, Store, StoreAway, StoreRefused
from server.store.reconcile import settle
from server.store.stale_logs import StaleLogs

MOST_WAITING = 20_000
MOST_IN_BATCH = 1024

_SOME = 4
_MANY = 64

_READINGS_OF_THE_CLOCK = 3
_HICCUP_S = 0.25
_FIRST_PAUSE_S = 0.05
_LONGEST_PAUSE_S = 1.0

Done = Callable[[Outcome], None]


def _ignore(*_: object) -> None:
    pass


class JournalFull(Exception):  # noqa: N818 - it says what is the case
    """So many commits wait for the store that no more are taken; try again later."""


class JournalClosed(Exception):  # noqa: N818 - likewise
    """The journal was closed, or a bug stopped it: its cause tells which."""


class Tally:
    """What the journal has done since it was made, for whoever measures it."""

    __slots__ = ("batches", "commits", "conflicts", "failures", "stale")

    def __init__(self) -> None:
        self.batches = 0
        self.commits = 0  # answered, with whatever outcome; divided by batches: the mean batch
        self.conflicts = 0
        self.stale = 0  # of the conflicts, those that were not even sent
        self.failures = 0  # calls of the store that failed


class Journal:
    """Hand commits to a store, each exactly once, however often the store fails meanwhile.

    `submit` takes a commit at any time; its callback gets the outcome on a later turn of the loop, all
    callbacks in order of submission. While the store is away everything waits. `on_state` is told True
    when the store is away for longer than a hiccup, and False when it is back; `on_batch` the size and
    the seconds of each batch. Batches begin at least `pause` seconds apart, and `long_pause` while from 4 to
    63 commits wait: a lone commit goes at once, some wait for others to share the price of a batch with,
    many have enough of them.
    """

    def __init__(
        self,
        store: Store,
        *,
        on_state: Callable[[bool], None] = _ignore,
        on_batch: Callable[[int, float], None] = _ignore,
        most_waiting: int = MOST_WAITING,
        most_in_batch: int = MOST_IN_BATCH,
        pause: float = 0.0,
        long_pause: float = 0.0,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.tally = Tally()
        self.away_since: float | None = None
        self.trouble: str | None = None
        self._store = store
        self._on_state = on_state
        self._on_batch = on_batch
        self._most_waiting = most_waiting
        self._most_in_batch = most_in_batch
        self._pause = pause
        self._long_pause = long_pause
        self._monotonic = monotonic
        self._clock = StoreClock()
        self._commits: list[Commit] = []
        self._dones: list[Done] = []
        self._answered = 0
        self._taken = 0
        self._stale = StaleLogs()
        self._bell: asyncio.Future[None] | None = None  # rings when `_enough` commits wait
        self._enough = 1
        self._drains: list[tuple[int, asyncio.Future[None]]] = []
        self._worker: asyncio.Task[None] | None = None
        self._ended: BaseException | None = None

    async def start(self) -> None:
        """Read the store's clock and begin to work; raises what the store raises."""
        await self.sync()
        self._worker = asyncio.create_task(self._work(), name="journal")
        self._worker.add_done_callback(self._on_end)

    def submit(self, commit: Commit, done: Done = _ignore) -> None:
        """Queue a commit and return at once.

        Raises `JournalFull`, or `JournalClosed`; the commit is then not queued.
        """
        commits = self._commits
        if len(commits) >= self._most_waiting:
            raise JournalFull(f"{len(commits)} commits wait for the store already")
        if self._ended is not None:
            raise JournalClosed from self._ended
        commits.append(commit)
        self._dones.append(done)
        if self._bell is not None and len(commits) >= self._enough:
            _wake(self._bell)
            self._bell = None

    @property
    def waiting(self) -> int:
        """How many commits have no outcome yet."""
        return self._taken + len(self._commits) - self._answered

    def now_ms(self) -> int:
        """Return the time of the store's clock without asking it."""
        return self._clock.at_ms(self._monotonic())

    async def sync(self) -> None:
        """Read the store's clock; every batch does so too, so this is for times when there are none."""
        for _ in range(_READINGS_OF_THE_CLOCK):
            sent = self._monotonic()
            store_ms = await self._store.now_ms()
            self._clock.observe(sent, self._monotonic(), store_ms)

    async def drain(self) -> None:
        """Return when all that was submitted so far has its outcome.

        Raises `JournalClosed` when it never will.
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
        """Stop at once. What has no outcome yet never gets one, though the store may still make it."""
        self._bell = None  # what is submitted while the worker ends wakes nobody
        if self._worker is not None:
            await end(self._worker)
        self._on_end(self._worker)

    async def _work(self) -> None:
        size, started = self._most_in_batch, -self._long_pause
        while True:
            await self._gather(1)
            await self._gather(size, started + self._pause)
            if len(self._commits) >= _SOME:
                await self._gather(min(_MANY, size), started + self._long_pause)
            commits, self._commits = self._commits[:size], self._commits[size:]
            dones, self._dones = self._dones[:size], self._dones[size:]
            first = self._taken
            self._taken += len(commits)
            started = self._monotonic()
            outcomes = await (self._spare(commits, first) if self._stale else self._remember(commits))
            seconds = self._monotonic() - started
            self.tally.batches += 1
            self.tally.commits += len(commits)
            self._tell(commits, dones, outcomes)
            self._guarded(self._on_batch, len(commits), seconds)

    async def _gather(self, enough: int, until: float | None = None) -> None:
        """Return once so many commits wait, or when it is `until`."""
        if len(self._commits) >= enough:
            return
        loop, timer = asyncio.get_running_loop(), None
        bell: asyncio.Future[None] = loop.create_future()
        if until is not None:
            rest = until - self._monotonic()
            if rest <= 0.0:
                return
            timer = loop.call_later(rest, _wake, bell)
        self._bell, self._enough = bell, enough
        try:
            await bell
        finally:
            self._bell = None
            if timer is not None:
                timer.cancel()

    async def _remember(self, commits: Sequence[Commit]) -> list[Outcome]:
        sent = self._monotonic()
        try:
            outcomes = await self._store.commit(commits)
        except (StoreAway, StoreRefused) as trouble:
            return await self._insist(commits, sent, trouble)
        received = self._monotonic()
        for outcome in outcomes:
            if isinstance(outcome, Committed):
                self._clock.observe(sent, received, outcome.at_ms)
                break
        return outcomes

    async def _insist(
        self, commits: Sequence[Commit], failed_at: float, trouble: StoreAway | StoreRefused
    ) -> list[Outcome]:
        self.away_since = failed_at
        told = False
        for pause in _pauses():
            self.tally.failures += 1
            self.trouble = str(trouble)
            if not told and self._monotonic() - failed_at > _HICCUP_S:
                told = True
                self._guarded(self._on_state, True)
            await asyncio.sleep(pause)
            try:
                outcomes = await settle(self._store, commits)
            except (StoreAway, StoreRefused) as again:
                trouble = again
                continue
            self.away_since = None
            self.trouble = None
            if told:
                self._guarded(self._on_state, False)
            return outcomes
        raise AssertionError("the pauses never end")

    async def _spare(self, commits: Sequence[Commit], first: int) -> list[Outcome]:
        """Remember a batch, but for the commits that stand on refused ones."""
        outcomes: list[Outcome | None] = []
        for number, commit in enumerate(commits, first):
            conflict = self._stale.verdict(commit, number)
            outcomes.append(conflict)
            if conflict is not None:
                self.tally.stale += 1
                self._stale.refused(commit, conflict, self._taken)
        self._stale.forget_before(self._taken)
        sent = [commit for commit, known in zip(commits, outcomes, strict=True) if known is None]
        answers = iter(await self._remember(sent) if sent else ())
        return [known or next(answers) for known in outcomes]

    def _tell(self, commits: Sequence[Commit], dones: Sequence[Done], outcomes: Sequence[Outcome]) -> None:
        for commit, done, outcome in zip(commits, dones, outcomes, strict=True):
            if not isinstance(outcome, Committed):
                self.tally.conflicts += 1
                if self._commits:
                    self._stale.refused(commit, outcome, self._taken + len(self._commits))
            try:
                done(outcome)
            except Exception as bug:
                self._report(bug)
        self._answered += len(commits)
        while self._drains and self._drains[0][0] <= self._answered:
            _wake(self._drains.pop(0)[1])

    def _guarded(self, callback: Callable[..., None], *arguments: object) -> None:
        try:
            callback(*arguments)
        except Exception as bug:
            self._report(bug)

    @staticmethod
    def _report(bug: Exception) -> None:
        """Tell of a bug in a callback; it must not cost the others their outcomes."""
        asyncio.get_running_loop().call_exception_handler(
            {"message": "a callback of the journal failed", "exception": bug}
        )

    def _on_end(self, worker: asyncio.Task[None] | None) -> None:
        if self._ended is not None:
            return
        bug = None if worker is None or worker.cancelled() else worker.exception()
        self._ended = bug or asyncio.CancelledError()
        self._bell = None
        if bug is not None:
            self.away_since = self._monotonic()
            self.trouble = f"a bug stopped the journal: {bug!r}"
            asyncio.get_running_loop().call_exception_handler({"message": self.trouble, "exception": bug})
        for _, drained in self._drains:
            if not drained.done():
                drained.set_exception(JournalClosed())
        self._drains.clear()


def _wake(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


def _pauses() -> Iterator[float]:
    yield 0.0
    pause = _FIRST_PAUSE_S
    while True:
        yield pause
        pause = min(2 * pause, _LONGEST_PAUSE_S)

"""Group commit: every commit exactly once and in order, also when the store fails."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
from racetest import until

from server.store.embedded import EmbeddedRedis
from server.store.journal import Journal, JournalClosed, JournalFull
from server.store.memory import MemoryStore
from server.store.port import (
    Append,
    Commit,
    Committed,
    Conflict,
    Outcome,
    Publish,
    Store,
    StoreRefused,
    StoreUnavailable,
)
from server.store.redis.store import RedisStore

OpenStore = Callable[..., Awaitable[RedisStore]]


def one(log: str, expected: int, *entries: bytes) -> Commit:
    return Commit((Append(log, expected, entries),))


class GatedStore(MemoryStore):
    """Holds every batch at a gate, and raises `failures` before the batch is made, or after it."""

    def __init__(self) -> None:
        super().__init__(lambda: 1_000_000)
        self.gate = asyncio.Event()
        self.gate.set()
        self.batches: list[list[Commit]] = []
        self.failures: list[Exception] = []
        self.made_though_failed = False

    async def commit(self, batch: Sequence[Commit]) -> list[Outcome]:
        self.batches.append(list(batch))
        await self.gate.wait()
        if not self.failures:
            return await super().commit(batch)
        if self.made_though_failed:
            await super().commit(batch)
        raise self.failures.pop(0)


@asynccontextmanager
async def working(store: Store, **options: Any) -> AsyncIterator[Journal]:
    journal = Journal(store, **options)
    await journal.start()
    try:
        yield journal
    finally:
        await journal.aclose()


async def drained(journal: Journal) -> None:
    async with asyncio.timeout(10):
        await journal.drain()


@pytest.fixture
async def gated() -> GatedStore:
    return GatedStore()


@pytest.fixture
async def bugs() -> list[dict[str, Any]]:
    """Collects the errors that the loop would otherwise log."""
    found: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: found.append(context))
    return found


# --- batches


async def test_commits_submitted_while_a_batch_is_in_flight_form_the_next_one(gated: GatedStore) -> None:
    async with working(gated) as journal:
        gated.gate.clear()
        answers: list[Outcome] = []
        journal.submit(one("a", 0, b"0"), answers.append)
        await until(lambda: len(gated.batches) == 1)
        for number in range(1, 6):
            journal.submit(one("a", number, b"%d" % number), answers.append)
        assert (journal.waiting, answers) == (6, [])
        gated.gate.set()
        await drained(journal)
        assert [len(batch) for batch in gated.batches] == [1, 5]
        assert answers == [Committed(1_000_000)] * 6
        assert await gated.read("a") == [b"0", b"1", b"2", b"3", b"4", b"5"]
        tally = journal.stats
        assert (tally.batches, tally.commits, tally.conflicts, tally.failures) == (2, 6, 0, 0)
        assert journal.waiting == 0


async def test_a_batch_is_bounded(gated: GatedStore) -> None:
    sizes: list[int] = []
    async with working(gated, max_batch=4, on_batch=lambda size, _: sizes.append(size)) as journal:
        for number in range(10):
            journal.submit(one("a", number, b"x"), lambda _: None)
        await drained(journal)
    assert [len(batch) for batch in gated.batches] == [4, 4, 2] == sizes


async def test_batches_begin_a_pause_apart_but_a_single_commit_is_sent_at_once(gated: GatedStore) -> None:
    """Commits submitted within the pause share one batch and its cost."""
    loop, pause = asyncio.get_running_loop(), 0.5
    async with working(gated, pause=pause) as journal:
        began = loop.time()
        journal.submit(one("a", 0, b"0"), lambda _: None)
        await drained(journal)
        for number in (1, 2):
            journal.submit(one("a", number, b"x"), lambda _: None)
            await asyncio.sleep(0)
        assert [len(batch) for batch in gated.batches] == [1]
        await drained(journal)
        # A timer of the loop may be early by the resolution of its clock.
        assert loop.time() - began >= pause - 0.002
    assert [len(batch) for batch in gated.batches] == [1, 2]


@pytest.mark.parametrize(("waiting", "rests"), [(3, False), (4, True), (63, True), (64, False)])
async def test_some_commits_wait_longer_for_others_than_few_or_many(
    gated: GatedStore, waiting: int, rests: bool
) -> None:
    """From 4 to 63: fewer would share little, and many share the cost already."""
    loop = asyncio.get_running_loop()
    async with working(gated, pause=0.0, long_pause=0.1 if rests else 60.0) as journal:
        began = loop.time()
        journal.submit(one("a", 0, b"0"), lambda _: None)
        await drained(journal)
        for number in range(waiting):
            journal.submit(one("a", number + 1, b"x"), lambda _: None)
        await drained(journal)
        assert not rests or loop.time() - began >= 0.1 - 0.002
    assert [len(batch) for batch in gated.batches] == [1, waiting]


async def test_a_long_pause_ends_when_many_commits_wait(gated: GatedStore) -> None:
    """The 64th commit ends the long pause."""
    async with working(gated, pause=0.0, long_pause=60.0) as journal:
        journal.submit(one("a", 0, b"0"), lambda _: None)
        await drained(journal)
        for number in range(63):
            journal.submit(one("a", number + 1, b"x"), lambda _: None)
        for _ in range(20):
            await asyncio.sleep(0)  # the worker has its turns, and only waits
        assert len(gated.batches) == 1
        journal.submit(one("a", 64, b"x"), lambda _: None)
        await drained(journal)
    assert [len(batch) for batch in gated.batches] == [1, 64]


async def test_a_full_batch_does_not_wait_for_the_end_of_the_pause(gated: GatedStore) -> None:
    async with working(gated, pause=60.0, long_pause=90.0, max_batch=2) as journal:
        journal.submit(one("a", 0, b"0"), lambda _: None)
        await drained(journal)
        for number in (1, 2):
            journal.submit(one("a", number, b"x"), lambda _: None)
        await drained(journal)
    assert [len(batch) for batch in gated.batches] == [1, 2]


async def test_callbacks_come_in_order_of_submission_whatever_the_outcome(redis_store: RedisStore) -> None:
    order: list[tuple[int, type[Outcome]]] = []
    async with working(redis_store, max_batch=3) as journal:
        for number in range(20):
            commit = one(f"log {number}", number % 2, b"x")
            journal.submit(commit, lambda outcome, n=number: order.append((n, type(outcome))))  # type: ignore[misc]
        await drained(journal)
        assert journal.stats.conflicts == 10
    assert order == [(number, Conflict if number % 2 else Committed) for number in range(20)]


async def test_submit_does_not_call_the_callback_itself(gated: GatedStore) -> None:
    """A caller of `submit` may not be ready for the outcome yet."""
    async with working(gated) as journal:
        answers: list[Outcome] = []
        journal.submit(one("a", 0, b"x"), answers.append)
        assert answers == []
        await drained(journal)
        assert answers == [Committed(1_000_000)]


async def test_a_callback_may_submit(gated: GatedStore) -> None:
    async with working(gated) as journal:
        answers: list[Outcome] = []

        def again(outcome: Outcome) -> None:
            answers.append(outcome)
            if len(answers) < 5:
                journal.submit(one("a", len(answers), b"x"), again)

        journal.submit(one("a", 0, b"x"), again)
        while len(answers) < 5:
            await drained(journal)
        assert await gated.length("a") == 5


async def test_a_full_journal_raises_and_loses_nothing(gated: GatedStore) -> None:
    async with working(gated, max_waiting=3) as journal:
        gated.gate.clear()
        answers: list[Outcome] = []
        for number in range(3):
            journal.submit(one("a", number, b"x"), answers.append)
        with pytest.raises(JournalFull):
            journal.submit(one("a", 3, b"never"), answers.append)
        gated.gate.set()
        await drained(journal)
        journal.submit(one("a", 3, b"y"), answers.append)
        await drained(journal)
        assert answers == [Committed(1_000_000)] * 4
        assert await gated.read("a") == [b"x", b"x", b"x", b"y"]


# --- commits that depend on refused ones


async def test_a_commit_submitted_before_the_refusal_of_another_is_known_is_refused_with_it(
    gated: GatedStore,
) -> None:
    """The second commit finds the length that it expects, since another node wrote one entry meanwhile."""
    async with working(gated) as journal:
        gated.gate.clear()
        answers: list[Outcome] = []
        journal.submit(one("a", 0, b"mine"), answers.append)
        await until(lambda: len(gated.batches) == 1)
        journal.submit(one("a", 1, b"decided on mine"), answers.append)
        journal.submit(one("b", 0, b"free"), answers.append)
        await MemoryStore.commit(gated, [one("a", 0, b"another node's")])
        gated.gate.set()
        await drained(journal)
        assert answers == [Conflict("a", 1), Conflict("a", 1), Committed(1_000_000)]
        assert await gated.read("a") == [b"another node's"]
        assert journal.stats.stale == 1


async def test_a_commit_submitted_in_the_callback_of_a_refusal_is_sent(gated: GatedStore) -> None:
    await gated.commit([one("a", 0, b"another node's")])
    async with working(gated) as journal:
        answers: list[Outcome] = []

        def decide_again(outcome: Outcome) -> None:
            answers.append(outcome)
            if isinstance(outcome, Conflict):
                journal.submit(one("a", outcome.length, b"mine"), answers.append)

        journal.submit(one("a", 0, b"mine"), decide_again)
        await until_all(journal)
        assert answers == [Conflict("a", 1), Committed(1_000_000)]
        assert await gated.read("a") == [b"another node's", b"mine"]


async def until_all(journal: Journal) -> None:
    while journal.waiting:
        await drained(journal)


# --- a store that fails


async def test_after_a_lost_answer_no_commit_is_made_twice(
    proxy: Any, prefix: str, open_store: OpenStore
) -> None:
    """The commits were made; the journal finds them in the logs."""
    store = await open_store(proxy.url, prefix)
    received: list[bytes] = []
    subscriber = store.subscribe("inbox:n", received.append, lambda: None)
    await subscriber.subscribed()
    async with working(store) as journal:
        answers: list[Outcome] = []
        proxy.loses = "answers"
        both = (Append("a", 1, (b"2",)), Append("b", 0, (b"1", b"2")))
        journal.submit(one("a", 0, b"1"), answers.append)
        journal.submit(Commit(both, (Publish("inbox:n", b"once"),)), answers.append)
        journal.submit(one("c", 7, b"no"), answers.append)
        await drained(journal)
        assert proxy.lost.is_set()
        assert [type(answer) for answer in answers] == [Committed, Committed, Conflict]
        assert (await store.read("a"), await store.read("b")) == ([b"1", b"2"], [b"1", b"2"])
        assert journal.stats.failures == 1
    await subscriber.aclose()


async def test_a_lost_command_is_sent_again(proxy: Any, prefix: str, open_store: OpenStore) -> None:
    store = await open_store(proxy.url, prefix)
    async with working(store) as journal:
        answers: list[Outcome] = []
        proxy.loses = "commands"
        for number in range(5):
            journal.submit(one("a", number, b"%d" % number), answers.append)
        await drained(journal)
        assert proxy.lost.is_set()
        assert [type(answer) for answer in answers] == [Committed] * 5
        assert await store.read("a") == [b"0", b"1", b"2", b"3", b"4"]


async def test_an_answer_lost_on_a_conflict_is_still_a_conflict(
    proxy: Any, prefix: str, redis_store: RedisStore, open_store: OpenStore
) -> None:
    """Another node's entry at the expected place is not mistaken for ours."""
    store = await open_store(proxy.url, prefix)
    await redis_store.commit([one("a", 0, b"another node's")])
    async with working(store) as journal:
        answers: list[Outcome] = []
        proxy.loses = "answers"
        journal.submit(one("a", 0, b"mine"), answers.append)
        await drained(journal)
        assert proxy.lost.is_set()
        assert answers == [Conflict("a", 1)]
        assert await store.read("a") == [b"another node's"]


async def test_a_stalled_store_is_reported_and_every_commit_made_once_when_it_continues(
    own_server: EmbeddedRedis, open_store: OpenStore
) -> None:
    """The stalled server still has the first batch in its socket, and executes it too."""
    store = await open_store(own_server.url, timeout=0.6)
    states: list[bool] = []
    async with working(store, on_unavailable=states.append) as journal:
        answers: list[Outcome] = []
        os.kill(own_server.pid, signal.SIGSTOP)
        try:
            journal.submit(one("a", 0, b"0"), answers.append)
            await until(lambda: states == [True])
            assert journal.unavailable_since is not None
            assert journal.error is not None
            for number in range(1, 50):
                journal.submit(one("a", number, b"%d" % number), answers.append)
        finally:
            os.kill(own_server.pid, signal.SIGCONT)
        await drained(journal)
        assert [type(answer) for answer in answers] == [Committed] * 50
        assert await store.read("a") == [b"%d" % number for number in range(50)]
        assert states == [True, False]
        assert journal.waiting == 0


async def test_after_the_store_was_killed_every_acknowledged_commit_is_there_exactly_once(
    own_server: EmbeddedRedis, open_store: OpenStore
) -> None:
    store = await open_store(own_server.url, timeout=1.0)
    async with working(store, max_batch=4) as journal:
        answers: list[Outcome] = []
        for round_ in range(3):
            for number in range(200):
                commit = one(f"{round_} {number % 7}", number // 7, b"%d" % number)
                journal.submit(commit, answers.append)
            # In the middle of the work: a batch takes 4 of the 200.
            await until(lambda: len(answers) > 0)
            os.kill(own_server.pid, signal.SIGKILL)
            await until(lambda: not own_server.running)
            acknowledged = len(answers)
            assert acknowledged < 200
            journal.submit(one(f"{round_} late", 0, b"x"), answers.append)
            await until(lambda: journal.unavailable_since is not None)
            assert own_server.revive()
            await drained(journal)
            assert acknowledged <= len(answers) == 201
            assert {type(answer) for answer in answers} == {Committed}
            for log in range(7):
                own = [b"%d" % number for number in range(200) if number % 7 == log]
                assert await store.read(f"{round_} {log}") == own
            answers.clear()


@pytest.mark.parametrize("made_though_failed", [True, False])
async def test_a_store_that_fails_repeatedly_is_retried_until_it_answers(
    gated: GatedStore, made_though_failed: bool
) -> None:
    async with working(gated) as journal:
        gated.made_though_failed = made_though_failed
        gated.failures = [StoreUnavailable("gone"), StoreRefused("full: make room"), StoreUnavailable("gone")]
        answers: list[Outcome] = []
        for number in range(3):
            journal.submit(one("a", number, b"%d" % number), answers.append)
        await drained(journal)
        assert [type(answer) for answer in answers] == [Committed] * 3
        assert await gated.read("a") == [b"0", b"1", b"2"]
        assert journal.unavailable_since is None


async def test_a_short_failure_is_not_reported(gated: GatedStore) -> None:
    states: list[bool] = []
    async with working(gated, on_unavailable=states.append) as journal:
        gated.failures = [StoreUnavailable("a connection that was idle for too long")]
        journal.submit(one("a", 0, b"x"), lambda _: None)
        await drained(journal)
        assert states == []
        assert journal.stats.failures == 1


# --- closing, and bugs


async def test_a_closed_journal_accepts_no_commit(gated: GatedStore) -> None:
    async with working(gated) as journal:
        gated.gate.clear()
        journal.submit(one("a", 0, b"x"), lambda _: None)
        waiting = asyncio.create_task(journal.drain())
        await asyncio.sleep(0)
    with pytest.raises(JournalClosed):
        await waiting
    with pytest.raises(JournalClosed):
        journal.submit(one("a", 0, b"x"), lambda _: None)
    with pytest.raises(JournalClosed):
        await journal.drain()


async def test_a_bug_in_a_callback_does_not_affect_other_callbacks(
    gated: GatedStore, bugs: list[dict[str, Any]]
) -> None:
    def fails(_: Outcome) -> None:
        raise ZeroDivisionError

    async with working(gated) as journal:
        answers: list[Outcome] = []
        for number, done in enumerate((answers.append, fails, answers.append)):
            journal.submit(one("a", number, b"x"), done)
        await drained(journal)
        assert answers == [Committed(1_000_000)] * 2
    assert [type(bug["exception"]) for bug in bugs] == [ZeroDivisionError]


async def test_a_bug_in_the_store_stops_the_journal_and_is_raised_for_every_caller(
    gated: GatedStore, bugs: list[dict[str, Any]]
) -> None:
    async with working(gated) as journal:
        gated.failures = [ZeroDivisionError()]
        journal.submit(one("a", 0, b"x"), lambda _: None)
        with pytest.raises(JournalClosed):
            await drained(journal)
        with pytest.raises(JournalClosed) as raised:
            journal.submit(one("a", 0, b"x"), lambda _: None)
        assert isinstance(raised.value.__cause__, ZeroDivisionError)
        assert journal.unavailable_since is not None
        assert journal.error == "a bug stopped the journal: ZeroDivisionError()"
    assert [type(bug["exception"]) for bug in bugs] == [ZeroDivisionError]


# --- the clock


async def test_the_store_s_clock_is_derived_from_the_local_one() -> None:
    local = [100.0]
    store = MemoryStore(lambda: 1_800_000_000_000 + int(1000 * (local[0] - 100.0)))
    async with working(store, monotonic=lambda: local[0]) as journal:
        local[0] += 5
        assert journal.now_ms() == 1_800_000_005_000


async def test_a_commit_submitted_while_the_journal_closes_is_ignored() -> None:
    """A server that stops closes its connections, which makes rooms submit commits; they get no outcome."""
    journal = Journal(MemoryStore(lambda: 1_000_000))
    await journal.start()
    await asyncio.sleep(0)  # the worker waits for commits
    closing = asyncio.create_task(journal.aclose())
    await asyncio.sleep(0)
    journal.submit(one("a", 0, b"x"), lambda _: pytest.fail("the journal is closed"))
    await closing
    with pytest.raises(JournalClosed):
        journal.submit(one("a", 0, b"x"))

"""What every store does, whichever it is: the same tests over memory and over a real server."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeAlias

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from racetest import say, until

from server.store import keys
from server.store.memory import MemoryStore
from server.store.port import Append, Commit, Committed, Conflict, Keep, Notice, Outcome, Ranked, Store

Break: TypeAlias = Callable[[], Awaitable[None]]


@pytest.fixture(params=["memory", pytest.param("redis", marks=pytest.mark.integration)])
def kind(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def store(kind: str, request: pytest.FixtureRequest) -> Store:
    chosen: Store = request.getfixturevalue(f"{kind}_store")
    return chosen


@pytest.fixture
def break_subscriptions(store: Store, command: Callable[..., Awaitable[object]]) -> Break:
    """Cut every subscription, from the store's side."""

    async def cut() -> None:
        if isinstance(store, MemoryStore):
            store.interrupt()
        else:
            await command("CLIENT", "KILL", "TYPE", "pubsub")

    return cut


def one(log: str, expected: int, *entries: bytes) -> Commit:
    return Commit((Append(log, expected, entries),))


def made(outcomes: list[Outcome]) -> list[bool]:
    return [isinstance(outcome, Committed) for outcome in outcomes]


async def test_a_commit_appends_and_tells_the_time_of_the_store(store: Store) -> None:
    before = await store.now_ms()
    [outcome] = await store.commit([one("a", 0, b"first", b"second")])
    after = await store.now_ms()
    assert isinstance(outcome, Committed)
    assert before <= outcome.at_ms <= after
    assert await store.read("a") == [b"first", b"second"]
    assert await store.length("a") == 2


async def test_an_unexpected_length_is_refused_and_nothing_is_written(store: Store) -> None:
    await store.commit([one("a", 0, b"first")])
    assert await store.commit([one("a", 0, b"again")]) == [Conflict("a", 1)]
    assert await store.commit([one("a", 2, b"gap")]) == [Conflict("a", 1)]
    assert await store.read("a") == [b"first"]


async def test_a_commit_over_several_logs_is_made_whole_or_not_at_all(store: Store) -> None:
    """The refusal names the first log that was not as expected."""
    await store.commit([one("b", 0, b"there")])
    appends = (Append("a", 0, (b"1",)), Append("b", 0, (b"2",)), Append("c", 5, (b"3",)))
    notice = Notice("inbox:x", b"never")
    assert await store.commit([Commit(appends, (notice,))]) == [Conflict("b", 1)]
    assert [await store.read(log) for log in "abc"] == [[], [b"there"], []]
    appends = (Append("a", 0, (b"1",)), Append("b", 1, (b"2", b"3")), Append("c", 0, [b"4"]))
    assert made(await store.commit([Commit(appends)])) == [True]
    assert [await store.read(log) for log in "abc"] == [[b"1"], [b"there", b"2", b"3"], [b"4"]]


async def test_a_later_commit_of_a_batch_sees_what_an_earlier_one_appended(store: Store) -> None:
    batch = [one("a", 0, b"1"), one("a", 1, b"2"), one("a", 2, b"3", b"4"), one("a", 4, b"5")]
    outcomes = await store.commit(batch)
    assert made(outcomes) == [True] * 4
    assert await store.read("a") == [b"1", b"2", b"3", b"4", b"5"]


async def test_commits_of_a_batch_are_independent(store: Store) -> None:
    outcomes = await store.commit(
        [one("a", 1, b"no"), one("b", 0, b"yes"), one("c", 7, b"no"), one("d", 0, b"yes")]
    )
    assert made(outcomes) == [False, True, False, True]
    assert outcomes[0::2] == [Conflict("a", 0), Conflict("c", 0)]
    assert [await store.read(log) for log in "abcd"] == [[], [b"yes"], [], [b"yes"]]


async def test_a_commit_that_stands_on_a_refused_one_is_refused_though_its_length_fits(store: Store) -> None:
    """Another node wrote as many entries as the refused commit would have; the decision is void."""
    await store.commit([one("a", 0, b"another node's")])
    outcomes = await store.commit([one("a", 0, b"mine"), one("a", 1, b"decided on mine")])
    assert outcomes == [Conflict("a", 1), Conflict("a", 1)]
    assert await store.read("a") == [b"another node's"]


async def test_what_stands_on_a_refused_commit_through_another_is_refused_too(store: Store) -> None:
    both = Commit((Append("a", 1, (b"x",)), Append("b", 0, (b"x",))))
    also = Commit((Append("b", 0, (b"y",)), Append("c", 0, (b"y",))))
    outcomes = await store.commit([both, also, one("c", 0, b"z"), one("d", 0, b"free")])
    assert outcomes[:3] == [Conflict("a", 0), Conflict("b", 0), Conflict("c", 0)]
    assert made(outcomes) == [False, False, False, True]
    assert made(await store.commit([one("c", 0, b"z")])) == [True]


async def test_an_append_without_entries_is_a_condition(store: Store) -> None:
    await store.commit([one("room", 0, b"started")])
    good = Commit((Append("room", 1, ()), Append("game", 0, (b"move",))))
    late = Commit((Append("room", 0, ()), Append("game", 1, (b"move",))))
    assert made(await store.commit([good])) == [True]
    assert await store.commit([late]) == [Conflict("room", 1)]
    assert await store.read("room") == [b"started"]
    assert await store.read("game") == [b"move"]


async def test_entries_are_any_bytes(store: Store) -> None:
    entries = (bytes(range(256)), b"", b"\r\n$5\r\n", b"\0", b"\xff" * 70_000, "早安".encode())
    assert made(await store.commit([one("早安 {x}:log", 0, *entries), one("b", 0, b"next")])) == [True, True]
    assert await store.read("早安 {x}:log") == list(entries)
    assert await store.read("b") == [b"next"]


async def test_thousands_of_entries_keep_their_order(store: Store) -> None:
    """One Redis command takes some thousands of arguments from a script; the store gets round it."""
    entries = [b"%d" % number for number in range(10_001)]
    assert made(await store.commit([Commit((Append("a", 0, entries),)), one("b", 0, b"x")])) == [True, True]
    assert await store.read("a") == entries
    assert await store.read("b") == [b"x"]


async def test_a_log_is_read_from_an_index_on(store: Store) -> None:
    await store.commit([one("a", 0, b"0", b"1", b"2")])
    assert [await store.read("a", start) for start in (0, 1, 2, 3, 9)] == [
        [b"0", b"1", b"2"],
        [b"1", b"2"],
        [b"2"],
        [],
        [],
    ]
    assert await store.read("nobody wrote here") == []
    assert await store.length("nobody wrote here") == 0


async def test_an_empty_batch_has_no_outcomes(store: Store) -> None:
    assert await store.commit([]) == []


LOGS = st.sampled_from("abc")
APPENDS = st.lists(
    st.builds(Append, LOGS, st.integers(0, 3), st.lists(st.binary(max_size=3), max_size=2)),
    max_size=3,
    unique_by=lambda append: append.log,
)
BATCHES = st.lists(
    st.lists(st.builds(lambda appends: Commit(tuple(appends)), APPENDS), max_size=5), max_size=4
)


@given(batches=BATCHES)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
async def test_both_stores_answer_alike_whatever_is_committed(
    batches: list[list[Commit]], redis_store: Store
) -> None:
    """The one in memory is the specification, small enough to be read."""
    model = MemoryStore(lambda: 0)
    run = await redis_store.length("runs")
    await redis_store.commit([one("runs", run, b"")])

    def renamed(commit: Commit) -> Commit:
        appends = [Append(f"{run}{append.log}", append.expected, append.entries) for append in commit.appends]
        return Commit(tuple(appends))

    for batch in batches:
        own = [renamed(commit) for commit in batch]
        expected = await model.commit(own)
        found = await redis_store.commit(own)
        assert [None if isinstance(outcome, Committed) else outcome for outcome in found] == [
            None if isinstance(outcome, Committed) else outcome for outcome in expected
        ]
    for log in "abc":
        assert await redis_store.read(f"{run}{log}") == await model.read(f"{run}{log}")


# --- inboxes


async def receive(messages: "asyncio.Queue[bytes]", count: int) -> list[bytes]:
    async with asyncio.timeout(10):
        return [await messages.get() for _ in range(count)]


def no_gap() -> None:
    raise AssertionError("no message can have been lost")


async def test_notices_of_commits_arrive_in_order_and_those_of_refused_ones_do_not(store: Store) -> None:
    messages: asyncio.Queue[bytes] = asyncio.Queue()
    listener = store.listen(keys.inbox("n"), messages.put_nowait, no_gap)
    await listener.opened()
    notices = (
        Notice(keys.inbox("n"), b"1\xff\r\n"),
        Notice(keys.inbox("m"), b"not ours"),
        Notice(keys.inbox("n"), b""),
    )
    await store.commit(
        [
            Commit((Append("a", 0, (b"x",)),), notices),
            Commit((Append("b", 3, (b"x", b"y")),), (Notice(keys.inbox("n"), b"refused"),)),
            Commit((), (Notice(keys.inbox("n"), b"3"),)),
        ]
    )
    await say(store, keys.inbox("n"), b"4")
    assert await receive(messages, 4) == [b"1\xff\r\n", b"", b"3", b"4"]
    await listener.aclose()


async def test_every_lost_subscription_is_told_as_a_gap_and_messages_go_on(
    store: Store, break_subscriptions: Break
) -> None:
    messages: asyncio.Queue[bytes] = asyncio.Queue()
    gaps: asyncio.Queue[bytes] = asyncio.Queue()
    listener = store.listen(keys.inbox("n"), messages.put_nowait, lambda: gaps.put_nowait(b"gap"))
    await listener.opened()
    for number in range(5):
        await break_subscriptions()
        assert await receive(gaps, 1) == [b"gap"]
        await say(store, keys.inbox("n"), b"%d" % number)
        assert await receive(messages, 1) == [b"%d" % number]
    assert gaps.empty()
    await listener.aclose()


async def test_a_listener_is_not_silent_while_its_store_is_well(store: Store) -> None:
    listener = store.listen(keys.inbox("n"), lambda _: None, no_gap)
    await listener.opened()
    assert 0 <= listener.silence() < 10
    await listener.aclose()


async def test_a_closed_listener_calls_nobody(store: Store, break_subscriptions: Break) -> None:
    """A listener that stays, on the same inbox, shows when the closed one would have been called."""
    heard: asyncio.Queue[bytes] = asyncio.Queue()
    other: asyncio.Queue[bytes] = asyncio.Queue()
    closing = store.listen(keys.inbox("n"), heard.put_nowait, no_gap)
    staying = store.listen(keys.inbox("n"), other.put_nowait, lambda: other.put_nowait(b"gap"))
    await closing.opened()
    await staying.opened()
    await say(store, keys.inbox("n"), b"for both")
    assert await receive(heard, 1) == await receive(other, 1) == [b"for both"]
    await closing.aclose()
    await break_subscriptions()
    assert await receive(other, 1) == [b"gap"]
    await say(store, keys.inbox("n"), b"for one")
    assert await receive(other, 1) == [b"for one"]
    assert heard.empty()
    await staying.aclose()


# --- leaderboards


LONG: Final[Any] = {"most": 100, "keep_s": 60}
"""A leaderboard that is long enough, and kept for long."""


async def test_a_leaderboard_keeps_the_best_value_and_its_detail(store: Store) -> None:
    board = keys.board("SS1-S1-AAAAABD", "time")
    told = [
        await store.post(board, "ann", value, "lowest", b"%d" % value, **LONG)
        for value in (50, 60, 40, 40, 45)
    ]
    assert told == [True, False, True, False, False]
    assert await store.top(board, 10, "lowest") == [Ranked("ann", 40, b"40")]
    board = keys.board("SS1-S1-AAAAABD", "score")
    told = [
        await store.post(board, "ann", value, "highest", b"%d" % value, **LONG)
        for value in (-50, -60, 40, 40, 39)
    ]
    assert told == [True, False, True, False, False]
    assert await store.top(board, 10, "highest") == [Ranked("ann", 40, b"40")]


async def test_posting_again_changes_nothing(store: Store) -> None:
    """A projection can be repeated by another node, with an equal value and its own detail."""
    assert await store.post("b", "ann", 5, "lowest", b"first", **LONG)
    assert not await store.post("b", "ann", 5, "lowest", b"second", **LONG)
    assert await store.top("b", 1, "lowest") == [Ranked("ann", 5, b"first")]


@pytest.mark.parametrize("keep", ["lowest", "highest"])
async def test_the_top_is_best_first_and_equal_values_are_in_order_of_member(
    store: Store, keep: Keep
) -> None:
    sign = 1 if keep == "lowest" else -1
    for member, value in (("cid", 7), ("é", 7), ("ann", 7), ("bob", 9), ("dan", -3), ("eve", 2**53 - 1)):
        await store.post("b", member, sign * value, keep, member.encode(), **LONG)
    ranked = await store.top("b", 10, keep)
    assert [(line.member, sign * line.value) for line in ranked] == [
        ("dan", -3),
        ("ann", 7),
        ("cid", 7),
        ("é", 7),
        ("bob", 9),
        ("eve", 2**53 - 1),
    ]
    assert [line.detail.decode() for line in ranked] == [line.member for line in ranked]
    assert await store.top("b", 2, keep) == ranked[:2]
    assert await store.top("b", 0, keep) == []
    assert await store.top("nobody", 3, keep) == []


@pytest.mark.parametrize("keep", ["lowest", "highest"])
async def test_a_leaderboard_keeps_so_many_lines_the_best(store: Store, keep: Keep) -> None:
    """Who does not come onto it, or is pushed off, leaves nothing there, and may come onto it later."""
    sign = 1 if keep == "lowest" else -1

    async def offer(member: str, value: int) -> bool:
        return await store.post("b", member, sign * value, keep, member.encode(), most=2, keep_s=60)

    assert [await offer(*line) for line in (("ann", 5), ("bob", 3), ("cid", 9))] == [True, True, False]
    assert await offer("cid", 4)
    assert await store.top("b", 9, keep) == [
        Ranked("bob", sign * 3, b"bob"),
        Ranked("cid", sign * 4, b"cid"),
    ]
    assert not await offer("ann", 5)


async def test_a_leaderboard_vanishes_when_nothing_has_been_offered_for_long(store: Store) -> None:
    """Be it a value that changes something or not: each puts the end off."""
    for board in "ab":
        await store.post(board, "ann", 1, "lowest", b"d", most=9, keep_s=1)
    assert not await store.post("a", "ann", 2, "lowest", b"d", most=9, keep_s=60)

    async def gone() -> bool:
        return await store.top("b", 1, "lowest") == []

    await until(gone)
    assert await store.top("a", 1, "lowest") == [Ranked("ann", 1, b"d")]
    assert await store.post("b", "ann", 2, "lowest", b"new", **LONG)
    assert await store.top("b", 1, "lowest") == [Ranked("ann", 2, b"new")]


# --- agendas, signs of life, expiry


async def test_an_agenda_tells_what_is_due_earliest_first_and_keeps_it(store: Store) -> None:
    for item, at_ms in (("c", 30), ("a", 10), ("b", 20), ("d", 1_800_000_000_000)):
        await store.schedule("agenda:rooms", item, at_ms)
    assert await store.due("agenda:rooms", 9, 10) == []
    assert await store.due("agenda:rooms", 20, 10) == ["a", "b"]
    assert await store.due("agenda:rooms", 1_800_000_000_000, 3) == ["a", "b", "c"]
    assert await store.due("agenda:rooms", 1_800_000_000_000, 9) == ["a", "b", "c", "d"]


async def test_a_rescheduled_item_moves_and_survives_being_ticked_off_for_the_old_time(store: Store) -> None:
    await store.schedule("agenda:rooms", "a", 10)
    await store.schedule("agenda:rooms", "a", 50)
    assert await store.due("agenda:rooms", 49, 10) == []
    assert not await store.unschedule("agenda:rooms", "a", 10)
    assert await store.due("agenda:rooms", 50, 10) == ["a"]
    assert await store.unschedule("agenda:rooms", "a", 50)
    assert not await store.unschedule("agenda:rooms", "a", 50)
    assert await store.due("agenda:rooms", 99, 10) == []


async def test_a_node_is_alive_until_its_sign_of_life_runs_out(store: Store) -> None:
    await store.beat("a", 60_000)
    await store.beat("b", 1)

    async def only_a() -> bool:
        return await store.alive("abc") == {"a"}

    await until(only_a)
    assert await store.alive([]) == set()


async def test_an_append_can_give_its_log_an_end_and_another_puts_it_off(store: Store) -> None:
    """Also one without entries: so what is used stays, and what nobody comes back to goes."""
    await store.commit([Commit((Append(log, 0, (b"1",), keep_s=1),)) for log in "abc"])
    await store.commit([one("c", 1, b"2"), Commit((Append("b", 1, (), keep_s=60),))])
    assert await store.commit([Commit((Append("a", 0, (), keep_s=60),))]) == [Conflict("a", 1)]
    await until(lambda: _is_gone(store, "a", "c"))
    assert await store.read("b") == [b"1"]


async def _is_gone(store: Store, *logs: str) -> bool:
    return not any([await store.length(log) for log in logs])

"""Contract of every store: the same tests on the store in memory and on a real server."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeAlias

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from racetest import publish_to, until

from server.store import keys
from server.store.memory import MemoryStore
from server.store.port import (
    Append,
    Commit,
    Committed,
    Conflict,
    Keep,
    Outcome,
    Publish,
    RankedMember,
    Store,
)

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
    """Break every subscription from the store's side."""

    async def cut() -> None:
        if isinstance(store, MemoryStore):
            store.break_subscriptions()
        else:
            await command("CLIENT", "KILL", "TYPE", "pubsub")

    return cut


def one(log: str, expected: int, *entries: bytes) -> Commit:
    return Commit((Append(log, expected, entries),))


def made(outcomes: list[Outcome]) -> list[bool]:
    return [isinstance(outcome, Committed) for outcome in outcomes]


async def test_a_commit_appends_and_returns_the_time_of_the_store(store: Store) -> None:
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
    notice = Publish("inbox:x", b"never")
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


async def test_a_commit_that_depends_on_a_refused_one_is_refused_although_its_length_matches(
    store: Store,
) -> None:
    """Another node has written as many entries as the refused commit would have."""
    await store.commit([one("a", 0, b"another node's")])
    outcomes = await store.commit([one("a", 0, b"mine"), one("a", 1, b"decided on mine")])
    assert outcomes == [Conflict("a", 1), Conflict("a", 1)]
    assert await store.read("a") == [b"another node's"]


async def test_a_commit_that_depends_on_a_refused_one_through_another_is_refused(store: Store) -> None:
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
    """In a script, one Redis command takes only some thousands of arguments."""
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
    assert await store.read("no log") == []
    assert await store.length("no log") == 0


async def test_an_empty_batch_has_no_outcomes(store: Store) -> None:
    assert await store.commit([]) == []


# --- the data format


async def test_an_empty_store_gets_the_format_of_the_first_claim(store: Store) -> None:
    assert await store.claim_format(7) == 7
    assert await store.claim_format(7) == 7
    assert await store.claim_format(8) == 7
    await store.commit([one(keys.player_log("p"), 0, b"x")])
    assert await store.claim_format(8) == 7


async def test_nodes_that_claim_an_empty_store_at_once_agree(store: Store) -> None:
    numbers = range(2, 22)
    found = await asyncio.gather(*[store.claim_format(number) for number in numbers])
    assert len(set(found)) == 1
    assert found[0] in numbers
    assert await store.claim_format(99) == found[0]


@pytest.mark.parametrize("what", ["log", "leaderboard", "schedule", "heartbeat"])
async def test_data_without_a_number_has_format_1_and_gets_none(store: Store, what: str) -> None:
    """Any data counts. Once it is gone, the store is empty and can be claimed."""
    log, leaderboard = keys.player_log("p"), keys.leaderboard("SS1-S1-AAAAABD", "time")
    match what:
        case "log":
            await store.commit([one(log, 0, b"x")])
        case "leaderboard":
            await store.post(leaderboard, "ann", 1, "lowest", b"", **LONG)
        case "schedule":
            await store.schedule(keys.rooms_schedule(), "BCDFG", 1)
        case _:
            await store.heartbeat("n", 60_000)
    assert [await store.claim_format(7) for _ in range(2)] == [1, 1]
    match what:
        case "log":
            await store.commit([Commit((Append(log, 1, (), ttl_s=0),))])
        case "leaderboard":
            await store.post(leaderboard, "ann", 1, "lowest", b"", max_rows=9, ttl_s=0)
        case "schedule":
            await store.unschedule(keys.rooms_schedule(), "BCDFG", 1)
        case _:
            await store.heartbeat("n", 1)

    async def claimed() -> bool:
        return await store.claim_format(7) == 7

    await until(claimed)


# --- commits of both stores compared


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
async def test_both_stores_return_the_same_outcomes_for_any_commits(
    batches: list[list[Commit]], redis_store: Store
) -> None:
    """The store in memory is the specification."""
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


async def test_messages_of_commits_arrive_in_order_and_those_of_refused_ones_do_not(store: Store) -> None:
    messages: asyncio.Queue[bytes] = asyncio.Queue()
    subscriber = store.subscribe(keys.inbox("n"), messages.put_nowait, no_gap)
    await subscriber.subscribed()
    published = (
        Publish(keys.inbox("n"), b"1\xff\r\n"),
        Publish(keys.inbox("m"), b"not ours"),
        Publish(keys.inbox("n"), b""),
    )
    await store.commit(
        [
            Commit((Append("a", 0, (b"x",)),), published),
            Commit((Append("b", 3, (b"x", b"y")),), (Publish(keys.inbox("n"), b"refused"),)),
            Commit((), (Publish(keys.inbox("n"), b"3"),)),
        ]
    )
    await publish_to(store, keys.inbox("n"), b"4")
    assert await receive(messages, 4) == [b"1\xff\r\n", b"", b"3", b"4"]
    await subscriber.aclose()


async def test_every_lost_subscription_is_reported_as_a_gap_and_messages_continue(
    store: Store, break_subscriptions: Break
) -> None:
    messages: asyncio.Queue[bytes] = asyncio.Queue()
    gaps: asyncio.Queue[bytes] = asyncio.Queue()
    subscriber = store.subscribe(keys.inbox("n"), messages.put_nowait, lambda: gaps.put_nowait(b"gap"))
    await subscriber.subscribed()
    for number in range(5):
        await break_subscriptions()
        assert await receive(gaps, 1) == [b"gap"]
        await publish_to(store, keys.inbox("n"), b"%d" % number)
        assert await receive(messages, 1) == [b"%d" % number]
    assert gaps.empty()
    await subscriber.aclose()


async def test_the_probe_of_a_subscriber_is_recent_while_its_store_is_available(store: Store) -> None:
    subscriber = store.subscribe(keys.inbox("n"), lambda _: None, no_gap)
    await subscriber.subscribed()
    assert 0 <= subscriber.probe_age_s() < 10
    await subscriber.aclose()


async def test_a_closed_subscriber_runs_no_callback(store: Store, break_subscriptions: Break) -> None:
    """A second subscriber of the same inbox shows when the closed one would have been called."""
    received: asyncio.Queue[bytes] = asyncio.Queue()
    other: asyncio.Queue[bytes] = asyncio.Queue()
    closing = store.subscribe(keys.inbox("n"), received.put_nowait, no_gap)
    staying = store.subscribe(keys.inbox("n"), other.put_nowait, lambda: other.put_nowait(b"gap"))
    await closing.subscribed()
    await staying.subscribed()
    await publish_to(store, keys.inbox("n"), b"for both")
    assert await receive(received, 1) == await receive(other, 1) == [b"for both"]
    await closing.aclose()
    await break_subscriptions()
    assert await receive(other, 1) == [b"gap"]
    await publish_to(store, keys.inbox("n"), b"for one")
    assert await receive(other, 1) == [b"for one"]
    assert received.empty()
    await staying.aclose()


# --- leaderboards


LONG: Final[Any] = {"max_rows": 100, "ttl_s": 60}
"""A leaderboard without an effective limit in length and time."""


async def test_a_leaderboard_keeps_the_best_value_and_its_detail(store: Store) -> None:
    leaderboard = keys.leaderboard("SS1-S1-AAAAABD", "time")
    best = [
        await store.post(leaderboard, "ann", value, "lowest", b"%d" % value, **LONG)
        for value in (50, 60, 40, 40, 45)
    ]
    assert best == [True, False, True, False, False]
    assert await store.top(leaderboard, 10, "lowest") == [RankedMember("ann", 40, b"40")]
    leaderboard = keys.leaderboard("SS1-S1-AAAAABD", "score")
    best = [
        await store.post(leaderboard, "ann", value, "highest", b"%d" % value, **LONG)
        for value in (-50, -60, 40, 40, 39)
    ]
    assert best == [True, False, True, False, False]
    assert await store.top(leaderboard, 10, "highest") == [RankedMember("ann", 40, b"40")]


async def test_posting_again_changes_nothing(store: Store) -> None:
    """Another node may repeat a projection, with an equal value and another detail."""
    assert await store.post("b", "ann", 5, "lowest", b"first", **LONG)
    assert not await store.post("b", "ann", 5, "lowest", b"second", **LONG)
    assert await store.top("b", 1, "lowest") == [RankedMember("ann", 5, b"first")]


@pytest.mark.parametrize("keep", ["lowest", "highest"])
async def test_the_top_is_best_first_and_equal_values_are_in_order_of_member(
    store: Store, keep: Keep
) -> None:
    sign = 1 if keep == "lowest" else -1
    for member, value in (("cid", 7), ("é", 7), ("ann", 7), ("bob", 9), ("dan", -3), ("eve", 2**53 - 1)):
        await store.post("b", member, sign * value, keep, member.encode(), **LONG)
    ranked = await store.top("b", 10, keep)
    assert [(row.member, sign * row.value) for row in ranked] == [
        ("dan", -3),
        ("ann", 7),
        ("cid", 7),
        ("é", 7),
        ("bob", 9),
        ("eve", 2**53 - 1),
    ]
    assert [row.detail.decode() for row in ranked] == [row.member for row in ranked]
    assert await store.top("b", 2, keep) == ranked[:2]
    assert await store.top("b", 0, keep) == []
    assert await store.top("no leaderboard", 3, keep) == []


@pytest.mark.parametrize("keep", ["lowest", "highest"])
async def test_a_leaderboard_keeps_only_the_best_rows(store: Store, keep: Keep) -> None:
    """A member that is not among them leaves nothing behind, and can enter later."""
    sign = 1 if keep == "lowest" else -1

    async def post(member: str, value: int) -> bool:
        return await store.post("b", member, sign * value, keep, member.encode(), max_rows=2, ttl_s=60)

    assert [await post(*row) for row in (("ann", 5), ("bob", 3), ("cid", 9))] == [True, True, False]
    assert await post("cid", 4)
    assert await store.top("b", 9, keep) == [
        RankedMember("bob", sign * 3, b"bob"),
        RankedMember("cid", sign * 4, b"cid"),
    ]
    assert not await post("ann", 5)


async def test_a_leaderboard_expires_after_the_last_post(store: Store) -> None:
    """Every post extends the time to live, also one that changes nothing."""
    for leaderboard in "ab":
        await store.post(leaderboard, "ann", 1, "lowest", b"d", max_rows=9, ttl_s=1)
    assert not await store.post("a", "ann", 2, "lowest", b"d", max_rows=9, ttl_s=60)

    async def gone() -> bool:
        return await store.top("b", 1, "lowest") == []

    await until(gone)
    assert await store.top("a", 1, "lowest") == [RankedMember("ann", 1, b"d")]
    assert await store.post("b", "ann", 2, "lowest", b"new", **LONG)
    assert await store.top("b", 1, "lowest") == [RankedMember("ann", 2, b"new")]


# --- schedules, heartbeats, expiry


async def test_due_items_of_a_schedule_come_earliest_first_and_stay(store: Store) -> None:
    for item, at_ms in (("c", 30), ("a", 10), ("b", 20), ("d", 1_800_000_000_000)):
        await store.schedule("schedule:rooms", item, at_ms)
    assert await store.due("schedule:rooms", 9, 10) == []
    assert await store.due("schedule:rooms", 20, 10) == ["a", "b"]
    assert await store.due("schedule:rooms", 1_800_000_000_000, 3) == ["a", "b", "c"]
    assert await store.due("schedule:rooms", 1_800_000_000_000, 9) == ["a", "b", "c", "d"]


async def test_a_rescheduled_item_moves_and_is_not_removed_for_its_old_time(store: Store) -> None:
    await store.schedule("schedule:rooms", "a", 10)
    await store.schedule("schedule:rooms", "a", 50)
    assert await store.due("schedule:rooms", 49, 10) == []
    assert not await store.unschedule("schedule:rooms", "a", 10)
    assert await store.due("schedule:rooms", 50, 10) == ["a"]
    assert await store.unschedule("schedule:rooms", "a", 50)
    assert not await store.unschedule("schedule:rooms", "a", 50)
    assert await store.due("schedule:rooms", 99, 10) == []


async def test_a_node_is_alive_until_its_heartbeat_expires(store: Store) -> None:
    await store.heartbeat("a", 60_000)
    await store.heartbeat("b", 1)

    async def only_a() -> bool:
        return await store.alive("abc") == {"a"}

    await until(only_a)
    assert await store.alive([]) == set()


async def test_an_append_can_set_the_expiry_of_its_log_and_another_extends_it(store: Store) -> None:
    """An append without entries does so too: logs in use stay, and abandoned ones expire."""
    await store.commit([Commit((Append(log, 0, (b"1",), ttl_s=1),)) for log in "abc"])
    await store.commit([one("c", 1, b"2"), Commit((Append("b", 1, (), ttl_s=60),))])
    assert await store.commit([Commit((Append("a", 0, (), ttl_s=60),))]) == [Conflict("a", 1)]
    await until(lambda: _is_gone(store, "a", "c"))
    assert await store.read("b") == [b"1"]


async def _is_gone(store: Store, *logs: str) -> bool:
    return not any([await store.length(log) for log in logs])

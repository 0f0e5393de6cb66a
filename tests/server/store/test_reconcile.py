"""Reconciliation of a batch whose answer was lost, with commands that are executed late."""

from collections.abc import Sequence

import pytest

from server.store.memory import MemoryStore
from server.store.port import Append, Commit, Committed, Conflict, Outcome
from server.store.reconcile import reconcile

NOW = 1_000


def one(log: str, expected: int, *entries: bytes) -> Commit:
    return Commit((Append(log, expected, entries),))


class LateStore(MemoryStore):
    """Executes a lost batch only when the next one arrives, like a server that was stalled."""

    def __init__(self, lost: Sequence[Commit] = ()) -> None:
        super().__init__(lambda: NOW)
        self.lost = lost
        self.sent: list[list[Commit]] = []

    async def commit(self, batch: Sequence[Commit]) -> list[Outcome]:
        late, self.lost = self.lost, ()
        if late:
            await super().commit(late)
        self.sent.append(list(batch))
        return await super().commit(batch)


BATCH = [
    one("a", 0, b"1"),
    one("a", 1, b"2"),
    Commit((Append("b", 0, (b"x",)), Append("c", 0, (b"y", b"z")))),
]


@pytest.mark.parametrize("made", range(4))
async def test_commits_that_were_made_are_found_and_only_the_others_are_sent(made: int) -> None:
    store = LateStore()
    await store.commit(BATCH[:made])
    store.sent.clear()
    assert await reconcile(store, BATCH) == [Committed(NOW)] * 3
    assert store.sent == ([BATCH[made:]] if made < 3 else [])
    assert [await store.read(log) for log in "abc"] == [[b"1", b"2"], [b"x"], [b"y", b"z"]]


async def test_a_lost_batch_that_is_executed_just_before_its_repetition_is_found() -> None:
    store = LateStore(BATCH)
    assert await reconcile(store, BATCH) == [Committed(NOW)] * 3
    assert [await store.read(log) for log in "abc"] == [[b"1", b"2"], [b"x"], [b"y", b"z"]]


async def test_a_lost_batch_that_is_executed_after_everything_changes_nothing() -> None:
    store = LateStore()
    await reconcile(store, BATCH)
    assert [type(outcome) for outcome in await store.commit(BATCH)] == [Conflict] * 3
    assert [await store.read(log) for log in "abc"] == [[b"1", b"2"], [b"x"], [b"y", b"z"]]


async def test_entries_of_another_node_in_the_same_place_are_a_conflict() -> None:
    store = LateStore()
    await store.commit([one("a", 0, b"theirs", b"2")])
    await store.commit([one("c", 0, b"y", b"theirs")])
    outcomes = await reconcile(store, BATCH)
    assert outcomes == [Conflict("a", 2), Conflict("a", 2), Conflict("c", 2)]
    assert [await store.read(log) for log in "abc"] == [[b"theirs", b"2"], [], [b"y", b"theirs"]]


async def test_a_commit_without_entries_is_sent_again() -> None:
    store = LateStore()
    condition = Commit((Append("a", 1, ()),))
    await store.commit(BATCH[:1])
    assert await reconcile(store, [BATCH[0], condition]) == [Committed(NOW)] * 2
    assert await reconcile(store, [Commit((Append("a", 5, ()),))]) == [Conflict("a", 1)]
    assert await reconcile(store, []) == []

from server.store.port import Append, Commit, Conflict
from server.store.stale_logs import StaleLogs


def on(*logs: str) -> Commit:
    return Commit(tuple(Append(log, 3, (b"x",)) for log in logs))


def test_commits_with_a_number_below_the_limit_are_refused_and_later_ones_are_not() -> None:
    stale = StaleLogs()
    assert not stale
    stale.add(on("a", "b"), Conflict("b", 7), until=10)
    assert stale
    assert stale.conflict_of(on("b"), 9) == Conflict("b", 7)
    assert stale.conflict_of(on("c", "a"), 9) == Conflict("a", 3)
    assert stale.conflict_of(on("b"), 10) is None
    assert stale.conflict_of(on("c"), 9) is None


def test_a_limit_is_never_lowered() -> None:
    stale = StaleLogs()
    stale.add(on("a"), Conflict("a", 7), until=10)
    stale.add(on("a"), Conflict("a", 8), until=5)
    assert stale.conflict_of(on("a"), 9) == Conflict("a", 8)


def test_logs_that_affect_no_later_commit_are_discarded() -> None:
    stale = StaleLogs()
    stale.add(on("a"), Conflict("a", 7), until=10)
    stale.discard_before(9)
    assert stale
    stale.discard_before(10)
    assert not stale

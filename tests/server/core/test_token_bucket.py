"""Token buckets: so much at once, so much in a time, and a word before the door closes."""

from hypothesis import given
from hypothesis import strategies as st

from server.core.token_bucket import Bucket, Quota


def test_a_bucket_gives_its_burst_at_once_and_then_its_rate() -> None:
    bucket = Bucket(rate=2, burst=3, now=100.0)
    assert [bucket.take(100.0) for _ in range(4)] == [True, True, True, False]
    assert bucket.take(101.0) is True
    assert bucket.take(101.0) is False


def test_a_bucket_never_holds_more_than_its_burst() -> None:
    bucket = Bucket(rate=2, burst=3, now=0.0)
    assert [bucket.take(3600.0) for _ in range(4)] == [True, True, True, False]


def test_who_is_a_little_too_fast_is_refused_and_goes_on_after_a_pause() -> None:
    bucket = Bucket(rate=1, burst=2, now=0.0)
    for _ in range(3):
        bucket.take(0.0)
    assert not bucket.exhausted
    assert bucket.take(2.0) is True


def test_who_goes_on_regardless_is_exhausted() -> None:
    """Twice the burst, refused messages included."""
    bucket = Bucket(rate=1, burst=2, now=0.0)
    for _ in range(3):
        bucket.take(0.0)
        assert not bucket.exhausted
    bucket.take(0.0)
    assert bucket.exhausted


def test_an_exhausted_bucket_sinks_no_deeper() -> None:
    bucket = Bucket(rate=1, burst=2, now=0.0)
    bucket.take(0.0, 1_000.0)
    assert bucket.take(3.0) is True


def test_something_may_cost_more_than_one_token() -> None:
    bucket = Bucket(rate=1, burst=5, now=0.0)
    assert bucket.take(0.0, 3) is True
    assert bucket.take(0.0, 3) is False


def test_a_bucket_is_full_again_after_its_burst_at_its_rate() -> None:
    bucket = Bucket(rate=2, burst=4, now=0.0)
    assert bucket.is_full(0.0)
    bucket.take(0.0, 4)
    assert (bucket.is_full(1.9), bucket.is_full(2.0)) == (False, True)


@given(st.lists(st.floats(0.0, 5.0), max_size=50))
def test_over_any_time_a_bucket_gives_no_more_than_burst_and_rate_allow(pauses: list[float]) -> None:
    bucket, now, given_out = Bucket(rate=2, burst=3, now=0.0), 0.0, 0
    for pause in pauses:
        now += pause
        given_out += bucket.take(now)
        assert given_out <= 3 + 2 * now + 1e-6


def test_a_quota_counts_for_each_alone() -> None:
    quota = Quota(rate=1, burst=2)
    assert [quota.take("a", 50.0) for _ in range(3)] == [True, True, False]
    assert quota.take("b", 50.0) is True
    assert quota.take("a", 51.0) is True


def test_asking_a_quota_in_vain_costs_nothing() -> None:
    """Somebody who may open a room a minute gets one after a minute, however often they asked meanwhile."""
    quota = Quota(rate=1 / 60, burst=1)
    assert quota.take("a", 1_000.0) is True
    assert [quota.take("a", 1_000.0 + second) for second in range(60)] == [False] * 60
    assert quota.take("a", 1_060.0) is True


def test_a_quota_forgets_nobody_who_still_owes() -> None:
    """Tidying drops full buckets only, or a burst could be had again by waiting for it."""
    quota = Quota(rate=1, burst=10)
    quota.take("b", 100.0)
    assert [quota.take("a", 110.0) for _ in range(10)] == [True] * 10
    assert quota.take("b", 111.0) is True
    assert [quota.take("a", 111.0) for _ in range(2)] == [True, False]


def test_what_was_taken_for_nothing_is_given_back() -> None:
    """Nobody gets more than a full bucket by it, and who has taken nothing gets nothing."""
    quota = Quota(rate=1, burst=2)
    assert [quota.take("a", 50.0), quota.take("a", 50.0)] == [True, True]
    quota.give_back("a", 50.0)
    quota.give_back("b", 50.0)
    assert [quota.take("a", 50.0), quota.take("a", 50.0)] == [True, False]
    quota.give_back("a", 60.0)
    assert [quota.take("a", 70.0) for _ in "123"] == [True, True, False]

"""Token buckets: burst, rate, overdraft, quotas by key."""

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


def test_an_overdrawn_bucket_refuses_until_it_has_refilled() -> None:
    bucket = Bucket(rate=1, burst=2, now=0.0)
    for _ in range(3):
        bucket.take(0.0)
    assert not bucket.exhausted
    assert bucket.take(2.0) is True


def test_a_bucket_overdrawn_by_its_burst_is_exhausted() -> None:
    """After twice the burst, refused messages included."""
    bucket = Bucket(rate=1, burst=2, now=0.0)
    for _ in range(3):
        bucket.take(0.0)
        assert not bucket.exhausted
    bucket.take(0.0)
    assert bucket.exhausted


def test_a_bucket_is_never_overdrawn_by_more_than_its_burst() -> None:
    bucket = Bucket(rate=1, burst=2, now=0.0)
    bucket.take(0.0, 1_000.0)
    assert bucket.take(3.0) is True


def test_several_tokens_can_be_taken_at_once() -> None:
    bucket = Bucket(rate=1, burst=5, now=0.0)
    assert bucket.take(0.0, 3) is True
    assert bucket.take(0.0, 3) is False


def test_a_bucket_refills_at_its_rate() -> None:
    bucket = Bucket(rate=2, burst=4, now=0.0)
    assert bucket.is_full(0.0)
    bucket.take(0.0, 4)
    assert (bucket.is_full(1.9), bucket.is_full(2.0)) == (False, True)


@given(st.lists(st.floats(0.0, 5.0), max_size=50))
def test_over_any_time_a_bucket_gives_no_more_than_burst_and_rate_allow(pauses: list[float]) -> None:
    bucket, now, taken = Bucket(rate=2, burst=3, now=0.0), 0.0, 0
    for pause in pauses:
        now += pause
        taken += bucket.take(now)
        assert taken <= 3 + 2 * now + 1e-6


def test_a_quota_counts_each_key_separately() -> None:
    quota = Quota(rate=1, burst=2)
    assert [quota.take("a", 50.0) for _ in range(3)] == [True, True, False]
    assert quota.take("b", 50.0) is True
    assert quota.take("a", 51.0) is True


def test_a_refused_take_of_a_quota_takes_nothing() -> None:
    """With one token a minute, the next one is there after a minute, whatever was refused meanwhile."""
    quota = Quota(rate=1 / 60, burst=1)
    assert quota.take("a", 1_000.0) is True
    assert [quota.take("a", 1_000.0 + second) for second in range(60)] == [False] * 60
    assert quota.take("a", 1_060.0) is True


def test_a_quota_discards_only_full_buckets() -> None:
    """Otherwise a key would get its burst again too early."""
    quota = Quota(rate=1, burst=10)
    quota.take("b", 100.0)
    assert [quota.take("a", 110.0) for _ in range(10)] == [True] * 10
    assert quota.take("b", 111.0) is True
    assert [quota.take("a", 111.0) for _ in range(2)] == [True, False]


def test_a_token_can_be_given_back() -> None:
    """A bucket never gets more than full, and an unknown key gets nothing."""
    quota = Quota(rate=1, burst=2)
    assert [quota.take("a", 50.0), quota.take("a", 50.0)] == [True, True]
    quota.give_back("a", 50.0)
    quota.give_back("b", 50.0)
    assert [quota.take("a", 50.0), quota.take("a", 50.0)] == [True, False]
    quota.give_back("a", 60.0)
    assert [quota.take("a", 70.0) for _ in "123"] == [True, True, False]

"""Rate limit of a client's own messages."""

import pytest

from protocol import limits
from protocol.rate_limit import MARGIN, RateLimit


def test_a_burst_goes_out_at_once_and_the_rest_at_the_rate() -> None:
    rate_limit = RateLimit()
    burst = int(limits.MESSAGE_BURST * MARGIN)
    assert [rate_limit.wait(0.0) for _ in range(burst)] == [0.0] * burst
    assert rate_limit.wait(0.0) == pytest.approx(1 / (limits.MESSAGES_PER_SECOND * MARGIN))


def test_a_charge_is_waited_for() -> None:
    rate_limit = RateLimit(tokens=1.0)
    rate_limit.charge(16.0)
    assert rate_limit.wait(0.0) == pytest.approx(16.0 / (limits.MESSAGES_PER_SECOND * MARGIN))


def test_more_than_there_is_costs_a_second() -> None:
    """A server that answers `rate_limited` had fewer tokens than the client: wait, but not endlessly."""
    for tokens in (limits.MESSAGE_BURST * MARGIN, 0.0):
        rate_limit = RateLimit(tokens=tokens)
        rate_limit.charge(limits.MESSAGE_BURST + limits.MESSAGES_PER_SECOND)
        assert 1.0 <= rate_limit.wait(0.0) < 1.1


@pytest.mark.parametrize("cost", [1, limits.ROOM_EVENT_COST])
def test_the_server_s_bucket_never_runs_dry_for_a_client_at_this_pace(cost: int) -> None:
    """Held against the server's own rule: a bucket of MESSAGE_BURST, refilled at MESSAGES_PER_SECOND."""
    rate_limit, now, theirs = RateLimit(), 0.0, float(limits.MESSAGE_BURST)
    for _ in range(1000):
        rate_limit.charge(cost - 1)
        wait = rate_limit.wait(now)
        now += wait
        theirs = min(limits.MESSAGE_BURST, theirs + wait * limits.MESSAGES_PER_SECOND) - cost
        assert theirs >= 0


def test_time_that_passes_refills_the_burst_and_no_more() -> None:
    rate_limit = RateLimit(tokens=0.0)
    rate_limit.wait(3600.0)
    assert rate_limit.tokens == limits.MESSAGE_BURST * MARGIN - 1

"""The wait before a lost connection is tried again."""

import pytest

from protocol.backoff import delay


@pytest.mark.parametrize(
    ("attempt", "longest"),
    [(0, 0.2), (1, 0.4), (2, 0.8), (3, 1.6), (4, 3.2), (5, 5.0), (6, 5.0), (10**9, 5.0)],
)
def test_the_longest_wait_doubles_up_to_five_seconds(attempt: int, longest: float) -> None:
    assert delay(attempt, 1.0) == pytest.approx(longest)


def test_chance_spreads_clients_over_the_whole_wait() -> None:
    """Full jitter: clients that were cut off together do not come back together."""
    assert [delay(2, chance) for chance in (0.0, 0.25, 0.5)] == pytest.approx([0.0, 0.2, 0.4])

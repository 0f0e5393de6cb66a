"""Sweeps over logs and leaderboards, small, on a real store."""

import pytest

from bench.growth_store import by_log_length, by_posts

pytestmark = pytest.mark.usefixtures("_service")


async def test_logs_are_measured_at_every_length_in_every_round() -> None:
    """A commit, and reading and replaying the log."""
    samples = await by_log_length(2, (10, 30))
    assert {name: [length for length, _ in each] for name, each in samples.items()} == {
        "commit µs": [10, 30, 10, 30],
        "read and replay ms": [10, 30, 10, 30],
    }
    assert all(taken > 0 for each in samples.values() for _, taken in each)


async def test_leaderboards_are_measured_after_posts_to_one_or_to_many() -> None:
    """A new best value, and reading the rows."""
    samples = await by_posts(2, (300,))
    assert {name: [posts for posts, _ in each] for name, each in samples.items()} == {
        "post µs, one board": [300, 300],
        "read µs, one board": [300, 300],
        "post µs, of many": [300, 300],
        "read µs, of many": [300, 300],
    }
    assert all(taken > 0 for each in samples.values() for _, taken in each)


async def test_a_point_is_at_the_number_of_posts_that_was_reached_in_time() -> None:
    """A slow machine measures less."""
    samples = await by_posts(1, (2_500,), filling_s=0)
    assert [posts for posts, _ in samples["read µs, one board"]] == [1_000]

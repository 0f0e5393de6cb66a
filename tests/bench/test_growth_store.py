"""How logs and leaderboards are swept, on a real store and in small."""

from bench.growth_store import by_log_length, by_posts


async def test_logs_are_measured_at_every_length_in_every_round() -> None:
    """A commit to them, and reading and replaying them."""
    samples = await by_log_length(2, (10, 30))
    assert {name: [length for length, _ in each] for name, each in samples.items()} == {
        "commit µs": [10, 30, 10, 30],
        "read and replay ms": [10, 30, 10, 30],
    }
    assert all(taken > 0 for each in samples.values() for _, taken in each)


async def test_leaderboards_are_measured_after_so_many_offers_to_one_or_to_many() -> None:
    """A new best, and reading what is shown."""
    samples = await by_posts(2, (300,))
    assert {name: [offers for offers, _ in each] for name, each in samples.items()} == {
        "post µs, one board": [300, 300],
        "read µs, one board": [300, 300],
        "post µs, of many": [300, 300],
        "read µs, of many": [300, 300],
    }
    assert all(taken > 0 for each in samples.values() for _, taken in each)


async def test_a_point_stands_at_the_offers_that_could_be_made_in_time() -> None:
    """A slow machine measures less, and says so."""
    samples = await by_posts(1, (2_500,), filling_s=0)
    assert [offers for offers, _ in samples["read µs, one board"]] == [1_000]

import pytest

from server.transport import TransportLimits


def test_who_may_have_many_connections_may_open_them_all_at_once() -> None:
    """As everybody behind one address does, after a restart of the server."""
    assert TransportLimits().handshakes_per_address == 256
    many = TransportLimits(connections_per_address=2_000)
    assert (many.handshakes_per_address, many.opened_at_once, many.opened_per_second) == (2_000, 4_000, 200.0)


@pytest.mark.parametrize(
    ("limits", "sweep_seconds"),
    [
        (TransportLimits(), 0.5),
        (TransportLimits(close_seconds=30), 1.0),
        (TransportLimits(idle_seconds=0.4), 0.1),
    ],
)
def test_sweeps_are_frequent_enough_for_the_shortest_limit(
    limits: TransportLimits, sweep_seconds: float
) -> None:
    """A time limit is overdrawn by a quarter at most, and nobody is looked at more than needed."""
    assert limits.sweep_seconds == sweep_seconds

import pytest

from server.transport import TransportLimits


def test_an_address_may_open_all_its_connections_at_once() -> None:
    """All clients behind one address reconnect at the same time after a restart of the server."""
    assert TransportLimits().handshakes_per_address == 256
    many = TransportLimits(connections_per_address=2_000)
    assert (many.handshakes_per_address, many.opened_at_once, many.opened_per_second) == (2_000, 4_000, 200.0)


@pytest.mark.parametrize(
    ("limits", "check_interval_seconds"),
    [
        (TransportLimits(), 0.5),
        (TransportLimits(close_seconds=30), 1.0),
        (TransportLimits(idle_seconds=0.4), 0.1),
    ],
)
def test_the_check_interval_is_a_quarter_of_the_shortest_limit_and_at_most_one_second(
    limits: TransportLimits, check_interval_seconds: float
) -> None:
    """So a time limit is exceeded by a quarter at most, and checks are not more frequent than needed."""
    assert limits.check_interval_seconds == check_interval_seconds

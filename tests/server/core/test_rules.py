"""Times and limits of a room, as the documents state them."""

from protocol import limits
from server.core.rules import Rules

SECOND = 1_000
MINUTE = 60 * SECOND


def test_the_times_and_limits_of_a_room() -> None:
    """PROTOCOL.md states these numbers too."""
    assert Rules() == Rules(
        host_grace_ms=5 * SECOND,
        seat_ms=15 * MINUTE,
        absent_ms=60 * SECOND,
        idle_ms=5 * MINUTE,
        forfeit_undo_ms=10 * SECOND,
        draw_grace_ms=6 * SECOND,
        room_events=50_000,
        room_chat=1_000_000,
    )


def test_a_forfeit_can_be_undone_within_the_limit_of_the_protocol() -> None:
    assert Rules().forfeit_undo_ms == limits.FORFEIT_UNDO_SECONDS * SECOND


def test_a_seat_outlasts_the_time_that_others_wait_for_its_member() -> None:
    """A disconnected member first stops being host, then is not waited for in a race, then loses the seat."""
    rules = Rules()
    assert rules.host_grace_ms < rules.absent_ms < rules.seat_ms

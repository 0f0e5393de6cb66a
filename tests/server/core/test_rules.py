"""How long a room waits, and how much it takes: the numbers that people are told."""

from protocol import limits
from server.core.rules import Rules

SECOND = 1_000
MINUTE = 60 * SECOND


def test_a_room_waits_so_long() -> None:
    """Who changes one of these changes PROTOCOL.md too."""
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


def test_a_forfeit_is_taken_back_within_the_limit_of_the_protocol() -> None:
    assert Rules().forfeit_undo_ms == limits.FORFEIT_UNDO_SECONDS * SECOND


def test_nobody_loses_the_seat_before_the_others_stop_waiting() -> None:
    """First the host's part goes, then the place in the start, then the seat."""
    rules = Rules()
    assert rules.host_grace_ms < rules.absent_ms < rules.seat_ms

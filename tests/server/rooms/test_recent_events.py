"""The last committed events of a room: what can be replayed, and what a rollback has lost."""

from server.core import events as ev
from server.rooms.recent_events import REPLAYED_EVENTS, RecentEvents


def chat(number: int) -> ev.Event:
    return ev.ChatMessage(number, "ada", f"line {number}")


def after_lines(count: int) -> RecentEvents:
    """A room's events 1 to `count`, each a line of chat."""
    recent = RecentEvents()
    for number in range(1, count + 1):
        recent.append(chat(number))
    return recent


def test_the_events_after_a_number_are_replayed_in_order() -> None:
    recent = after_lines(5)
    assert recent.after(3, 5) == [chat(4), chat(5)]
    assert recent.after(5, 5) == []
    assert recent.after(0, 5) == recent.last(5)


def test_a_number_that_never_was_and_one_too_long_ago_cannot_be_replayed_from() -> None:
    recent = after_lines(REPLAYED_EVENTS + 10)
    length = REPLAYED_EVENTS + 10
    assert recent.after(length + 1, length) is None
    assert recent.after(9, length) is None
    assert recent.after(10, length) == recent.last(REPLAYED_EVENTS)


def test_a_rollback_counts_what_is_lost_and_continues_with_what_is_left() -> None:
    recent = after_lines(5)
    assert recent.roll_back(5, [chat(1), chat(2), chat(3)]) == 2
    assert recent.after(1, 3) == [chat(2), chat(3)]


def test_other_events_in_the_places_of_lost_ones_do_not_count_as_kept() -> None:
    recent = after_lines(4)
    others = [chat(1), chat(2), chat(30), chat(40), chat(50)]
    assert recent.roll_back(4, others) == 2
    assert recent.last(3) == others[2:]


def test_the_number_of_a_lost_event_cannot_be_replayed_from_even_when_it_is_used_again() -> None:
    """It does not tell which of the two events the member has received."""
    recent = after_lines(4)
    recent.roll_back(4, [chat(1), chat(2)])
    for number in (30, 40, 50):
        recent.append(chat(number))
    assert recent.after(3, 5) is None
    assert recent.after(4, 5) is None
    assert recent.after(2, 5) == [chat(30), chat(40), chat(50)]

from hypothesis import given
from hypothesis import strategies as st

from server.transport.sweep import Sweep


@given(st.integers(1, 60), st.lists(st.integers(1, 500), min_size=1, max_size=40))
def test_a_member_is_visited_again_within_two_intervals(size: int, pauses: list[int]) -> None:
    """However uneven the calls are, if no pause between two of them exceeds half an interval."""
    members = set(range(size))
    sweep = Sweep(members, seconds=1.0, now=0.0)
    now, seen = 0.0, dict.fromkeys(members, 0.0)
    for pause in pauses * 10:
        now += pause / 1000
        for member in sweep.due(now):
            seen[member] = now
        assert now - min(seen.values()) <= 2.0 + pause / 1000


def test_a_slice_has_the_share_of_the_elapsed_time_and_no_member_twice() -> None:
    sweep = Sweep(set(range(100)), seconds=2.0, now=10.0)
    slices = [sweep.due(10.5), sweep.due(11.0), sweep.due(11.5), sweep.due(12.0)]

    assert [len(members) for members in slices] == [25, 25, 25, 25]
    assert set().union(*slices) == set(range(100))


def test_after_a_pause_of_an_interval_all_members_are_due() -> None:
    """As when the process was suspended."""
    sweep = Sweep(set(range(100)), seconds=2.0, now=0.0)

    assert set(sweep.due(60.0)) == set(range(100))


def test_a_removed_member_is_not_due_and_an_added_one_is_in_the_next_pass() -> None:
    members = {1, 2}
    sweep = Sweep(members, seconds=2.0, now=0.0)
    first = sweep.due(1.0)
    members.clear()
    members.add(3)
    second = sweep.due(2.0)
    third = sweep.due(3.0)

    assert (len(first), second, third) == (1, [], [3])


def test_nothing_is_due_without_elapsed_time_or_without_members() -> None:
    assert Sweep({1}, seconds=2.0, now=0.0).due(0.0) == []
    assert Sweep(set[int](), seconds=2.0, now=0.0).due(60.0) == []


def test_removing_many_members_does_not_delay_the_visits_of_the_others() -> None:
    """A pass that began with ten thousand members takes no longer when most of them are gone."""
    members = set(range(10_000))
    sweep = Sweep(members, seconds=2.0, now=0.0)
    sweep.due(0.01)
    members.difference_update(range(9_990))
    members.update(range(20_000, 20_010))
    seen: set[int] = set()
    for tenth in range(1, 41):
        seen.update(sweep.due(0.01 + tenth / 10))

    assert seen == members

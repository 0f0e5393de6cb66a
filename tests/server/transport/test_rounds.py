from hypothesis import given
from hypothesis import strategies as st

from server.transport.rounds import Rounds


@given(st.integers(1, 60), st.lists(st.integers(1, 500), min_size=1, max_size=40))
def test_between_two_looks_at_one_lie_two_rounds_at_most(people: int, pauses: list[int]) -> None:
    """However unevenly it is asked, if no pause is longer than half a round."""
    everybody = set(range(people))
    rounds = Rounds(everybody, seconds=1.0, now=0.0)
    now, seen = 0.0, dict.fromkeys(everybody, 0.0)
    for pause in pauses * 10:
        now += pause / 1000
        for each in rounds.due(now):
            seen[each] = now
        assert now - min(seen.values()) <= 2.0 + pause / 1000


def test_a_turn_takes_the_share_of_its_time_and_nobody_twice() -> None:
    rounds = Rounds(set(range(100)), seconds=2.0, now=10.0)
    turns = [rounds.due(10.5), rounds.due(11.0), rounds.due(11.5), rounds.due(12.0)]

    assert [len(turn) for turn in turns] == [25, 25, 25, 25]
    assert set().union(*turns) == set(range(100))


def test_after_a_long_pause_everybody_is_due() -> None:
    """As when the process stood still: nobody waits for another round."""
    rounds = Rounds(set(range(100)), seconds=2.0, now=0.0)

    assert set(rounds.due(60.0)) == set(range(100))


def test_who_has_gone_is_not_due_and_who_came_is_in_the_next_round() -> None:
    everybody = {1, 2}
    rounds = Rounds(everybody, seconds=2.0, now=0.0)
    first = rounds.due(1.0)
    everybody.clear()
    everybody.add(3)
    second = rounds.due(2.0)
    third = rounds.due(3.0)

    assert (len(first), second, third) == (1, [], [3])


def test_without_time_or_people_nobody_is_due() -> None:
    assert Rounds({1}, seconds=2.0, now=0.0).due(0.0) == []
    assert Rounds(set[int](), seconds=2.0, now=0.0).due(60.0) == []


def test_who_is_left_when_many_go_is_looked_at_as_soon_as_all_would_have_been() -> None:
    """A round that began with ten thousand does not wait for those of them who have gone."""
    everybody = set(range(10_000))
    rounds = Rounds(everybody, seconds=2.0, now=0.0)
    rounds.due(0.01)
    everybody.difference_update(range(9_990))
    everybody.update(range(20_000, 20_010))
    seen: set[int] = set()
    for tenth in range(1, 41):
        seen.update(rounds.due(0.01 + tenth / 10))

    assert seen == everybody

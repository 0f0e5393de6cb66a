"""Times as text."""

import pytest

from client_cli.core import times


@pytest.mark.parametrize(
    ("milliseconds", "exact", "rough"),
    [
        (0, "0:00.000", "0:00"),
        (999, "0:00.999", "0:00"),
        (62_345, "1:02.345", "1:02"),
        (3_602_345, "1:00:02.345", "1:00:02"),
    ],
)
def test_a_race_time_is_shown_to_the_millisecond(milliseconds: int, exact: str, rough: str) -> None:
    assert times.exact(milliseconds) == exact
    assert times.rough(milliseconds) == rough

"""The objects that messages share."""

from enum import StrEnum

import msgspec
import pytest

from protocol import parts
from protocol.parts import Ranking, Settings, StandingsRow, StartMode

ENUMS = [
    each
    for each in vars(parts).values()
    if isinstance(each, type) and issubclass(each, StrEnum) and each is not StrEnum
]


def test_no_settings_at_all_are_a_whole_set_of_settings() -> None:
    """The defaults are frozen: clients rely on them when they create a room."""
    assert msgspec.json.decode(b"{}", type=Settings) == Settings(
        ranking=Ranking.TIME,
        suits=1,
        winnable=True,
        start_mode=StartMode.HOST,
        countdown_s=5,
        time_limit_s=1800,
        max_members=50,
        live_boards=False,
    )


def test_settings_are_always_sent_whole() -> None:
    """A receiver does not need to know the defaults."""
    assert msgspec.json.decode(msgspec.json.encode(Settings())).keys() == set(Settings.__struct_fields__)


def test_a_row_of_a_racer_who_has_not_won_has_no_time() -> None:
    standing = StandingsRow("P", rank=1, score=500, moves=0, runs=0, progress=3)
    assert msgspec.json.encode(standing) == (
        b'{"player":"P","rank":1,"score":500,"moves":0,"runs":0,"progress":3}'
    )


@pytest.mark.parametrize("enum", ENUMS, ids=lambda each: each.__name__)
def test_a_value_on_the_wire_is_its_name_in_lower_case(enum: type[StrEnum]) -> None:
    assert [member.value for member in enum] == [member.name.lower() for member in enum]

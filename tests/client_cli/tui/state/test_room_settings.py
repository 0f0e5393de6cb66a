"""The room's settings, one by one."""

from dataclasses import replace

import msgspec
import pytest

from client_cli.core.room_settings import SETTINGS
from client_cli.tui.state.room_settings import Draft, code_line, stepped
from protocol.parts import Settings

DRAFT = Draft(Settings(), None)


FIELDS = [each.field for each in SETTINGS]


@pytest.mark.parametrize("field", FIELDS)
def test_going_up_and_down_again_changes_nothing_and_every_value_is_allowed(field: str) -> None:
    line = FIELDS.index(field)
    assert stepped(stepped(DRAFT, line, 1), line, -1) == DRAFT
    draft = DRAFT
    for _ in range(40):
        draft = stepped(draft, line, 1)
        assert msgspec.convert(msgspec.to_builtins(draft.settings), Settings) == draft.settings


def test_a_value_between_ours_goes_to_the_next_one() -> None:
    line = FIELDS.index("time_limit_s")
    odd = replace(DRAFT, settings=Settings(time_limit_s=777))
    assert stepped(odd, line, 1).settings.time_limit_s == 900
    assert stepped(odd, line, -1).settings.time_limit_s == 600


def test_the_line_of_the_deal_has_no_steps() -> None:
    assert stepped(DRAFT, code_line(), 1) == DRAFT

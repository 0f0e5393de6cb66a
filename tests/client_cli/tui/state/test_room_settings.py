"""Settings of the room as lines of a menu."""

from dataclasses import replace

import msgspec
import pytest

from client_cli.core.room_settings import SETTINGS
from client_cli.tui.state.room_settings import Draft, change_value, code_line
from protocol.parts import Settings

DRAFT = Draft(Settings(), None)
FIELDS = [each.field for each in SETTINGS]


@pytest.mark.parametrize("field", FIELDS)
def test_next_and_previous_cancel_out_and_every_value_is_allowed(field: str) -> None:
    line = FIELDS.index(field)
    assert change_value(change_value(DRAFT, line, 1), line, -1) == DRAFT
    draft = DRAFT
    for _ in range(40):
        draft = change_value(draft, line, 1)
        assert msgspec.convert(msgspec.to_builtins(draft.settings), Settings) == draft.settings


def test_a_value_between_two_choices_changes_to_the_next_choice() -> None:
    line = FIELDS.index("time_limit_s")
    odd = replace(DRAFT, settings=Settings(time_limit_s=777))
    assert change_value(odd, line, 1).settings.time_limit_s == 900
    assert change_value(odd, line, -1).settings.time_limit_s == 600


def test_the_line_of_the_game_code_has_no_choices() -> None:
    assert change_value(DRAFT, code_line(), 1) == DRAFT

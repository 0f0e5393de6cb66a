"""Settings of the room: values, labels, editing."""

from dataclasses import replace

import msgspec
import pytest

from client_cli.text.translation import ENGLISH
from client_cli.tui.state.room_settings import FIELDS, LABELS, Draft, change_value, value_text
from protocol.parts import Ranking, Settings, StartMode

DRAFT = Draft(Settings(), None)


def test_every_setting_has_a_line_and_a_label() -> None:
    assert set(FIELDS) == set(LABELS) == set(Settings.__struct_fields__)


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
    assert change_value(DRAFT, len(FIELDS), 1) == DRAFT


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (
            Settings(),
            ["1 suit", "can be won", "time", "the host", "5 seconds", "30:00", "50", "hidden"],
        ),
        (
            Settings(Ranking.SCORE, 4, False, StartMode.ALL_READY, 1, 60, 2, True),
            ["4 suits", "any", "score", "all ready", "1 second", "1:00", "2", "live to spectators"],
        ),
    ],
)
def test_settings_as_text(settings: Settings, words: list[str]) -> None:
    assert [value_text(settings, field, ENGLISH) for field in FIELDS] == words

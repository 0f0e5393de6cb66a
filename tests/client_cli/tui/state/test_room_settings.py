"""The room's settings, one by one."""

from dataclasses import replace

import msgspec
import pytest

from client_cli.text.translation import ENGLISH
from client_cli.tui.state.room_settings import FIELDS, LABELS, Draft, stepped, value
from protocol.parts import Ranking, Settings, StartMode

DRAFT = Draft(Settings(), None)


def test_every_setting_has_a_line_and_a_label() -> None:
    assert set(FIELDS) == set(LABELS) == set(Settings.__struct_fields__)


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
    assert stepped(DRAFT, len(FIELDS), 1) == DRAFT


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
def test_settings_in_words(settings: Settings, words: list[str]) -> None:
    assert [value(settings, field, ENGLISH) for field in FIELDS] == words

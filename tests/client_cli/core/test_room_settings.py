"""The table of the room's settings, and a setting that is added to it in one place."""

from dataclasses import replace

import click
import msgspec
import pytest
from click.testing import CliRunner

from client_cli.cli.options import settings
from client_cli.core import room_settings
from client_cli.core.command_help import help_lines
from client_cli.core.commands import ChangeSetting, changed_settings
from client_cli.core.model import Model
from client_cli.core.room_settings import Number, OneOf, RoomSetting, YesOrNo
from client_cli.core.translatable import Plural
from client_cli.files.catalogues import translation
from client_cli.text import event_lines
from client_cli.text.style import Style
from client_cli.text.tables import settings_text
from client_cli.tui.state.room_settings import Draft, change_value
from client_cli.tui.views.lobby import settings_lines
from protocol import from_server
from protocol.parts import Ranking, Settings, StartMode

OTHER = Settings(Ranking.SCORE, 4, False, StartMode.ALL_READY, 1, 60, 2, True)


class WithJokers(Settings, frozen=True):
    """The settings with another field, as `protocol/parts.py` would define it."""

    jokers: int = 2


JOKERS = RoomSetting(
    field="jokers",
    key="jokers",
    values=Number(0, 4, "COUNT", (0, 2, 4)),
    label="jokers",
    help="How many jokers a deal has.",
    show=str,
    summary=lambda value: Plural("{count} joker", "{count} jokers", value),
)
"""Its row of the table."""


@pytest.fixture
def with_jokers(monkeypatch: pytest.MonkeyPatch, lobby: Model) -> Model:
    """Add a setting; return the model of a lobby that has it."""
    monkeypatch.setattr(room_settings, "SETTINGS", (*room_settings.SETTINGS, JOKERS))
    monkeypatch.setattr(room_settings, "DEFAULTS", WithJokers())
    return replace(lobby, settings=WithJokers())


def test_every_field_has_exactly_one_row() -> None:
    fields = [each.field for each in room_settings.SETTINGS]
    assert sorted(fields) == sorted(Settings.__struct_fields__)


@pytest.mark.parametrize("setting", room_settings.SETTINGS, ids=lambda each: each.field)
def test_every_choice_of_a_menu_can_be_typed_and_is_valid(setting: RoomSetting) -> None:
    """A value is typed as it is on the wire; true and false also as yes and no."""
    for value in setting.values.choices:
        typed = str(value).lower()
        changed = changed_settings(Settings(), ChangeSetting(setting.key, typed))
        assert getattr(changed, setting.field) == value
        assert msgspec.convert(msgspec.to_builtins(changed), Settings) == changed


@pytest.mark.parametrize(
    ("chosen", "texts"),
    [
        (Settings(), ["1 suit", "can be won", "time", "the host", "5 seconds", "30:00", "50", "hidden"]),
        (OTHER, ["4 suits", "any", "score", "all ready", "1 second", "1:00", "2", "live to spectators"]),
    ],
)
def test_a_value_has_a_text(chosen: Settings, texts: list[str]) -> None:
    assert [each.text(chosen) for each in room_settings.SETTINGS] == texts


def test_a_text_with_a_number_is_translated_with_it() -> None:
    texts = [translation("zh-Hant").sentence(each.text(OTHER)) for each in room_settings.SETTINGS]
    assert texts == ["4 種花色", "任何牌局", "分數", "全員準備好", "1 秒", "1:00", "2", "比賽中觀眾看得到"]


@pytest.mark.parametrize(
    ("values", "english", "chinese"),
    [
        (OneOf(("a", "b")), "a or b", "a 或 b"),
        (OneOf((1, 2, 3, 4)), "1, 2, 3 or 4", "1、2、3 或 4"),
        (YesOrNo(), "yes or no", "yes 或 no"),
        (Number(1, 60, "SECONDS", ()), "seconds, 1 to 60", "秒數，1 到 60"),
        (Number(1, 60, "COUNT", ()), "1 to 60", "1 到 60"),
    ],
)
def test_values_are_described(values: room_settings.Values, english: str, chinese: str) -> None:
    assert values.description == english
    assert translation("zh-Hant").sentence(values.description) == chinese


@pytest.mark.parametrize("text", ["", "-1", "+1", "61", "1.0", "٣", "one", "9" * 5000])
def test_a_number_outside_its_range_is_refused(text: str) -> None:
    assert Number(1, 60, "SECONDS", ()).parse(text) is None


def test_a_setting_is_found_by_its_key_and_by_its_field() -> None:
    assert {room_settings.find(name) for name in ("time_limit", "time-limit", "TIME_LIMIT_S")} == {
        room_settings.find("time_limit_s")
    }
    assert room_settings.find("colour") is None


@pytest.mark.usefixtures("with_jokers")
def test_a_new_setting_is_an_option_with_its_help_and_default() -> None:
    found: list[Settings] = []

    @click.command()
    @settings
    def command(settings: Settings) -> None:
        found.append(settings)

    page = CliRunner().invoke(command, ["--help"]).output
    assert "--jokers COUNT" in page
    assert "How many jokers a deal has." in page
    assert CliRunner().invoke(command, ["--suits", "4"]).exit_code == 0
    assert CliRunner().invoke(command, [], env={"SIMONRACE_JOKERS": "4"}).exit_code == 0
    assert CliRunner().invoke(command, ["--jokers", "5"]).exit_code == 2
    assert found == [WithJokers(suits=4), WithJokers(jokers=4)]


def test_a_new_setting_is_changed_by_the_command_set_and_is_in_its_help(with_jokers: Model) -> None:
    assert any(line.endswith("jokers") for line in help_lines())
    changed = changed_settings(with_jokers.settings, ChangeSetting("jokers", "4"))
    assert changed == WithJokers(jokers=4)


def test_a_new_setting_is_in_the_menu_and_in_both_lobbies(with_jokers: Model) -> None:
    line = len(room_settings.SETTINGS) - 1
    assert change_value(Draft(with_jokers.settings, None), line, 1).settings == WithJokers(jokers=4)
    rows = ["".join(piece.text for piece in row) for row in settings_lines(with_jokers, Style())]
    assert "jokers       2" in rows
    assert settings_text(with_jokers, Style()).endswith(" · 2 jokers")


def test_a_new_setting_is_in_the_lines_of_a_pipe(with_jokers: Model) -> None:
    configured = from_server.Configured(seq=4, settings=with_jokers.settings, named_code=False)
    assert " jokers=2 " in event_lines.lines(with_jokers, configured)[0]

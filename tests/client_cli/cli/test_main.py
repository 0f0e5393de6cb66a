"""The command line."""

import socket
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from client_cli.cli import main
from client_cli.cli.options import settings
from client_cli.core import room_settings
from demo import __main__
from protocol.parts import Settings
from server import main as server


def typed(*words: str, env: dict[str, str] | None = None) -> Result:
    return CliRunner().invoke(main.cli, words, env=env)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SIMONRACE_HOME", str(tmp_path))
    return tmp_path


def all_options() -> list[tuple[str, click.Option]]:
    commands = {**main.cli.commands, "demo": __main__.cli}
    return [
        (name, option)
        for name, command in commands.items()
        for option in command.params
        if isinstance(option, click.Option)
    ]


def test_every_option_has_an_environment_variable_of_its_name() -> None:
    """Host and port of the referee have the word REFEREE in their variables, as their help says."""
    for command, option in all_options():
        wanted = "SIMONRACE_" + option.opts[0].removeprefix("--").upper().replace("-", "_")
        if (command, option.opts[0]) in {("conformance", "--host"), ("conformance", "--port")}:
            wanted = wanted.replace("SIMONRACE_", "SIMONRACE_REFEREE_")
            assert wanted in str(option.help)
        assert option.envvar == wanted, f"{command} {option.opts[0]}"


def test_no_variable_is_shared_with_the_server() -> None:
    """The client may run in a shell whose variables configure the server."""
    of_server = {f"SIMONRACE_{option.name}".upper() for option in server.cli.params}
    assert "SIMONRACE_PORT" in of_server
    assert {str(option.envvar) for _, option in all_options()} & of_server == set()


def test_every_setting_of_a_room_is_an_option_with_the_protocol_s_default() -> None:
    @click.command()
    @settings
    def command(settings: Settings) -> None:
        assert settings == Settings()

    assert [param.name for param in command.params] == [each.field for each in room_settings.SETTINGS]
    assert CliRunner().invoke(command, []).exit_code == 0


def test_an_environment_variable_sets_its_option() -> None:
    assert typed("deal", "SS1-S1-AAAAABD", env={"SIMONRACE_ASCII": "1"}).output.isascii()


def test_a_deal_is_printed() -> None:
    shown = typed("deal", " ss1-s1-aaaaabd ")
    assert shown.exit_code == 0
    assert shown.output.splitlines()[:2] == [
        "SS1-S1-AAAAABD",
        " 1    2    3    4    5    6    7    8    9   10",
    ]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["deal", "xx"], "'xx' is not a game code: "),
        (["create", "--code", "SS1-S3-AAAAABD"], "the number of suits (S1, S2 or S4)"),
        (["create", "--server", "http://x"], "'http://x' must begin with ws:// or wss://"),
        (["create", "--suits", "3"], "'3' is not one of '1', '2', '4'"),
        (["create", "--countdown", "61"], "61 is not in the range 0<=x<=60"),
        (["join", "a b"], "'a b' is not a room. "),
        (["join"], "Missing argument 'ROOM'"),
        (["spectate", "ws://x/"], "names no room"),
        (["watch", "ws://x/"], "names no room"),
        (["jump"], "No such command 'jump'"),
        (["create", "--colour"], "No such option"),
    ],
)
def test_a_usage_error_exits_with_code_2(words: list[str], sentence: str) -> None:
    shown = typed(*words)
    assert shown.exit_code == 2
    assert sentence in shown.output
    assert "Traceback" not in shown.output


def test_a_missing_server_exits_with_code_1(home: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        where = f"ws://127.0.0.1:{free.getsockname()[1]}"
    shown = typed("leaderboard", "SS1-S1-AAAAABD", "--server", where)
    assert shown.exit_code == 1
    assert shown.output == (
        f"Error: There is no server at {where}. "
        "Start one with simonrace-server, or give another address with --server.\n"
    )
    assert list(home.iterdir()) == []


def test_a_damaged_identity_file_exits_with_code_1(home: Path) -> None:
    (home / "identities.json").write_text("{")
    shown = typed("leaderboard", "SS1-S1-AAAAABD")
    assert shown.exit_code == 1
    assert shown.output == (
        f"Error: {home / 'identities.json'} is damaged. Repair it, or remove it to get a new identity.\n"
    )


def test_a_missing_file_exits_with_code_1(tmp_path: Path) -> None:
    shown = typed("verify", str(tmp_path / "no.json"))
    assert shown.exit_code == 1
    assert shown.output == f"Error: Cannot read {tmp_path / 'no.json'} (No such file or directory).\n"


def test_help_and_version_need_no_server() -> None:
    assert typed("--version").output.startswith("simonrace, version ")
    for command in main.cli.commands:
        assert typed(command, "--help").exit_code == 0


def test_a_failure_is_in_the_language_of_the_command(home: Path) -> None:
    log = home / "no" / "log"
    shown = typed("leaderboard", "SS1-S1-AAAAABD", "--log", str(log), "--lang", "zh-Hant")
    assert shown.exit_code == 1
    assert shown.output == f"錯誤：無法把記錄寫到 {log}（No such file or directory）。\n"

"""Options of `simonrace-server`: each is an environment variable too, and checked before the start."""

import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from server import main
from server.config import Config

VALUES: list[tuple[str, str, Any]] = [
    ("host", "::1", "::1"),
    ("port", "80", 80),
    ("workers", "4", 4),
    ("redis", "redis://store:6379/0", "redis://store:6379/0"),
    ("redis_prefix", "race:", "race:"),
    ("data", "/data", Path("/data")),
    ("origins", "https://a.example", ("https://a.example",)),
    ("trusted_proxies", "10.0.0.0/8", ("10.0.0.0/8",)),
    ("max_connections", "10", 10),
    ("connections_per_address", "10", 10),
    ("max_rooms", "10", 10),
    ("keep_rooms_hours", "1.5", 1.5),
    ("forget_players_days", "30.5", 30.5),
    ("rooms_per_hour", "1.5", 1.5),
    ("players_per_hour", "1.5", 1.5),
    ("messages_per_second", "1.5", 1.5),
    ("message_burst", "10", 10),
    ("drain_seconds", "1.5", 1.5),
    ("metrics_port", "9100", 9100),
    ("metrics_host", "::1", "::1"),
    ("log_format", "json", "json"),
    ("log_level", "debug", "debug"),
]
"""A value other than the default for each option of the help."""


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Config]:
    """The configurations with which the command called `run`."""
    configs: list[Config] = []

    async def remember(config: Config) -> None:
        configs.append(config)

    monkeypatch.setattr(main, "run", remember)
    return configs


def options() -> dict[str, click.Parameter]:
    """Return the command's options by name, without those that click adds."""
    return {str(each.name): each for each in main.cli.params if each.name != "version"}


def test_every_setting_is_an_option_with_its_default(started: list[Config]) -> None:
    """Each setting and each default is defined once, in Config."""
    assert set(options()) == {field.name for field in fields(Config)}
    result = CliRunner().invoke(main.cli, [])
    assert (result.exit_code, result.stderr) == (0, "")
    assert started == [Config()]


@pytest.mark.parametrize(("name", "text", "value"), VALUES)
def test_every_option_is_an_environment_variable(
    started: list[Config], name: str, text: str, value: Any
) -> None:
    """`--max-rooms 10` and `SIMONRACE_MAX_ROOMS=10` have the same effect."""
    assert value != getattr(Config(), name)
    assert {each for each, _, _ in VALUES} == {field.name for field in fields(Config)} - {"worker_of"}
    option, variable = f"--{name.replace('_', '-')}", f"SIMONRACE_{name.upper()}"
    by_option = CliRunner().invoke(main.cli, [option, text])
    by_variable = CliRunner().invoke(main.cli, [], env={variable: text})
    assert (by_option.exit_code, by_variable.exit_code) == (0, 0), by_option.output + by_variable.output
    expected = Config(**{name: value})
    assert started == [expected, expected]


def test_the_help_explains_every_option_except_hidden_ones() -> None:
    """It also says that each option is an environment variable."""
    result = CliRunner().invoke(main.cli, ["--help"])
    assert result.exit_code == 0
    for name in options():
        assert (f"--{name.replace('_', '-')} " in result.output) == (name != "worker_of")
    assert "--max-rooms is SIMONRACE_MAX_ROOMS" in " ".join(result.output.split())
    helps = {name: each.help for name, each in options().items() if isinstance(each, click.Option)}
    assert [name for name, text in helps.items() if not (text or "").endswith(".")] == []


def test_the_help_says_how_to_allow_all_pages() -> None:
    """docs/hosting.md says the same."""
    help_of = {each.name: each.help for each in main.cli.params if isinstance(each, click.Option)}
    assert help_of["origins"] == (
        "Origin of web pages that may connect besides those of this host; * for all. May be repeated."
    )


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("--port", "70000"), "'--port': 70000 is not in the range"),
        (("--port", "http"), "'--port': 'http' is not a valid integer"),
        (("--max-rooms", "0"), "'--max-rooms': 0 is not in the range"),
        (("--log-format", "xml"), "'--log-format': 'xml' is not one of"),
        (("--trusted-proxies", "nonsense"), "'--trusted-proxies'"),
        (("--origins", "localhost:8000"), "'--origins'"),
        (("--origins", "https://friends.example/race"), "'--origins'"),
    ],
)
def test_a_value_out_of_range_is_named(started: list[Config], words: tuple[str, str], part: str) -> None:
    """The exit code is 2; the message has the option, the value and the allowed values."""
    result = CliRunner().invoke(main.cli, words)
    assert result.exit_code == 2
    assert part in result.stderr.splitlines()[-1]
    assert started == []


def test_without_the_server_packages_the_command_says_what_to_install() -> None:
    """The distribution has the command; the extra `server` installs its packages."""
    without = "import sys; sys.modules['structlog'] = None; import server.main"
    ended = subprocess.run([sys.executable, "-c", without], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == (
        "simonrace-server: The package structlog is missing. If only the client was installed, install "
        "the server too: pip install '.[server,embedded]' in the folder of Simon Race.\n"
    )

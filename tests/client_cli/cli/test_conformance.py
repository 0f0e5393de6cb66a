"""The command `simonrace conformance`."""

import asyncio
import json
import socket
import sys

import pytest
from click.testing import CliRunner, Result
from racetest import StartNode, url_of

from client_cli.cli import main
from client_cli.cli.conformance import show
from conformance.of_server.absent_racers import AbsentRacers
from conformance.of_server.scripted_client import ServerUnderTest
from conformance.of_server.suite import CHECK_GROUPS
from conformance.report import CheckResult, Outcome, Report
from server.core.rules import Rules


def typed(*words: str) -> Result:
    return CliRunner().invoke(main.cli, ["conformance", *words])


def test_either_a_url_or_referee_is_required() -> None:
    for words in ([], ["--referee", "ws://localhost:1"]):
        shown = typed(*words)
        assert shown.exit_code == 2
        assert "Give the URL of a server, or --referee to check a client." in shown.output


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Error: --long is for checks of a server. Leave it out with --referee."),
        ("zh-Hant", "錯誤：--long 只用來檢查伺服器。使用 --referee 時請去掉。"),
    ],
)
def test_long_is_refused_with_referee(language: str, sentence: str) -> None:
    """An option without an effect is refused."""
    shown = typed("--referee", "--long", "--lang", language)
    assert shown.exit_code == 2
    assert shown.output.splitlines()[-1] == sentence


def test_a_missing_server_is_reported_in_one_sentence() -> None:
    shown = typed("ws://localhost:1")
    assert shown.exit_code == 1
    assert shown.output.startswith("Error: ws://localhost:1/ws cannot be checked: Cannot connect to")
    assert len(shown.output.splitlines()) == 1


def test_a_port_in_use_is_reported_in_one_sentence() -> None:
    with socket.create_server(("localhost", 0)) as taken:
        port = taken.getsockname()[1]
        shown = typed("--referee", "--host", "127.0.0.1", "--port", str(port))
    assert shown.exit_code == 1
    assert shown.output.splitlines()[-1].startswith(f"Error: The referee cannot listen on 127.0.0.1:{port} (")


@pytest.mark.parametrize(("outcome", "code"), [(Outcome.PASS, 0), (Outcome.SKIP, 0), (Outcome.FAIL, 1)])
@pytest.mark.parametrize("as_json", [True, False])
def test_the_exit_code_is_that_of_the_report(
    capsys: pytest.CaptureFixture[str], outcome: Outcome, code: int, *, as_json: bool
) -> None:
    report = Report("it", [CheckResult("1.1", "it connects", "Connecting", outcome)])
    assert show(report, as_json=as_json) == code
    assert capsys.readouterr().out == (report.json() if as_json else "\n".join(report.lines())) + "\n"


async def test_this_server_conforms(whole_server: str) -> None:
    """Every check passes at a server with the default limits."""
    command = (sys.executable, "-m", "client_cli.cli.main", "conformance", whole_server, "--json")
    run = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    output, _ = await run.communicate()
    checks = json.loads(output)["checks"]
    assert [each for each in checks if each["outcome"] != "PASS"] == []
    assert len(checks) == sum(len(group(ServerUnderTest("")).checks()) for group in CHECK_GROUPS)
    assert run.returncode == 0


async def test_long_runs_the_slow_checks(node: StartNode) -> None:
    """A server that does not wait at all fails them at once."""
    hasty = url_of(await node(rules=Rules(absent_ms=0, idle_ms=0, forfeit_undo_ms=0)))
    command = (sys.executable, "-m", "client_cli.cli.main", "conformance", hasty, "--long", "--json")
    run = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    output, _ = await run.communicate()
    outcomes = {each["title"]: each["outcome"] for each in json.loads(output)["checks"]}
    of_waiting = [check.title for check in AbsentRacers(ServerUnderTest("")).checks()]
    assert [outcomes[title] for title in of_waiting] == ["FAIL", "FAIL"]
    assert run.returncode == 1

"""The referee passes all clients of this project. Clients with faults are tested beside the checks."""

import asyncio
import os
import re
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from racetest import until

from conformance.of_client.fake_room import CODES, ROOM
from conformance.of_client.referee import ClientChecks, referee
from conformance.report import Outcome, Report

ROOT = Path(__file__).parents[3]
TIMEOUT_S = 15.0

Command = Callable[[str], Sequence[str]]
"""Returns the command of a client that joins the referee's room at an address."""


def python_example(url: str) -> Sequence[str]:
    return sys.executable, str(ROOT / "examples/python_client.py"), url, ROOM, "Ann"


def javascript_example(url: str) -> Sequence[str]:
    return "node", str(ROOT / "examples/javascript/client.mjs"), url, ROOM, "Ann"


def terminal_client(url: str) -> Sequence[str]:
    return sys.executable, "-m", "client_cli.cli.main", "join", f"{url}/{ROOM}", "--name", "Ann", "--plain"


def typed(command: Command, *before: str) -> bytes:
    """Return the input of a player who double-clicks one column after another."""
    clicks = [f"{at + 1}" if command is terminal_client else f"auto_move {at}" for at in [*range(10)] * 5]
    return "".join(f"{line}\n" for line in [*before, *clicks]).encode()


async def checked(command: Command, home: Path) -> Report:
    """Check a client by the referee, and start it as often as it says."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "SIMONRACE_HOME": str(home)}
    started: list[asyncio.Task[asyncio.subprocess.Process]] = []
    inputs: list[asyncio.StreamWriter] = []
    races = iter((CODES[1], CODES[3]))  # in the third race others play
    url = ""

    async def start() -> asyncio.subprocess.Process:
        with (home / "output.txt").open("ab") as output:
            client = await asyncio.create_subprocess_exec(
                *command(url),
                stdin=asyncio.subprocess.PIPE,
                stdout=output,
                stderr=output,
                cwd=home,
                env=environment,
            )
        assert client.stdin is not None
        client.stdin.write(typed(command, "ready"))
        inputs.append(client.stdin)  # a closed input ends the client after the race
        return client

    async def click_again() -> asyncio.subprocess.Process:
        """Type again once the client has shown the next race."""
        code = next(races)
        await until(lambda: code in (home / "output.txt").read_text())
        inputs[-1].write(typed(command))
        return await started[0]

    def instruct(line: str) -> None:
        nonlocal url
        if found := re.search(r"ws://\S+:\d+", line):
            url = found.group()
        if "connect to" in line or "start your client again" in line:
            started.append(asyncio.create_task(start()))
        if "make moves again" in line:
            started.append(asyncio.create_task(click_again()))

    try:
        return await referee(instruct, timeout_s=TIMEOUT_S)
    finally:
        clients = await asyncio.gather(*started)
        for stdin in inputs:
            stdin.close()
        for client in clients:
            if client.returncode is None:
                client.kill()
            await client.wait()


@pytest.fixture(scope="module")
def clients() -> dict[str, Command]:
    """All clients of this project. Without Node, the JavaScript example is left out, but not in CI."""
    found: dict[str, Command] = {"python": python_example, "terminal": terminal_client}
    if shutil.which("node"):
        return found | {"javascript": javascript_example}
    if os.environ.get("CI"):
        pytest.fail("Node is not installed: the JavaScript example cannot be checked, and CI requires it")
    return found


@pytest.mark.usefixtures("_service")
async def test_all_our_clients_conform(clients: dict[str, Command], tmp_path: Path) -> None:
    """They run at the same time, because each has long waits."""
    homes = {name: tmp_path / name for name in clients}
    for home in homes.values():
        home.mkdir()
    reports = await asyncio.gather(*(checked(command, homes[name]) for name, command in clients.items()))
    for name, report in zip(clients, reports, strict=True):
        failed = [line for line in report.lines() if not line.startswith(Outcome.PASS)]
        output = (homes[name] / "output.txt").read_text()[-2000:]
        assert report.passed, f"{name}\n" + "\n".join(failed) + output
        skipped = [each.title for each in report.results if each.outcome is not Outcome.PASS]
        assert skipped == (
            ["it reads MessagePack integers and headers of any width"] if name == "javascript" else []
        )


def test_each_check_of_a_client_has_a_unique_title_and_a_section_of_protocol_md() -> None:
    """Otherwise two checks of a report look the same, or their reader does not find what is expected."""
    checks = ClientChecks(None, None, print).checks()  # type: ignore[arg-type]
    headings = re.findall(r"^## (.+)$", (ROOT / "PROTOCOL.md").read_text(), re.MULTILINE)
    assert {check.section for check in checks} <= {*headings}
    assert len({check.title for check in checks}) == len(checks) == 28

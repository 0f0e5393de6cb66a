"""The referee, and the clients that we ship: all of them pass, and clients with faults do not."""

import asyncio
import importlib.util
import os
import re
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from client_cli.conformance.chapter import Step, carry_out
from client_cli.conformance.listener import Listener
from client_cli.conformance.pretence import ROOM
from client_cli.conformance.referee import Refereeing, referee
from client_cli.conformance.report import Report, Verdict
from client_cli.conformance.wire import Door

ROOT = Path(__file__).parents[3]
PATIENCE_S = 15.0

Command = Callable[[str], Sequence[str]]
"""What starts a client that joins the referee's room at an address."""


def python_example(url: str) -> Sequence[str]:
    return sys.executable, str(ROOT / "examples/python_client.py"), url, ROOM, "Ann"


def javascript_example(url: str) -> Sequence[str]:
    return "node", str(ROOT / "examples/javascript/client.mjs"), url, ROOM, "Ann"


def terminal_client(url: str) -> Sequence[str]:
    return sys.executable, "-m", "client_cli.main", "join", f"{url}/{ROOM}", "--name", "Ann", "--plain"


def typed(command: Command) -> bytes:
    """Return the lines of a player who double-clicks one column after another."""
    clicks = [f"{at + 1}" if command is terminal_client else f"auto {at}" for at in [*range(10)] * 5]
    return "".join(f"{line}\n" for line in ["ready", *clicks]).encode()


async def judged(command: Command, home: Path) -> Report:
    """Let the referee judge a client that is started as often as it says."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "SIMONRACE_HOME": str(home)}
    started: list[asyncio.Task[asyncio.subprocess.Process]] = []
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
        client.stdin.write(typed(command))
        client.stdin.close()
        return client

    def tell(line: str) -> None:
        nonlocal url
        if found := re.search(r"ws://\S+:\d+", line):
            url = found.group()
        if "connect to" in line or "start your client again" in line:
            started.append(asyncio.create_task(start()))

    try:
        return await referee(tell, patience=PATIENCE_S)
    finally:
        for client in await asyncio.gather(*started):
            if client.returncode is None:
                client.kill()
            await client.wait()


@pytest.fixture(scope="module")
def clients() -> dict[str, Command]:
    """All clients that we ship; that of Node is left out, loudly, where there is no Node."""
    found: dict[str, Command] = {"python": python_example, "terminal": terminal_client}
    if shutil.which("node"):
        return found | {"javascript": javascript_example}
    if os.environ.get("CI"):
        pytest.fail("Node is not installed: the JavaScript example cannot be judged, and CI must judge it")
    return found


async def test_all_our_clients_conform(clients: dict[str, Command], tmp_path: Path) -> None:
    """At the same time, for each of them takes a while to wait."""
    homes = {name: tmp_path / name for name in clients}
    for home in homes.values():
        home.mkdir()
    reports = await asyncio.gather(*(judged(command, homes[name]) for name, command in clients.items()))
    for name, report in zip(clients, reports, strict=True):
        failed = [line for line in report.lines() if not line.startswith(Verdict.PASS)]
        output = (homes[name] / "output.txt").read_text()[-2000:]
        assert report.passed, f"{name}\n" + "\n".join(failed) + output
        assert {each.verdict for each in report.findings} == {Verdict.PASS}


# Clients with faults.

TITLES = [step.title for step in Refereeing(None, None, print).steps()]  # type: ignore[arg-type]


@pytest.fixture
def example() -> ModuleType:
    """The example in Python, to be spoiled."""
    spec = importlib.util.spec_from_file_location("example", ROOT / "examples/python_client.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


async def failures(client: Any, *, leave_out: Sequence[str] = ()) -> list[str]:
    """Let the referee judge a client of this process; return what failed."""

    class Shortened(Refereeing):
        def steps(self) -> Sequence[Step]:
            return [step for step in super().steps() if step.title not in leave_out]

    listener = Listener(patience=3.0)
    door = await Door.open("localhost", 0, ["simonrace.v1.msgpack"], listener.arrivals.put)
    client.url = f"ws://localhost:{door.port}"
    client.queue = [{"type": "ready"}, *({"type": "auto", "from": at % 10} for at in range(50))]
    running = asyncio.create_task(client.run())
    findings = await carry_out(Shortened(door, listener, lambda _: None), 1)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    await door.close()
    return [each.title for each in findings if each.verdict is Verdict.FAIL]


@pytest.mark.parametrize(
    ("fault", "failed"),
    [
        ("forgets_who_it_is", "it is the same person then"),
        ("forgets_what_it_saw", "it joins the same room with the last `seq` that it saw"),
        ("does_it_twice", "what was done without an answer is not done again"),
        ("gives_up_too_fast", "after `too_fast` it waits, and sends the same again"),
    ],
)
async def test_a_fault_is_found_by_its_check(
    example: ModuleType, tmp_path: Path, fault: str, failed: str
) -> None:
    """Each of these clients is ours but for one line."""

    class Faulty(example.Client):  # type: ignore[name-defined,misc]
        async def send(self, **message: Any) -> None:
            if fault == "forgets_who_it_is":
                message.pop("token", None)
                message.pop("player", None)
            if fault == "forgets_what_it_saw":
                message.pop("seen", None)
            await super().send(**message)

        async def take(self, message: dict[str, Any]) -> None:
            if fault == "does_it_twice" and message["type"] == "resumed":
                vars(self)["asked"].update(n=message["game"]["n"] + 1)
            if fault == "gives_up_too_fast" and message.get("code") == "too_fast":
                message = message | {"code": "no_place"}
            await super().take(message)

        async def told(self, message: dict[str, Any]) -> None:
            pass

    client = Faulty("", ROOM, "Ann")
    client.file = tmp_path / "identity.json"
    assert await failures(client, leave_out=TITLES[TITLES.index(failed) + 1 :]) == [failed]


async def test_whoever_comes_back_after_4002_fails(
    example: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two such clients would throw each other out for ever."""
    monkeypatch.setattr(example, "is_final", lambda _: False)
    client = example.Client("", ROOM, "Ann")
    client.file = tmp_path / "identity.json"
    after_4002 = "after 4002 it does not come back"
    others = [each for each in TITLES[5:] if each != after_4002]
    assert await failures(client, leave_out=others) == [after_4002]

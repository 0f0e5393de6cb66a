"""Servers that do not conform in the handshake."""

from typing import Any

import pytest
import websockets

from client_cli.conformance.chapter import Step
from client_cli.conformance.connecting import Connecting, page_of
from client_cli.conformance.greeting import Silence
from client_cli.conformance.report import Verdict
from client_cli.conformance.suite import check_server
from client_cli.conformance.visitor import Stage, UnmetError


@pytest.mark.parametrize(
    ("origins", "failed"),
    [
        (None, "a page of another host is refused with HTTP 403"),
        ([None], "a page of the server's own host is let in"),
    ],
)
async def test_a_server_that_takes_any_page_or_none_is_found(origins: Any, failed: str) -> None:
    """Any page could speak with the rights of whoever looks at it; without its own there is no web client."""
    asked = "a page of another host is refused with HTTP 403", "a page of the server's own host is let in"

    async def nothing(_: websockets.ServerConnection) -> None:
        pass

    async with websockets.serve(
        nothing, "localhost", 0, subprotocols=[websockets.Subprotocol("simonrace.v1.json")], origins=origins
    ) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        steps = [
            step for step in Connecting(Stage(f"ws://localhost:{port}/ws")).steps() if step.title in asked
        ]
        unmet = [step.title for step in steps if not await is_met(step)]
    assert len(steps) == len(asked)
    assert unmet == [failed]


async def is_met(step: Step) -> bool:
    """Try one check by itself."""
    try:
        await step.run()
    except UnmetError:
        return False
    return True


@pytest.mark.parametrize(
    ("url", "page"),
    [
        ("ws://localhost:7466/ws", "http://localhost:7466"),
        ("ws://Example.org/ws", "http://example.org"),
        ("ws://example.org:80/ws", "http://example.org"),
        ("wss://example.org:443/ws", "https://example.org"),
        ("wss://example.org:80/ws", "https://example.org:80"),
        ("ws://[::1]:7466/ws", "http://[::1]:7466"),
    ],
)
def test_a_page_of_a_host_names_it_as_browsers_do(url: str, page: str) -> None:
    """In small letters, without the port where it is the usual one."""
    assert page_of(url) == page


async def test_nobody_listens() -> None:
    """Each chapter then says so once, and tries nothing else."""
    report = await check_server("ws://localhost:1", [Connecting, Silence])
    assert [each.verdict for each in report.findings if each.number in ("1.1", "2.1")] == [Verdict.FAIL] * 2
    assert "Nobody answers at ws://localhost:1" in report.findings[0].came
    assert {each.verdict for each in report.findings[1:-1]} == {Verdict.SKIP}

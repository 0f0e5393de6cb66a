"""Servers and clients that do not conform: ours with a fault in them."""

import asyncio
import importlib.util
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

import msgpack  # type: ignore[import-untyped]  # it brings no types
import pytest
import websockets
from racetest import StartNode, until, url_of
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.server import Server, ServerConnection

from conformance.checks import Check, run_checks
from conformance.of_client.fake_server import FakeServer
from conformance.of_client.referee import ClientChecks
from conformance.report import Outcome
from conformance.wire import Listener
from server.core.rules import Rules

Message = dict[str, Any]
Change: TypeAlias = Callable[[Message], Message | None]
"""Returns the changed message, or None if it is lost."""

Tampered: TypeAlias = Callable[..., Awaitable[str]]

Failures: TypeAlias = Callable[..., Awaitable[list[str]]]

EXAMPLE = Path(__file__).parents[2] / "examples/python_client.py"

PEOPLE = {"messages_per_second": 20.0, "message_burst": 60, "connections_per_address": 1000}
"""The default limits of a server, which the fixture `node` lifts."""


@pytest.fixture
async def whole_server(node: StartNode) -> str:
    """A server as operators start it."""
    return url_of(await node(rules=Rules(), **PEOPLE))


@pytest.fixture
async def tampered(node: StartNode) -> AsyncIterator[Tampered]:
    """Start servers whose messages `change` changes on the way; `asked` changes those of clients."""
    proxies: list[Server] = []

    async def start(change: Change, *, asked: Change = lambda message: message) -> str:
        behind = url_of(await node(rules=Rules(), rooms_per_hour=10_000.0))

        async def handle(client: ServerConnection) -> None:
            offered = [client.subprotocol] if client.subprotocol else None
            async with websockets.connect(behind, subprotocols=offered, ping_interval=None) as server:
                await asyncio.gather(pump(client, server, asked), pump(server, client, change))

        subprotocols = [websockets.Subprotocol(f"simonrace.v1.{each}") for each in ("json", "msgpack")]
        proxies.append(
            await websockets.serve(handle, "localhost", 0, subprotocols=subprotocols, ping_interval=None)
        )
        return f"ws://localhost:{next(iter(proxies[-1].sockets)).getsockname()[1]}"

    yield start
    for proxy in proxies:
        proxy.close()
        await proxy.wait_closed()


async def pump(
    source: ClientConnection | ServerConnection, target: ClientConnection | ServerConnection, change: Change
) -> None:
    """Forward the messages of one direction until it ends; end the other side in the same way."""
    try:
        while True:
            data = await source.recv()
            try:
                message = json.loads(data) if isinstance(data, str) else msgpack.unpackb(data)
            except (ValueError, RecursionError):
                await target.send(data)  # bad input is forwarded unchanged
                continue
            changed = change(message) if isinstance(message, dict) else message
            if changed is not None:
                await target.send(json.dumps(changed) if isinstance(data, str) else msgpack.packb(changed))
    except websockets.ConnectionClosed:
        if source.close_code == 1006:
            target.transport.abort()
        else:
            await target.close(source.close_code or 1000, source.close_reason or "")


@pytest.fixture
def example() -> ModuleType:
    """The example in Python, for clients with faults."""
    spec = importlib.util.spec_from_file_location("example", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def failures(tmp_path: Path, _service: None) -> Failures:
    """Check a client made from the example by the referee; return the titles of the failed checks.

    The checks run up to `last`; with `after`, those between the two are left out. The client makes moves when
    the first race starts, and again when the referee asks for it.
    """

    async def check(client: Any, last: str, after: str | None = None) -> list[str]:
        class Shortened(ClientChecks):
            def checks(self) -> Sequence[Check]:
                checks = {check.title: check for check in super().checks()}
                titles = [*checks]
                before = titles[: titles.index(last) if after is None else titles.index(after) + 1]
                return [checks[title] for title in (*before, last)]

        server = FakeServer(timeout_s=3.0)
        listener = await Listener.open("localhost", 0, ["simonrace.v1.msgpack"], server.arrivals.put)
        client.url = listener.url
        client.file = tmp_path / "identity.json"
        clicks = [{"type": "auto_move", "from": at % 10} for at in range(50)]
        client.queue = [{"type": "ready"}, *clicks]
        more: list[asyncio.Task[None]] = []

        async def click_again() -> None:
            await until(lambda: client.live and client.racing and client.next["race"] == server.room.race)
            await client.submit(*clicks)

        def instruct(line: str) -> None:
            if "make moves again" in line:
                more.append(asyncio.create_task(click_again()))

        running = asyncio.create_task(client.run())
        checks = Shortened(listener, server, instruct)
        results = await run_checks(checks, 1, checks)
        running.cancel()
        await asyncio.gather(running, *more, return_exceptions=True)
        await listener.close()
        return [each.title for each in results if each.outcome is Outcome.FAIL]

    return check

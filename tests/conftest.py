"""A real store for the session, servers on it that must leave nothing behind, and people who connect."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from racetest import CODE, Client, Connect, GatedStore, Gather, Ledger, StartNode, until, url_of

from server.config import Config
from server.core.rules import Rules
from server.node import Node
from server.store.embedded import EmbeddedRedis
from server.store.redis.store import RedisStore

# How long an example takes says how busy the machine is, and nothing about the code.
settings.register_profile(
    "whatever the time", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("whatever the time")

HOUSE = Rules(forfeit_undo_ms=1)
"""The product's rules, but a forfeit stands at once. A test that waits for another deadline names its own."""

INTEGRATION = ("tests/integration", "tests/e2e", "tests/chaos")
"""Folders of tests that all need a service; elsewhere those that use the fixture `_service` do."""

_prefixes = (f"s{number}:" for number in itertools.count())


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that need a service, which `make test-fast` leaves out."""
    root = Path(__file__).parents[1]
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        if "_service" in fixtures or item.path.relative_to(root).as_posix().startswith(INTEGRATION):
            item.add_marker(pytest.mark.integration)


@pytest.fixture(scope="session")
def _service() -> None:
    """Requested by every fixture and test that starts a server, a store, a browser or a terminal."""


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory, _service: None) -> Iterator[EmbeddedRedis]:
    """One real server that all tests share; each keeps to its own prefix and leaves the process alone."""
    with EmbeddedRedis.start(tmp_path_factory.mktemp("store")) as server:
        yield server


@pytest.fixture
def own_server(tmp_path: Path, _service: None) -> Iterator[EmbeddedRedis]:
    """A real server of the test's own, to be stalled and killed."""
    with EmbeddedRedis.start(tmp_path / "own") as server:
        yield server


@pytest.fixture
def prefix() -> str:
    """A prefix that no other test uses."""
    return next(_prefixes)


@pytest.fixture
def ledger() -> Ledger:
    """What the nodes of a test log. A test that brings about an error takes it out of `lines`."""
    return Ledger()


@pytest.fixture
async def node(redis_server: EmbeddedRedis, prefix: str, ledger: Ledger) -> AsyncIterator[StartNode]:
    """Start nodes of one cluster, on the store shared by all tests or on `url`; they must end clean."""
    nodes: list[Node] = []
    stores: list[RedisStore] = []
    loop_errors: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: loop_errors.append(context))

    async def start(*, rules: Rules = HOUSE, url: str = redis_server.url, **options: Any) -> Node:
        store = await GatedStore.open(url, prefix)
        stores.append(store)
        defaults: dict[str, Any] = {
            "port": 0,
            "messages_per_second": 100_000.0,
            "message_burst": 100_000,
            "drain_seconds": 1.0,
        }
        nodes.append(await Node.start(Config(**(defaults | options)), store, ledger, rules))
        return nodes[-1]

    yield start
    for each in nodes:
        await each.stop()  # again, for those that a test has stopped
    for store in stores:
        await store.aclose()
    for each in nodes:
        context = each.sessions
        left = (len(each.tasks), each.stats.open, len(context.sessions), len(context.unidentified))
        assert left == (0, 0, 0, 0)
    assert ledger.errors == []
    assert loop_errors == []
    await until(lambda: asyncio.all_tasks() == {asyncio.current_task()})


@pytest.fixture
async def person() -> AsyncIterator[Connect]:
    """Let people connect to a node, or to an address, and say hello; all connections close at the end."""
    people: list[Client] = []

    async def connect(where: Node | str, name: str, **options: Any) -> Client:
        client = Client(where if isinstance(where, str) else url_of(where), name, **options)
        people.append(await client.open())
        await client.hello()
        return client

    yield connect
    for client in people:
        await client.close()


@pytest.fixture
def party(person: Connect) -> Gather:
    """Bring people together in one room that the first of them opens."""

    async def gather(where: Node, *names: str, code: str | None = CODE, **settings: Any) -> list[Client]:
        host, *others = [await person(where, name) for name in names]
        room = await host.create(code, **settings)
        for other in others:
            await other.join(room)
        return [host, *others]

    return gather


@pytest.fixture
def race(party: Gather) -> Gather:
    """Bring people together and let them race."""

    async def begin(where: Node, *names: str, **settings: Any) -> list[Client]:
        racers = await party(where, *names, **settings)
        for racer in racers:
            await racer.ready()
        await racers[0].start()
        for racer in racers:
            await racer.racing()
        return racers

    return begin

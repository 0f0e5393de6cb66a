"""Servers and their store for one ordeal, and the size of it: short by default, `--long` for all of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.register_assert_rewrite("chaostest")  # so that a failed judgement tells what it compared

from chaostest import Fleet  # noqa: E402 - after that

from server.store.embedded import EmbeddedRedis  # noqa: E402


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the long form be asked for."""
    parser.addoption("--long", action="store_true", help="chaos suite: more people, more rounds")


def pytest_configure(config: pytest.Config) -> None:
    """Name the mark of what takes long."""
    config.addinivalue_line("markers", "long: only in the long form of the chaos suite")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what takes long, unless it is asked for."""
    if not config.getoption("--long", default=False):
        skip = pytest.mark.skip(reason="part of the long form: --long")
        for item in items:
            if item.get_closest_marker("long") is not None:
                item.add_marker(skip)


@pytest.fixture
def client_count(request: pytest.FixtureRequest) -> int:
    """How many people race in an ordeal that is about many."""
    return 200 if request.config.getoption("--long", default=False) else 30


@pytest.fixture
def fleet(tmp_path: Path) -> Iterator[Fleet]:
    """Servers on a store of their own; whatever still runs at the end is ended."""
    with EmbeddedRedis.start(tmp_path / "store") as store:
        fleet = Fleet(store, tmp_path)
        try:
            yield fleet
        finally:
            fleet.end()
            if store.running:
                fleet.resume_store()

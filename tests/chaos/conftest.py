"""Servers and a store for each chaos test. `--long` runs the long form."""

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.register_assert_rewrite("chaostest")  # so that a failed assertion shows its values

from chaostest import Fleet  # noqa: E402 - after the registration

from server.store.embedded import EmbeddedRedis  # noqa: E402


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option `--long`."""
    parser.addoption("--long", action="store_true", help="chaos suite: more clients, more rounds")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker `long`."""
    config.addinivalue_line("markers", "long: only in the long form of the chaos suite")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip long tests without `--long`."""
    if not config.getoption("--long", default=False):
        skip = pytest.mark.skip(reason="part of the long form: --long")
        for item in items:
            if item.get_closest_marker("long") is not None:
                item.add_marker(skip)


@pytest.fixture
def client_count(request: pytest.FixtureRequest) -> int:
    """Number of clients in a test with many."""
    return 200 if request.config.getoption("--long", default=False) else 30


@pytest.fixture
def fleet(tmp_path: Path) -> Iterator[Fleet]:
    """A fleet on a store of its own. What still runs at the end is killed."""
    with EmbeddedRedis.start(tmp_path / "store") as store:
        fleet = Fleet(store, tmp_path)
        try:
            yield fleet
        finally:
            fleet.end()
            if store.running:
                fleet.resume_store()

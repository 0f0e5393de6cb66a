"""Somebody at a screen of a fake server, and the same in Textual's hands."""

from collections.abc import Callable

import pytest
from fullscreen.scenes import Table, at_table

from client_cli.full.app import RaceApp


@pytest.fixture
def table() -> Table:
    """Ada, in the lobby."""
    return Table()


@pytest.fixture
def racing(table: Table) -> Table:
    """Ada, in a race that has just begun."""
    table.race()
    return table


@pytest.fixture
def over() -> Table:
    """Ada, after the race."""
    return at_table("results")


@pytest.fixture
def make_app() -> Callable[[Table], RaceApp]:
    """Show a seat with Textual."""
    return lambda table: RaceApp(table.seat)

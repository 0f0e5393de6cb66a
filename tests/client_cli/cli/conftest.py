"""Fixtures of the command's tests."""

import pytest
from racetest import StartNode, url_of

from server.core.rules import Rules

PEOPLE = {"messages_per_second": 20.0, "message_burst": 60, "connections_per_address": 1000}
"""The limits that strangers find at a server; the fixture `node` has lifted them."""


@pytest.fixture
async def whole_server(node: StartNode) -> str:
    """A server with the limits that operators get."""
    return url_of(await node(rules=Rules(), **PEOPLE))

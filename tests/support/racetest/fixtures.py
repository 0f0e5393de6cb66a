"""What the fixtures of `tests/conftest.py` are, for the annotations of tests."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from racetest.client import Client
from server.node import Node

StartNode: TypeAlias = Callable[..., Awaitable[Node]]
"""`await node(rules=..., url=..., **options of Config)`: start a node of the test's cluster."""

Connect: TypeAlias = Callable[..., Awaitable[Client]]
"""`await person(node, "Ada", encoding="json")`: let somebody connect and say hello."""

Gather: TypeAlias = Callable[..., Awaitable[list[Client]]]
"""`await party(node, "Ada", "Ben", code=..., **settings)`: people in one room; the first is its host.

`await race(...)`, with the same arguments, has them racing.
"""

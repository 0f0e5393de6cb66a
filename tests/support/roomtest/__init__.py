"""What unit tests of rooms and sessions share: a loop in virtual time, a node in memory, subscribers."""

from roomtest.client import FakeClient, racing, session_context
from roomtest.loop import VirtualLoop, advance, idle, loop_time, stand_still
from roomtest.node import RoomNode
from roomtest.store import GatedMemoryStore
from roomtest.subscriber import FakeConnection, FakeSubscriber
from roomtest.table import ADA, BEN, CYD, MOVES, NAMES, Table, move

__all__ = [
    "ADA",
    "BEN",
    "CYD",
    "MOVES",
    "NAMES",
    "FakeClient",
    "FakeConnection",
    "FakeSubscriber",
    "GatedMemoryStore",
    "RoomNode",
    "Table",
    "VirtualLoop",
    "advance",
    "idle",
    "loop_time",
    "move",
    "racing",
    "session_context",
    "stand_still",
]

"""What the rooms of a node share, made once by the composition root."""

from collections.abc import Awaitable, Callable, Collection, Coroutine
from dataclasses import dataclass
from typing import Any, Protocol

from server.core.rules import Rules
from server.rooms.counters import RoomCounters
from server.store.journal import Journal
from server.store.port import Store


class OperatorLog(Protocol):
    """The log that the operator of the server reads."""

    def error(self, event: str, **fields: Any) -> object:
        """Log something that the operator must look at."""


class Deals(Protocol):
    """Source of random game codes."""

    async def draw(self, suits: int, winnable: bool) -> str:
        """Return a random game code; if `winnable`, of a deal that can be won, if one is found in time."""


class FinishedRaces(Protocol):
    """Projection of finished races on the leaderboards; a race is named by its room and its number."""

    async def expect(self, room: str, number: int) -> None:
        """Schedule the projection of a race that is about to end. Raises StoreError."""

    async def project(self, room: str, number: int) -> None:
        """Put a race's results on the leaderboards; repeating it changes nothing. Raises StoreError."""


@dataclass(frozen=True, slots=True)
class RoomContext:
    """Services of the node.

    `now_ms` is the clock that all servers share. `spawn` runs a background task. `dead` returns the dead ones
    among the given nodes, or None while that is unknown.
    """

    node: str
    store: Store
    journal: Journal
    rules: Rules
    counters: RoomCounters
    deals: Deals
    now_ms: Callable[[], int]
    spawn: Callable[[Coroutine[Any, Any, None]], None]
    finished_races: FinishedRaces
    dead: Callable[[Collection[str]], Awaitable[set[str] | None]]
    log: OperatorLog

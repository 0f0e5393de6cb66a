"""What every room of a node shares, made once by the composition root."""

from collections.abc import Awaitable, Callable, Collection, Coroutine
from dataclasses import dataclass
from typing import Any, Protocol

from protocol.codec import Codec
from protocol.from_server import FromServer
from server.core.rules import Rules
from server.rooms.counts import Counts
from server.store.journal import Journal
from server.store.port import Store


class Link(Protocol):
    """The sending end of a connection, for frames that were made for many."""

    def send(self, frame: bytes) -> None:
        """Send a frame, after all that was sent before."""

    def send_latest(self, kind: str, frame: bytes) -> None:
        """Send a frame in place of an older one of its kind that waits for a slow client."""


class Ear(Protocol):
    """A connection as a room sees it: somebody who can be told something."""

    codec: Codec
    lang: str

    @property
    def link(self) -> Link:
        """The way past `tell`, for what is encoded already."""

    @property
    def gone(self) -> bool:
        """Whether the connection has ended."""

    def tell(self, message: FromServer) -> None:
        """Send a message to this one connection."""

    def charge(self, actions: int) -> None:
        """Count that so many actions are read again to answer this one connection."""

    def replaced(self) -> None:
        """Learn that its player connected elsewhere: say so, and end."""

    def failed(self) -> None:
        """Learn that a bug keeps the room from answering: end, so that the client comes back."""

    def overran(self) -> None:
        """Learn that more was sent than can wait for its answer: end."""

    def left(self) -> None:
        """Learn that its player has no seat in the room any more."""


class Log(Protocol):
    """Where somebody who runs the server reads what there is to do."""

    def error(self, event: str, **fields: Any) -> object:
        """Log something that must be looked at."""


class Deals(Protocol):
    """Where random game codes come from."""

    async def draw(self, suits: int, winnable: bool) -> str:
        """Return a random game code, one that is known to be winnable if that is asked and can be found."""


class Aftermath(Protocol):
    """What is done with finished races, each named by its room and its number there."""

    async def expect(self, room: str, number: int) -> None:
        """Make sure that a race which is about to end will not be forgotten. Raises StoreError."""

    async def project(self, room: str, number: int) -> None:
        """Do what is to be done, once or again. Raises StoreError."""


@dataclass(frozen=True, slots=True)
class Context:
    """The node's services.

    `now_ms` is the store's clock, `spawn` runs a task that the node looks after, `dead` tells which of some
    nodes are dead, or None when that cannot be told now.
    """

    node: str
    store: Store
    journal: Journal
    rules: Rules
    counts: Counts
    deals: Deals
    now_ms: Callable[[], int]
    spawn: Callable[[Coroutine[Any, Any, None]], None]
    aftermath: Aftermath
    dead: Callable[[Collection[str]], Awaitable[set[str] | None]]
    log: Log

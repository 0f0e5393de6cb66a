"""Registry of the open connections of one listener."""

import asyncio
from collections import Counter
from collections.abc import Set as AbstractSet

from server.core.token_bucket import Quota
from server.transport.addresses import counted_address
from server.transport.limits import TransportLimits
from server.transport.ports import RegisteredConnection, RegisteredOpening
from server.transport.stats import TransportStats


class ConnectionRegistry:
    """The openings and WebSocket connections of a listener, until their sockets are closed.

    Addresses are counted by `counted_address`: an IPv6 address by its /64 network.
    """

    __slots__ = (
        "_closing",
        "_connections",
        "_connections_per_address",
        "_draining",
        "_empty",
        "_open_quota",
        "_openings",
        "_openings_per_address",
        "_stats",
    )

    def __init__(self, stats: TransportStats, limits: TransportLimits) -> None:
        self._openings: set[RegisteredOpening] = set()
        self._connections: set[RegisteredConnection] = set()
        self._closing: set[RegisteredConnection] = set()  # subset of `_connections`
        self._draining = False
        self._empty = asyncio.Event()  # set exactly while there are no openings and no connections
        self._empty.set()
        # These agree with `_connections` and `_openings`; addresses with a count of 0 are removed.
        self._connections_per_address: Counter[str] = Counter()
        self._openings_per_address: Counter[str] = Counter()
        self._open_quota = Quota(limits.opened_per_second, limits.opened_at_once)  # per address
        self._stats = stats

    @property
    def openings(self) -> AbstractSet[RegisteredOpening]:
        """TCP connections that have not become WebSocket connections."""
        return self._openings

    @property
    def connections(self) -> AbstractSet[RegisteredConnection]:
        """WebSocket connections."""
        return self._connections

    @property
    def closing(self) -> AbstractSet[RegisteredConnection]:
        """WebSocket connections whose close handshake is under way."""
        return self._closing

    @property
    def draining(self) -> bool:
        """Whether new connections are refused because the listener is closing."""
        return self._draining

    def start_draining(self) -> None:
        """Refuse every connection that opens from now on."""
        self._draining = True

    def is_empty(self) -> bool:
        """Return whether there are no openings and no connections."""
        return self._empty.is_set()

    async def wait_empty(self) -> None:
        """Wait until there are no openings and no connections."""
        await self._empty.wait()

    def connections_from(self, address: str) -> int:
        """Count the WebSocket connections of an address."""
        return self._connections_per_address[counted_address(address)]

    def openings_from(self, peer: str) -> int:
        """Count the openings of an address; a proxy counts as one address."""
        return self._openings_per_address[counted_address(peer)]

    def allow_open(self, address: str, now: float) -> bool:
        """Charge the quota of an address for opening a connection at `now` s; return False if it is empty."""
        return self._open_quota.take(counted_address(address), now)

    def add_opening(self, opening: RegisteredOpening) -> None:
        """Add a TCP connection that has not sent a request yet."""
        self._openings.add(opening)
        self._openings_per_address[counted_address(opening.peer)] += 1
        self._stats.handshakes += 1
        self._empty.clear()

    def remove_opening(self, opening: RegisteredOpening) -> None:
        """Remove an opening that became a WebSocket connection or is closed."""
        self._openings.remove(opening)
        _decrement(self._openings_per_address, counted_address(opening.peer))
        self._stats.handshakes -= 1
        self._update_empty()

    def add(self, connection: RegisteredConnection) -> None:
        """Add a WebSocket connection."""
        self._connections.add(connection)
        self._connections_per_address[counted_address(connection.address)] += 1
        self._stats.open += 1
        self._stats.opened += 1
        self._empty.clear()

    def start_closing(self, connection: RegisteredConnection) -> None:
        """Record that the close handshake of a connection has begun."""
        self._closing.add(connection)

    def remove(self, connection: RegisteredConnection) -> None:
        """Remove a WebSocket connection whose socket is closed."""
        self._connections.remove(connection)
        self._closing.discard(connection)
        _decrement(self._connections_per_address, counted_address(connection.address))
        self._stats.open -= 1
        self._update_empty()

    def _update_empty(self) -> None:
        if not self._openings and not self._connections:
            self._empty.set()


def _decrement(counter: Counter[str], address: str) -> None:
    counter[address] -= 1
    if not counter[address]:
        del counter[address]

"""Who is connected to one listener."""

import asyncio
from collections import Counter
from typing import TYPE_CHECKING

from server.core.token_bucket import Quota
from server.transport.addresses import counted_address
from server.transport.limits import TransportLimits
from server.transport.stats import TransportStats

if TYPE_CHECKING:
    from server.transport.connection import Connection
    from server.transport.opening import Opening


class Roster:
    """Openings and connections, from their first byte to the loss of their socket."""

    __slots__ = (
        "_of_address",
        "_opened_by",
        "_openings_of",
        "_stats",
        "closing",
        "connections",
        "draining",
        "nobody",
        "openings",
    )

    def __init__(self, stats: TransportStats, limits: TransportLimits) -> None:
        self.openings: set[Opening] = set()
        self.connections: set[Connection] = set()
        self.closing: set[Connection] = set()  # those of them whose close handshake is under way
        self.draining = False
        self.nobody = asyncio.Event()
        self.nobody.set()
        self._of_address: Counter[str] = Counter()
        self._openings_of: Counter[str] = Counter()
        self._opened_by = Quota(limits.opened_per_second, limits.opened_at_once)
        self._stats = stats

    def of_address(self, address: str) -> int:
        """Count the connections of an address, or of its IPv6 network."""
        return self._of_address[counted_address(address)]

    def may_open(self, address: str, now: float) -> bool:
        """Count that an address opens a connection at `now` seconds; return whether it may."""
        return self._opened_by.take(counted_address(address), now)

    def openings_of(self, peer: str) -> int:
        """Count the openings of an address, or of its IPv6 network; a proxy is an address like others."""
        return self._openings_of[counted_address(peer)]

    def add_opening(self, opening: "Opening") -> None:
        """Take in a TCP connection that has not asked for anything yet."""
        self.openings.add(opening)
        self._openings_of[counted_address(opening.peer)] += 1
        self._stats.handshakes += 1
        self.nobody.clear()

    def remove_opening(self, opening: "Opening") -> None:
        """Forget an opening; it became a connection or is over."""
        self.openings.remove(opening)
        _count_down(self._openings_of, counted_address(opening.peer))
        self._stats.handshakes -= 1
        self._notice_nobody()

    def add(self, connection: "Connection") -> None:
        """Take in a WebSocket connection."""
        self.connections.add(connection)
        self._of_address[counted_address(connection.address)] += 1
        self._stats.open += 1
        self._stats.opened += 1
        self.nobody.clear()

    def remove(self, connection: "Connection") -> None:
        """Forget a WebSocket connection whose socket is lost."""
        self.connections.remove(connection)
        self.closing.discard(connection)
        _count_down(self._of_address, counted_address(connection.address))
        self._stats.open -= 1
        self._notice_nobody()

    def _notice_nobody(self) -> None:
        if not self.openings and not self.connections:
            self.nobody.set()


def _count_down(counter: Counter[str], address: str) -> None:
    counter[address] -= 1
    if not counter[address]:
        del counter[address]

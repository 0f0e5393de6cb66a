"""Every limit of the transport, in numbers."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TransportLimits:
    """What one client, one address and all of them together may take from us.

    Times are seconds, sizes are bytes. Time limits are looked at in sweeps: at most once a second, and
    four times within the shortest of them; silence in rounds, a part of all connections at each sweep.
    """

    max_message_bytes: int = 16 * 1024
    """A longer message, fragmented or not, closes its connection with 1009."""
    max_header_bytes: int = 16 * 1024
    """A longer request is answered with 431; a single line of it may have 8 KiB."""
    max_fruitless_frames: int = 100
    """Pings, pongs and fragments within a second; more of them close the connection with 1008."""
    handshake_seconds: float = 5.0
    """From the accepted TCP connection to the complete request."""
    ping_interval_seconds: float = 20.0
    """A connection from which nothing came for so long is pinged."""
    idle_seconds: float = 45.0
    """A connection from which nothing came for so long, no pong either, is dead and aborted."""
    close_seconds: float = 2.0
    """From our close frame, or our last HTTP answer, to the abort of a client that does not hang up."""
    outbox_bytes: int = 256 * 1024
    """A client that does not read, and for which more than this waits, is aborted; a single larger message
    may wait besides."""
    write_buffer_bytes: int = 32 * 1024
    """What the event loop may hold for a client before further frames wait in our own outbox."""
    connections_per_address: int = 100
    """A further one is answered with 429. IPv6 addresses count by their /64 network."""
    max_connections: int = 10_000
    """A further one is answered with 503."""
    max_handshakes: int = 2_048
    """TCP connections without a complete request; a further one is aborted unanswered."""

    @property
    def opened_at_once(self) -> int:
        """Connections that one address may open at once: all that it may have, and once more all of them."""
        return 2 * self.connections_per_address

    @property
    def opened_per_second(self) -> float:
        """The same in the long run; a further one is answered with 429, too."""
        return self.connections_per_address / 10

    @property
    def handshakes_per_address(self) -> int:
        """As many of them as it may have connections, but at least an eighth of all, may be one address's."""
        return max(self.connections_per_address, self.max_handshakes // 8)

    @property
    def round_seconds(self) -> float:
        """The time in which every connection is looked at once, for pings and silence."""
        return min(self.ping_interval_seconds, self.idle_seconds) / 8

    @property
    def sweep_seconds(self) -> float:
        """The time between two looks at handshakes and closes."""
        shortest = min(
            self.handshake_seconds, self.ping_interval_seconds, self.idle_seconds, self.close_seconds
        )
        return min(1.0, shortest / 4)

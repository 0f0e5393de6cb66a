"""Limits of the transport."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TransportLimits:
    """Limits for one client, for one address and for all clients together.

    Times are seconds, sizes are bytes. Deadlines are checked every `check_interval_seconds`, idle connections
    in a sweep over all of them that takes `sweep_seconds`.
    """

    max_message_bytes: int = 16 * 1024
    """Longest message, fragmented or not; a longer one closes the connection with 1009."""
    max_header_bytes: int = 16 * 1024
    """Longest request; a longer one, or one with a line of more than 8 KiB, is answered with 431."""
    max_overhead_frames: int = 100
    """Pings, pongs and unfinished fragments per second; more of them close the connection with 1008."""
    handshake_seconds: float = 5.0
    """Time from the accepted TCP connection to the complete request."""
    ping_interval_seconds: float = 20.0
    """A client from which nothing was received for this long is pinged."""
    idle_seconds: float = 45.0
    """A client from which nothing was received for this long, not even a pong, is disconnected."""
    close_seconds: float = 2.0
    """Time from the close frame or HTTP response until a client that stays connected is aborted."""
    outbox_bytes: int = 256 * 1024
    """Queued bytes above which a client that does not read is disconnected; one larger message may be queued
    in addition."""
    write_buffer_bytes: int = 32 * 1024
    """Bytes in the event loop's write buffer above which further frames are queued in the outbox."""
    connections_per_address: int = 100
    """Open connections of one address; another one is answered with 429. IPv6 counts by /64 network."""
    max_connections: int = 10_000
    """Open connections; another one is answered with 503."""
    max_handshakes: int = 2_048
    """TCP connections without a complete request; another one is aborted without an answer."""

    @property
    def opened_at_once(self) -> int:
        """Connections that one address may open in a burst: twice as many as it may have open."""
        return 2 * self.connections_per_address

    @property
    def opened_per_second(self) -> float:
        """Connections per second that one address may open on average; another one is answered with 429."""
        return self.connections_per_address / 10

    @property
    def handshakes_per_address(self) -> int:
        """Limit of unfinished handshakes for one address: at least an eighth of `max_handshakes`."""
        return max(self.connections_per_address, self.max_handshakes // 8)

    @property
    def sweep_seconds(self) -> float:
        """Time in which every connection is checked once for being idle."""
        return min(self.ping_interval_seconds, self.idle_seconds) / 8

    @property
    def check_interval_seconds(self) -> float:
        """Time between two checks of deadlines: at most 1 s, and a quarter of the shortest time limit."""
        shortest = min(
            self.handshake_seconds, self.ping_interval_seconds, self.idle_seconds, self.close_seconds
        )
        return min(1.0, shortest / 4)

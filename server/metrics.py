"""Prometheus metrics, read from the counters of the parts of a node."""

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from wsgiref.simple_server import WSGIServer

from prometheus_client import CollectorRegistry, Histogram, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from protocol.version import VERSION as PROTOCOL
from server.rooms.counters import RoomCounters
from server.store.journal import Journal
from server.transport import TransportStats

_LAG_EVERY_S: Final = 0.5
_BATCH_SIZES: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500)
_LATENCIES: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class MetricsUnavailable(Exception):  # noqa: N818 - the name says what happened
    """The port for Prometheus is not available; the cause is an OSError."""


@dataclass(frozen=True, slots=True)
class Sources:
    """The parts of a node whose numbers are exported."""

    version: str
    transport: TransportStats
    counters: RoomCounters
    journal: Journal
    hellos: Mapping[str, int]
    probe_age: Callable[[], float]
    sessions: Callable[[], int]


class Metrics(Collector):
    """The metrics of one node, in a registry of their own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.batch_size = Histogram(
            "simonrace_commit_batch_size",
            "Commits in one batch",
            buckets=_BATCH_SIZES,
            registry=self.registry,
        )
        self.batch_seconds = Histogram(
            "simonrace_commit_seconds", "Time of one batch", buckets=_LATENCIES, registry=self.registry
        )
        self.loop_lag = 0.0
        self._sources: Sources | None = None
        self._server: WSGIServer | None = None

    def read_from(self, sources: Sources) -> None:
        """Export the numbers of these sources."""
        self._sources = sources
        self.registry.register(self)

    def on_batch(self, size: int, seconds: float) -> None:
        """Count a batch of the journal."""
        self.batch_size.observe(size)
        self.batch_seconds.observe(seconds)

    def serve(self, host: str, port: int) -> None:
        """Serve the metrics on a port of their own. Raises MetricsUnavailable."""
        try:
            self._server, _ = start_http_server(port, host, self.registry)
        except OSError as fault:
            raise MetricsUnavailable from fault

    @property
    def port(self) -> int | None:
        """Port on which the metrics are served, or None."""
        return None if self._server is None else self._server.server_port

    def close(self) -> None:
        """Close the port; blocks for up to half a second."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()

    async def watch_loop(self) -> None:
        """Measure the delay of the event loop until cancelled."""
        while True:
            before = time.monotonic()
            await asyncio.sleep(_LAG_EVERY_S)
            self.loop_lag = max(0.0, time.monotonic() - before - _LAG_EVERY_S)

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics except the histograms, which the registry collects."""
        sources = self._sources
        if sources is None:
            return
        stats, counters, tally = sources.transport, sources.counters, sources.journal.stats
        info = {"version": sources.version, "protocol": str(PROTOCOL)}
        yield InfoMetricFamily("simonrace_server", "Version of the server and of its protocol", value=info)
        gauges: dict[str, tuple[str, float]] = {
            "connections": ("Open WebSocket connections", stats.open),
            "handshakes": ("TCP connections whose request has no answer yet", stats.handshakes),
            "sessions": ("Open sessions", sources.sessions()),
            "rooms": ("Rooms loaded", counters.rooms),
            "commits_waiting": ("Commits without an outcome", sources.journal.waiting),
            "loop_lag_seconds": ("Delay of the event loop", self.loop_lag),
            "probe_age_seconds": ("Time since a message arrived at the inbox", sources.probe_age()),
            "store_unavailable": (
                "Whether the store is unavailable",
                sources.journal.unavailable_since is not None,
            ),
        }
        for name, (text, value) in gauges.items():
            yield GaugeMetricFamily(f"simonrace_{name}", text, value=float(value))
        totals: dict[str, tuple[str, float]] = {
            "connections_opened": ("WebSocket connections", stats.opened),
            "http_responses": ("Plain HTTP requests answered", stats.http_responses),
            "messages_received": ("Messages from clients", stats.messages_in),
            "messages_sent": ("Messages to clients", stats.messages_out),
            "received_bytes": ("Bytes from clients", stats.bytes_in),
            "sent_bytes": ("Bytes to clients", stats.bytes_out),
            "slow_drops": ("Clients disconnected because they did not read", stats.slow_drops),
            "idle_drops": ("Clients disconnected because they were silent", stats.idle_drops),
            "close_timeouts": (
                "Clients disconnected because they did not finish a close",
                stats.close_timeouts,
            ),
            "protocol_errors": ("Connections that broke the WebSocket protocol", stats.protocol_errors),
            "handler_errors": ("Exceptions in handlers", stats.handler_errors),
            "commits": ("Commits answered by the store", tally.commits),
            "commit_conflicts": ("Commits that conflicted with another writer", tally.conflicts),
            "commits_stale": ("Conflicting commits that were not sent", tally.stale),
            "commit_failures": ("Failed calls of the store", tally.failures),
            "rooms_opened": ("Rooms opened", counters.rooms_opened),
            "races_started": ("Races started", counters.races_started),
            "races_ended": ("Races ended by this node", counters.races_ended),
            "gaps_repaired": ("Times a room's log was read again", counters.gaps_repaired),
            "rollbacks": (
                "Rooms that continued from a store with less than it had acknowledged",
                counters.rollbacks,
            ),
        }
        for name, (text, value) in totals.items():
            yield CounterMetricFamily(f"simonrace_{name}", text, value=float(value))
        yield _labelled("actions", "Actions of racers", "outcome", counters.actions)
        yield _labelled("hellos", "Hellos answered with welcome", "client", sources.hellos)
        yield _labelled("resumes", "Returns to a room", "outcome", counters.resumes)
        refused = {reason.value: number for reason, number in stats.refused.items()}
        yield _labelled("handshakes_refused", "Refused handshakes", "reason", refused)


def _labelled(name: str, text: str, label: str, numbers: Mapping[str, int]) -> CounterMetricFamily:
    family = CounterMetricFamily(f"simonrace_{name}", text, labels=[label])
    for value, number in numbers.items():
        family.add_metric([value], float(number))
    return family

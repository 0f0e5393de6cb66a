"""Prometheus metrics, read from the plain counters that the parts of a node keep."""

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
from server.rooms.counts import Counts
from server.store.journal import Journal
from server.transport import TransportStats

_LAG_EVERY_S: Final = 0.5
_BATCH_SIZES: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500)
_LATENCIES: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class MetricsUnavailable(Exception):  # noqa: N818 - it says what is the case
    """The port for Prometheus cannot be had; the cause is an OSError."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Where the numbers come from."""

    version: str
    transport: TransportStats
    counts: Counts
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
        """Show these sources from now on."""
        self._sources = sources
        self.registry.register(self)

    def on_batch(self, size: int, seconds: float) -> None:
        """Count a batch of the journal."""
        self.batch_size.observe(size)
        self.batch_seconds.observe(seconds)

    def serve(self, host: str, port: int) -> None:
        """Answer Prometheus on a port of its own. Raises MetricsUnavailable."""
        try:
            self._server, _ = start_http_server(port, host, self.registry)
        except OSError as fault:
            raise MetricsUnavailable from fault

    @property
    def port(self) -> int | None:
        """Where Prometheus is answered, if it is."""
        return None if self._server is None else self._server.server_port

    def close(self) -> None:
        """Let go of the port; blocks for half a second at most."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()

    async def watch_loop(self) -> None:
        """Measure for ever how late the event loop is."""
        while True:
            before = time.monotonic()
            await asyncio.sleep(_LAG_EVERY_S)
            self.loop_lag = max(0.0, time.monotonic() - before - _LAG_EVERY_S)

    def collect(self) -> Iterator[Metric]:
        """Yield everything but the histograms, which the registry has by itself."""
        sources = self._sources
        if sources is None:
            return
        stats, counts, tally = sources.transport, sources.counts, sources.journal.tally
        spoken = {"version": sources.version, "protocol": str(PROTOCOL)}
        yield InfoMetricFamily("simonrace_server", "Which server this is, and what it speaks", value=spoken)
        gauges: dict[str, tuple[str, float]] = {
            "connections": ("Open WebSocket connections", stats.open),
            "handshakes": ("TCP connections without an answer to their request", stats.handshakes),
            "sessions": ("Connections with an application behind", sources.sessions()),
            "rooms": ("Rooms in memory", counts.rooms),
            "commits_waiting": ("Commits without an outcome", sources.journal.waiting),
            "loop_lag_seconds": ("How late the event loop was", self.loop_lag),
            "probe_age_seconds": ("Since the own inbox was heard", sources.probe_age()),
            "store_away": ("Whether the store cannot be reached", sources.journal.away_since is not None),
        }
        for name, (text, value) in gauges.items():
            yield GaugeMetricFamily(f"simonrace_{name}", text, value=float(value))
        counters: dict[str, tuple[str, float]] = {
            "connections_opened": ("WebSocket connections", stats.opened),
            "http_responses": ("Plain HTTP requests answered", stats.http_responses),
            "messages_received": ("Messages from clients", stats.messages_in),
            "messages_sent": ("Messages to clients", stats.messages_out),
            "received_bytes": ("Bytes from clients", stats.bytes_in),
            "sent_bytes": ("Bytes to clients", stats.bytes_out),
            "slow_drops": ("Clients dropped because they did not read", stats.slow_drops),
            "idle_drops": ("Clients dropped because they were silent", stats.idle_drops),
            "close_timeouts": ("Clients dropped because they did not finish a close", stats.close_timeouts),
            "protocol_errors": ("Connections that broke the WebSocket protocol", stats.protocol_errors),
            "handler_errors": ("Faults of the application", stats.handler_errors),
            "commits": ("Commits answered by the store", tally.commits),
            "commit_conflicts": ("Commits refused because the log had grown", tally.conflicts),
            "commits_stale": ("Of those refused, the ones that were not sent", tally.stale),
            "commit_failures": ("Calls of the store that failed", tally.failures),
            "rooms_opened": ("Rooms opened", counts.rooms_opened),
            "races_started": ("Races started", counts.races_started),
            "races_over": ("Races closed by this node", counts.races_over),
            "gaps_repaired": ("Times a room's log was read again", counts.gaps_repaired),
            "setbacks": ("Times a room had to begin anew with less than was told", counts.setbacks),
        }
        for name, (text, value) in counters.items():
            yield CounterMetricFamily(f"simonrace_{name}", text, value=float(value))
        yield _labelled("actions", "Actions of racers", "outcome", counts.actions)
        yield _labelled("hellos", "Hellos that were welcomed", "client", sources.hellos)
        yield _labelled("resumes", "Returns to a room", "outcome", counts.resumes)
        refused = {reason.value: number for reason, number in stats.refused.items()}
        yield _labelled("handshakes_refused", "Refused handshakes", "reason", refused)


def _labelled(name: str, text: str, label: str, numbers: Mapping[str, int]) -> CounterMetricFamily:
    family = CounterMetricFamily(f"simonrace_{name}", text, labels=[label])
    for value, number in numbers.items():
        family.add_metric([value], float(number))
    return family

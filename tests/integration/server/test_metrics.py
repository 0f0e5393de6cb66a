"""Prometheus sees what happens on a node, on a port of its own."""

import socket
from dataclasses import fields
from itertools import count

import pytest
from prometheus_client.parser import text_string_to_metric_families
from racetest import Client, Gather, StartNode, fetch, solution, until, url_of

from server.metrics import Metrics, MetricsUnavailable, Sources
from server.node import VERSION, Node
from server.rooms.counters import RoomCounters
from server.store.journal import Journal, JournalStats
from server.store.memory import MemoryStore
from server.transport import TransportStats


async def numbers(where: Node) -> dict[str, float]:
    """Read the metrics of a node: `name` or `name{label}` to its number."""
    status, page = await fetch(f"http://127.0.0.1:{where.metrics.port}/metrics")
    assert status == 200
    found = {}
    for family in text_string_to_metric_families(page):
        assert family.documentation
        for sample in family.samples:
            labels = ",".join(sample.labels.values())
            found[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value
    return found


async def test_a_race_is_counted(node: StartNode, race: Gather) -> None:
    """Connections, rooms, races, actions by outcome, commits, resumes."""
    where = await node(metrics_port=0)
    before = await numbers(where)
    ada, ben = await race(where, "Ada", "Ben")
    await ada.act("undo")
    await ada.moves(solution()[:5])
    await ada.send(type="move", n=1, **solution()[0])
    await ada.answer(1)
    back = await ben.reconnect(seen=0)
    await ada.win()
    await back.win()
    await ada.expect("race_ended")
    await until(lambda: where.counters.races_ended == 1)
    after = await numbers(where)
    expected = {
        "simonrace_connections": 2,
        "simonrace_sessions": 2,
        "simonrace_rooms": 1,
        "simonrace_store_unavailable": 0,
        "simonrace_rooms_opened_total": 1,
        "simonrace_races_started_total": 1,
        "simonrace_races_ended_total": 1,
        "simonrace_actions_total{accepted}": 2 * len(solution()),
        "simonrace_actions_total{refused}": 1,
        "simonrace_actions_total{repeated}": 1,
        "simonrace_actions_total{conflict}": 0,
        "simonrace_resumes_total{events}": 1,
        "simonrace_handler_errors_total": 0,
        "simonrace_protocol_errors_total": 0,
    }
    assert {name: after[name] for name in expected} == expected
    assert after["simonrace_commits_total"] > before["simonrace_commits_total"] + 2 * len(solution())
    assert after["simonrace_commit_batch_size_count"] == after["simonrace_commit_seconds_count"] > 0
    assert after["simonrace_probe_age_seconds"] < 5
    assert after["simonrace_loop_lag_seconds"] >= 0


async def test_versions_of_clients_and_server_are_told_apart(node: StartNode) -> None:
    """Hellos by name and version of the client; version and protocol of the server."""
    where = await node(metrics_port=0)
    for client in ("example/1.0", "example/2.0", "example/2.0", "<script>"):
        ada = await Client(url_of(where), "Ada").open()
        await ada.hello(client=client)
        assert await ada.error_code("hello", name="Ada", client="too-late/1") == "already_identified"
        await ada.close()
    after = await numbers(where)
    assert {name: value for name, value in after.items() if name.startswith("simonrace_hellos")} == {
        "simonrace_hellos_total{example/1.0}": 1,
        "simonrace_hellos_total{example/2.0}": 2,
        "simonrace_hellos_total{other}": 1,
    }
    assert after[f"simonrace_server_info{{1,{VERSION}}}"] == 1


async def test_the_metrics_port_is_closed_with_the_node(node: StartNode) -> None:
    """After the node nobody listens there any more."""
    where = await node(metrics_port=0)
    port = where.metrics.port
    assert port
    await where.stop()
    with socket.create_server(("127.0.0.1", port)):
        pass


def test_a_port_in_use_is_reported() -> None:
    """The fault of the system is the cause."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        metrics = Metrics()
        with pytest.raises(MetricsUnavailable) as refused:
            metrics.serve("127.0.0.1", other.getsockname()[1])
    assert isinstance(refused.value.__cause__, OSError)
    assert metrics.port is None
    metrics.close()


async def test_every_counter_is_shown() -> None:
    """A number that nobody can read tells nobody anything; batches are shown by their histograms."""
    stats, counts, journal = TransportStats(), RoomCounters(), Journal(MemoryStore(lambda: 0))
    numbers = count(1_000)
    counted: set[float] = set()
    for source in (stats, counts, journal.stats):
        names = (
            source.__slots__ if isinstance(source, JournalStats) else [each.name for each in fields(source)]
        )
        for name in set(names) - {"batches"}:
            value = getattr(source, name)
            if isinstance(value, dict):
                value.update({each: next(numbers) for each in value})
                counted |= set(value.values())
            else:
                setattr(source, name, next(numbers))
                counted.add(getattr(source, name))
    metrics = Metrics()
    metrics.read_from(Sources("1", stats, counts, journal, {}, lambda: 0.0, lambda: 0))
    shown = {sample.value for family in metrics.collect() for sample in family.samples}
    assert counted - shown == set()

"""Killed processes with a Redis Cluster of three servers as the store."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from chaostest import ClientGroup, Fleet, LocalCluster, check_invariants, stop_and_check


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[LocalCluster]:
    """A Redis Cluster of three servers."""
    with LocalCluster(tmp_path) as cluster:
        yield cluster


@pytest.fixture
def fleet(cluster: LocalCluster, tmp_path: Path) -> Iterator[Fleet]:
    """A fleet on that cluster."""
    fleet = Fleet(cluster, tmp_path)
    yield fleet
    fleet.end()


async def test_a_race_on_a_cluster_survives_a_killed_server(fleet: Fleet, client_count: int) -> None:
    """Logs, node messages, leaderboards and schedules are spread over the cluster."""
    doomed, _ = await fleet.start()
    group = ClientGroup(fleet, client_count)
    await group.create_room()
    await group.start()
    await group.wait_for_progress(0.4)
    doomed.kill()
    await group.finish()
    await check_invariants(group)
    await stop_and_check(group, fleet)


@pytest.mark.long
async def test_a_race_on_a_cluster_survives_a_kill_of_every_shard(
    fleet: Fleet, cluster: LocalCluster, client_count: int
) -> None:
    """`kill -9` of one after the other, each started again on its files. One of them has the room."""
    await fleet.start()
    group = ClientGroup(fleet, client_count)
    await group.create_room()
    await group.start()
    for number, share in enumerate((0.2, 0.4, 0.6)):
        await group.wait_for_progress(share)
        cluster.kill(number)
        await asyncio.to_thread(cluster.restart, number)
    await group.finish()
    await check_invariants(group)
    await stop_and_check(group, fleet)

"""The basic ordeals with a Redis Cluster of three servers as the store."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from ordeal import Crowd, Fleet, LocalCluster, clean_up, judge


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[LocalCluster]:
    """Three servers of Redis with all slots between them."""
    with LocalCluster(tmp_path) as cluster:
        yield cluster


@pytest.fixture
def fleet(cluster: LocalCluster, tmp_path: Path) -> Iterator[Fleet]:
    """Servers of ours on that cluster."""
    fleet = Fleet(cluster, tmp_path)
    yield fleet
    fleet.end()


async def test_a_race_on_a_cluster_outlives_the_death_of_a_server(fleet: Fleet, many: int) -> None:
    """Logs, news, leaderboards and agendas are spread over the cluster; all is as on one Redis."""
    doomed, _ = await fleet.start()
    crowd = Crowd(fleet, many)
    await crowd.gather()
    await crowd.start()
    await crowd.progressed(0.4)
    doomed.kill()
    await crowd.finish()
    await judge(crowd)
    await clean_up(crowd, fleet)


@pytest.mark.long
async def test_a_race_on_a_cluster_outlives_the_death_of_every_shard(
    fleet: Fleet, cluster: LocalCluster, many: int
) -> None:
    """`kill -9` of one after the other, each started again on its disk; one of them has the room."""
    await fleet.start()
    crowd = Crowd(fleet, many)
    await crowd.gather()
    await crowd.start()
    for number, share in enumerate((0.2, 0.4, 0.6)):
        await crowd.progressed(share)
        cluster.kill(number)
        await asyncio.to_thread(cluster.revive, number)
    await crowd.finish()
    await judge(crowd)
    await clean_up(crowd, fleet)

"""Processes that are killed in the middle of a race: nothing acknowledged is lost, nothing is doubled."""

import os
import signal
from pathlib import Path

from chaostest import ClientGroup, Fleet, check_invariants, stop_and_check
from racetest import until
from redis import Redis


async def test_a_race_outlives_the_death_of_one_of_two_servers(fleet: Fleet, client_count: int) -> None:
    """`kill -9` of a server: its players go on at the other, their unanswered moves made exactly once."""
    doomed, _ = await fleet.start()
    group = ClientGroup(fleet, client_count)
    await group.create_room()
    await group.start()
    await group.wait_for_progress(0.4)
    doomed.kill()
    await group.finish()
    await check_invariants(group)
    await stop_and_check(group, fleet)


async def test_a_race_outlives_the_death_of_the_store(fleet: Fleet, client_count: int) -> None:
    """`kill -9` of Redis and a new start: the connections stay, moves wait, and go on where they were."""
    await fleet.start()
    group = ClientGroup(fleet, client_count)
    await group.create_room()
    await group.start()
    await group.wait_for_progress(0.4)
    fleet.kill_store()
    await fleet.restart_store()
    await group.finish()
    await check_invariants(group)
    assert {client.connections for client in group.clients} == {1}
    await stop_and_check(group, fleet)


async def test_a_race_outlives_the_death_of_everything(fleet: Fleet, client_count: int) -> None:
    """`kill -9` of Redis and of every server: new ones read from the disk how far everybody was."""
    await fleet.start()
    group = ClientGroup(fleet, client_count)
    await group.create_room()
    await group.start()
    await group.wait_for_progress(0.4)
    fleet.kill_store()
    for server in fleet.running:
        server.kill()
    await fleet.restart_store()
    await fleet.start()
    await group.finish()
    await check_invariants(group)
    await stop_and_check(group, fleet)


async def test_a_race_outlives_the_death_of_a_worker(fleet: Fleet, client_count: int) -> None:
    """`kill -9` of one of the processes that share a port: another takes its place, players return to any."""
    server = await fleet.add(workers=2)
    group = ClientGroup(fleet, client_count)
    await group.create_room()
    await group.start()
    await group.wait_for_progress(0.4)
    doomed, other = server.workers()
    os.kill(doomed, signal.SIGKILL)
    await group.finish()
    await check_invariants(group)
    assert any(client.connections > 1 for client in group.clients)
    await until(lambda: len(server.workers()) == 2 and other in server.workers())
    await group.leave()
    await server.stop()
    assert [line for line in server.logged_errors() if "a worker died" not in line] == []


async def test_workers_end_with_the_server_that_started_them(fleet: Fleet) -> None:
    """Nobody is left on the port when the server itself is killed."""
    server = await fleet.add(workers=2)
    workers = server.workers()
    assert len(workers) == 2
    server.kill()
    await until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))
    with Redis.from_url(fleet.store.url) as redis:
        assert redis.pubsub_channels() == []

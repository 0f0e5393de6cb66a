"""Killed processes during a race: nothing acknowledged is lost or carried out twice."""

import os
import signal
from pathlib import Path

from chaostest import ClientGroup, Fleet, check_invariants, stop_and_check
from racetest import until
from redis import Redis


async def test_a_race_survives_a_kill_of_one_of_two_servers(fleet: Fleet, client_count: int) -> None:
    """`kill -9` of a server: its clients go on at the other, and their unanswered moves are made once."""
    doomed, _ = await fleet.start()
    group = ClientGroup(fleet, client_count)
    await group.create_room()
    await group.start()
    await group.wait_for_progress(0.4)
    doomed.kill()
    await group.finish()
    await check_invariants(group)
    await stop_and_check(group, fleet)


async def test_a_race_survives_a_kill_of_the_store(fleet: Fleet, client_count: int) -> None:
    """`kill -9` of Redis and a restart: connections stay open, and moves wait."""
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


async def test_a_race_survives_a_kill_of_all_processes(fleet: Fleet, client_count: int) -> None:
    """`kill -9` of Redis and of every server: new ones read the games from the store's files."""
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


async def test_a_race_survives_a_killed_worker(fleet: Fleet, client_count: int) -> None:
    """`kill -9` of one of the processes that share a port: another replaces it, clients return to any."""
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
    """No worker stays on the port when the server process is killed."""
    server = await fleet.add(workers=2)
    workers = server.workers()
    assert len(workers) == 2
    server.kill()
    await until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))
    with Redis.from_url(fleet.store.url) as redis:
        assert redis.pubsub_channels() == []

"""Simultaneous changes at two nodes: one outcome, the same for every client."""

import time
from functools import partial

import pytest
from chaostest import ClientGroup, Fleet, check_invariants, room_events, stop_and_check
from chaostest.racing_client import RacingClient
from racetest import until
from redis import Redis

from server.core import events as ev


async def test_races_that_two_nodes_start_and_end_in_the_same_instant(
    fleet: Fleet, request: pytest.FixtureRequest
) -> None:
    """All clients get ready and make the last move at once, in several races of one room."""
    rounds = 30 if request.config.getoption("--long", default=False) else 5
    servers = await fleet.start()
    group = ClientGroup(fleet, 6, every_s=0.004)
    group.assign_servers(servers)
    await group.create_room(start_mode="all_ready")
    for _ in range(rounds):
        await group.start(by_host=False, hold_last=True)
        await group.until(lambda client: client.acknowledged == len(client.plan) - 1)
        for client in group.clients:
            client.go_on()
        await group.finish()
        await check_invariants(group)
    with Redis.from_url(fleet.store.url) as redis:
        log = room_events(redis, group.room)
    for kind in (ev.CountdownStarted, ev.RaceStarted, ev.RaceEnded):
        assert [event.race for event in log if isinstance(event, kind)] == list(range(1, rounds + 1))
    assert sum(isinstance(event, ev.RacerWon) for event in log) == rounds * len(group.clients)
    await stop_and_check(group, fleet)


async def test_servers_with_different_clocks_time_a_race_alike(fleet: Fleet) -> None:
    """The clocks of two servers differ by 90 s: times and ranks follow the store's clock."""
    servers = [await fleet.add(), await fleet.add(skew_s=90.0)]
    group = ClientGroup(fleet, 6, every_s=0.004)
    group.assign_servers(servers)
    await group.create_room()
    began = time.monotonic()
    await group.start(hold_last=True)
    await group.until(lambda client: client.acknowledged == len(client.plan) - 1)
    finished = []
    for client in group.clients:
        client.go_on()
        await until(partial(_is_done, client))
        finished.append(client.player)
    took_ms = 1000 * (time.monotonic() - began)
    await group.finish()
    await check_invariants(group)
    results = group.host.results[1]
    assert [row["player"] for row in results] == finished
    assert [row["rank"] for row in results] == [1, 2, 3, 4, 5, 6]
    assert all(0 < row["reached_ms"] <= took_ms + 100 for row in results)
    await stop_and_check(group, fleet)


def _is_done(client: RacingClient) -> bool:
    return client.acknowledged == len(client.plan)

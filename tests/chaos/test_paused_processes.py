"""Processes that are paused and resumed."""

import asyncio

import pytest
from chaostest import ClientGroup, Fleet, check_invariants, stop_and_check


@pytest.mark.parametrize("seconds", [3, pytest.param(20, marks=pytest.mark.long)])
async def test_a_race_waits_for_a_paused_store(fleet: Fleet, client_count: int, seconds: int) -> None:
    """SIGSTOP of Redis: commits time out and may have been made. Nothing is carried out twice."""
    await fleet.start()
    group = ClientGroup(fleet, client_count)
    await group.create_room()
    await group.start()
    await group.wait_for_progress(0.4)
    fleet.pause_store()
    await asyncio.sleep(seconds)
    fleet.resume_store()
    await group.finish()
    await check_invariants(group)
    assert {client.connections for client in group.clients} == {1}
    messages = {tuple(client.notices) for client in group.clients}
    assert messages == {("store_unavailable", "store_available")}
    await stop_and_check(group, fleet)


async def test_a_resumed_server_finds_its_clients_at_another_server(fleet: Fleet, client_count: int) -> None:
    """SIGSTOP of a server whose clients reconnect elsewhere. Resumed, it writes nothing wrong."""
    sleeper, other = await fleet.start()
    group = ClientGroup(fleet, client_count)
    await group.create_room()
    await group.start()
    await group.wait_for_progress(0.3)
    sleeper.pause()
    for client in group.clients:
        if client.address_now == sleeper.address:
            client.address = lambda: other.address
            client.reconnect()
    await group.wait_for_progress(0.7)
    sleeper.resume()
    await group.finish()
    await check_invariants(group)
    await stop_and_check(group, fleet)


@pytest.mark.long
async def test_a_server_that_was_declared_dead_goes_on_with_its_clients(
    fleet: Fleet, client_count: int
) -> None:
    """It is paused for so long that the other one declares it dead, and its clients wait."""
    sleeper, _ = await fleet.start()
    group = ClientGroup(fleet, client_count, every_s=0.1)
    await group.create_room()
    await group.start()
    await group.wait_for_progress(0.3)
    held = [client for client in group.clients if client.address_now == sleeper.address]
    for client in group.clients:
        client.stop_at = client.acknowledged + 5
    sleeper.pause()
    watcher = next(client for client in group.clients if client not in held)
    gone = {client.player for client in held}
    await group.wait_for_event(watcher, "member_disconnected", gone, within=40)
    sleeper.resume()
    await group.wait_for_event(watcher, "member_reconnected", gone, within=20)
    for client in group.clients:
        client.go_on()
    await group.finish()
    await check_invariants(group)
    await stop_and_check(group, fleet)

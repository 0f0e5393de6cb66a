"""Processes that stand still for a while and then go on, not knowing what has happened meanwhile."""

import asyncio

import pytest
from ordeal import Crowd, Fleet, clean_up, judge


@pytest.mark.parametrize("seconds", [3, pytest.param(20, marks=pytest.mark.long)])
async def test_a_race_waits_for_a_store_that_stands_still(fleet: Fleet, many: int, seconds: int) -> None:
    """SIGSTOP of Redis: commits time out and may have been made all the same; nothing is made twice."""
    await fleet.start()
    crowd = Crowd(fleet, many)
    await crowd.gather()
    await crowd.start()
    await crowd.progressed(0.4)
    fleet.pause_store()
    await asyncio.sleep(seconds)
    fleet.wake_store()
    await crowd.finish()
    await judge(crowd)
    assert {racer.connections for racer in crowd.people} == {1}
    told = {tuple(racer.notices) for racer in crowd.people}
    assert told == {("store_unavailable", "store_available")}
    await clean_up(crowd, fleet)


async def test_a_server_that_stood_still_learns_that_its_players_are_elsewhere(
    fleet: Fleet, many: int
) -> None:
    """SIGSTOP of a server whose players give up waiting; when it wakes, it writes nothing wrong."""
    sleeper, other = await fleet.start()
    crowd = Crowd(fleet, many)
    await crowd.gather()
    await crowd.start()
    await crowd.progressed(0.3)
    sleeper.pause()
    for racer in crowd.people:
        if racer.address_now == sleeper.address:
            racer.address = lambda: other.address
            racer.reconnect()
    await crowd.progressed(0.7)
    sleeper.wake()
    await crowd.finish()
    await judge(crowd)
    await clean_up(crowd, fleet)


@pytest.mark.long
async def test_a_server_taken_for_dead_goes_on_with_its_players(fleet: Fleet, many: int) -> None:
    """It stood still for so long that the other one gave it up, and its players have waited all the same."""
    sleeper, _ = await fleet.start()
    crowd = Crowd(fleet, many, every_s=0.1)
    await crowd.gather()
    await crowd.start()
    await crowd.progressed(0.3)
    held = [racer for racer in crowd.people if racer.address_now == sleeper.address]
    for racer in crowd.people:
        racer.hold_at = racer.acknowledged + 5
    sleeper.pause()
    watcher = next(racer for racer in crowd.people if racer not in held)
    gone = {racer.player for racer in held}
    await crowd.seen(watcher, "member_disconnected", gone, within=40)
    sleeper.wake()
    await crowd.seen(watcher, "member_reconnected", gone, within=20)
    for racer in crowd.people:
        racer.release()
    await crowd.finish()
    await judge(crowd)
    await clean_up(crowd, fleet)

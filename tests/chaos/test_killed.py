"""Processes that are killed in the middle of a race: nothing acknowledged is lost, nothing is doubled."""

from ordeal import Crowd, Fleet, clean_up, judge


async def test_a_race_outlives_the_death_of_one_of_two_servers(fleet: Fleet, many: int) -> None:
    """`kill -9` of a server: its players go on at the other, their unanswered moves made exactly once."""
    doomed, _ = await fleet.start()
    crowd = Crowd(fleet, many)
    await crowd.gather()
    await crowd.start()
    await crowd.progressed(0.4)
    doomed.kill()
    await crowd.finish()
    await judge(crowd)
    await clean_up(crowd, fleet)


async def test_a_race_outlives_the_death_of_the_store(fleet: Fleet, many: int) -> None:
    """`kill -9` of Redis and a new start: the connections stay, moves wait, and go on where they were."""
    await fleet.start()
    crowd = Crowd(fleet, many)
    await crowd.gather()
    await crowd.start()
    await crowd.progressed(0.4)
    fleet.kill_store()
    await fleet.revive_store()
    await crowd.finish()
    await judge(crowd)
    assert {racer.connections for racer in crowd.people} == {1}
    await clean_up(crowd, fleet)


async def test_a_race_outlives_the_death_of_everything(fleet: Fleet, many: int) -> None:
    """`kill -9` of Redis and of every server: new ones read from the disk how far everybody was."""
    await fleet.start()
    crowd = Crowd(fleet, many)
    await crowd.gather()
    await crowd.start()
    await crowd.progressed(0.4)
    fleet.kill_store()
    for server in fleet.living:
        server.kill()
    await fleet.revive_store()
    await fleet.start()
    await crowd.finish()
    await judge(crowd)
    await clean_up(crowd, fleet)

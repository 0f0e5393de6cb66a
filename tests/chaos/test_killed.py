"""Processes that are killed in the middle of a race: nothing acknowledged is lost, nothing is doubled."""

from ordeal import Crowd, Fleet, clean_up, judge


async def test_a_race_outlives_the_death_of_one_of_two_servers(fleet: Fleet, many: int) -> None:
    """`kill -9` of a server: its players go on at the other, their unanswered moves made exactly once."""
    doomed = await fleet.add()
    await fleet.add()
    crowd = Crowd(fleet, many)
    await crowd.gather()
    await crowd.start()
    await crowd.progressed(0.4)
    doomed.kill()
    await crowd.finish()
    await judge(crowd)
    await clean_up(crowd, fleet)

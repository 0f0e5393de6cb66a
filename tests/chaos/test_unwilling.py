"""A store that answers and does not serve: people are told, moves wait, and all goes on when it is mended."""

import json

import pytest
from ordeal import Crowd, Fleet, clean_up, judge
from redis import Redis

FULL = ("CONFIG SET maxmemory 1", "CONFIG SET maxmemory 0", "is out of memory: raise its maxmemory")
REPLICA = (
    "REPLICAOF 127.0.0.1 1",
    "REPLICAOF NO ONE",
    "is a read-only replica: give the address of its primary",
)


@pytest.mark.parametrize(
    ("spoil", "mend", "sentence"),
    [pytest.param(*FULL, id="full"), pytest.param(*REPLICA, id="replica", marks=pytest.mark.long)],
)
async def test_a_race_waits_until_the_store_serves_again(
    fleet: Fleet, spoil: str, mend: str, sentence: str
) -> None:
    """`maxmemory` is reached, or the primary is made a replica: nothing is lost, and logs say what to do."""
    servers = await fleet.start()
    crowd = Crowd(fleet, 10)
    await crowd.gather()
    await crowd.start()
    await crowd.progressed(0.4)
    with Redis.from_url(fleet.store.url) as redis:
        redis.execute_command(spoil)
        await crowd.until(lambda racer: racer.notices == ["store_unavailable"])
        for server in servers:
            assert sentence in await server.ready()
        redis.execute_command(mend)
    await crowd.until(lambda racer: racer.notices == ["store_unavailable", "store_available"])
    await crowd.finish()
    await judge(crowd)
    assert {racer.connections for racer in crowd.people} == {1}
    for server in servers:
        troubles = [
            json.loads(line) for line in server.log.read_text().splitlines() if "store unavailable" in line
        ]
        assert [sentence in entry["trouble"] for entry in troubles] == [True]
    await clean_up(crowd, fleet)

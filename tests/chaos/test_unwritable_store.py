"""A store that answers but refuses writes: clients get a notice, and moves wait until it is repaired."""

import json

import pytest
from chaostest import ClientGroup, Fleet, check_invariants, stop_and_check
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
    """`maxmemory` is reached, or the primary becomes a replica. The log says what to do."""
    servers = await fleet.start()
    group = ClientGroup(fleet, 10)
    await group.create_room()
    await group.start()
    await group.wait_for_progress(0.4)
    with Redis.from_url(fleet.store.url) as redis:
        redis.execute_command(spoil)
        await group.until(lambda client: client.notices == ["store_unavailable"])
        for server in servers:
            assert sentence in await server.ready()
        redis.execute_command(mend)
    await group.until(lambda client: client.notices == ["store_unavailable", "store_available"])
    await group.finish()
    await check_invariants(group)
    assert {client.connections for client in group.clients} == {1}
    for server in servers:
        troubles = [
            json.loads(line) for line in server.log.read_text().splitlines() if "store unavailable" in line
        ]
        assert [sentence in entry["trouble"] for entry in troubles] == [True]
    await stop_and_check(group, fleet)

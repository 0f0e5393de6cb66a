"""A replica with older data becomes the primary: its data count, and clients get a notice."""

import asyncio
import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from chaostest import ClientGroup, Fleet, LocalReplication, Server, check_invariants, stop_and_check
from racetest import until

LOST = "store rolled back"


@pytest.fixture
def replication(tmp_path: Path) -> Iterator[LocalReplication]:
    """A primary and its replica, both with an append-only file that is synced after every write."""
    with LocalReplication(tmp_path) as replication:
        yield replication


@pytest.fixture
def fleet(replication: LocalReplication, tmp_path: Path) -> Iterator[Fleet]:
    """A fleet at the address of the primary."""
    fleet = Fleet(replication, tmp_path)
    yield fleet
    fleet.end()


def losses(server: Server) -> list[tuple[str, bool, bool]]:
    """Return the logged losses of a server: room, whether events and whether actions were lost."""
    entries = [json.loads(line) for line in server.logged_errors()]
    assert {(entry["event"], entry["level"]) for entry in entries} <= {(LOST, "error")}
    return [(entry["room"], entry["events"] > 0, entry["actions"] > 0) for entry in entries]


@pytest.mark.parametrize("talk", [False, True], ids=["moves", "moves and events"])
async def test_a_race_goes_on_from_what_a_promoted_replica_has(
    fleet: Fleet, replication: LocalReplication, talk: bool
) -> None:
    """Acknowledged moves are lost. The clients of both servers agree on the rest and race to the end."""
    servers = await fleet.start()
    group = ClientGroup(fleet, 10)
    group.assign_servers(servers)
    await group.create_room()
    await group.start()
    await group.wait_for_progress(0.2)
    replication.stop_replication()
    await group.wait_for_progress(0.4)
    if talk:
        for text in ("is", "this", "still", "there?"):
            await group.host.ask("chat", text=text)
    for client in group.clients:
        client.may_lose = True
    await asyncio.to_thread(replication.fail_over)
    await group.until(lambda client: client.lost)
    await group.finish()
    await check_invariants(group)
    for server in servers:
        await until(partial(losses, server))
        assert losses(server) == [(group.room, talk, True)]
    assert [set(client.closes) for client in group.clients] == [{1011}] * 10
    assert [client for client in group.clients if "rolled_back" not in client.notices] == []
    await stop_and_check(group, fleet, expected=LOST)

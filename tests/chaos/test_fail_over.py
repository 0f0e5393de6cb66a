"""A replica that was behind takes the primary's place: what it has counts, for everybody, and it is told."""

import asyncio
import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from ordeal import Crowd, Fleet, LocalPair, Server, clean_up, judge
from racetest import until

LOST = "store rolled back"


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[LocalPair]:
    """A primary and its replica, both with an append-only file that is synced at every write."""
    with LocalPair(tmp_path) as pair:
        yield pair


@pytest.fixture
def fleet(pair: LocalPair, tmp_path: Path) -> Iterator[Fleet]:
    """Servers of ours at the address of the primary."""
    fleet = Fleet(pair, tmp_path)
    yield fleet
    fleet.end()


def losses(server: Server) -> list[tuple[str, bool, bool]]:
    """Return of which rooms a server has said that something is lost: events, actions."""
    entries = [json.loads(line) for line in server.complaints()]
    assert {(entry["event"], entry["level"]) for entry in entries} <= {(LOST, "error")}
    return [(entry["room"], entry["events"] > 0, entry["actions"] > 0) for entry in entries]


@pytest.mark.parametrize("talk", [False, True], ids=["moves", "moves and events"])
async def test_a_race_goes_on_from_what_a_promoted_replica_has(
    fleet: Fleet, pair: LocalPair, talk: bool
) -> None:
    """Acknowledged moves are lost; the players of both servers agree on what is left, and race to the end."""
    servers = await fleet.start()
    crowd = Crowd(fleet, 10)
    crowd.spread(servers)
    await crowd.gather()
    await crowd.start()
    await crowd.progressed(0.2)
    pair.part()
    await crowd.progressed(0.4)
    if talk:
        for text in ("is", "this", "still", "there?"):
            await crowd.host.ask("chat", text=text)
    for racer in crowd.people:
        racer.may_lose = True
    await asyncio.to_thread(pair.fail_over)
    await crowd.until(lambda racer: racer.lost)
    await crowd.finish()
    await judge(crowd)
    for server in servers:
        await until(partial(losses, server))
        assert losses(server) == [(crowd.room, talk, True)]
    assert [set(racer.closes) for racer in crowd.people] == [{1011}] * 10
    assert [racer for racer in crowd.people if "rolled_back" not in racer.notices] == []
    await clean_up(crowd, fleet, expected=LOST)

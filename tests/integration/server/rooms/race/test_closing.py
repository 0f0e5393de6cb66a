"""The end of a race against what happens in the same instant."""

import asyncio

import pytest
from racetest import GatedStore, Gather, Ledger, StartNode, solution, until, url_of

from server.core.rules import Rules
from server.node import Node
from server.rooms import timers
from server.rooms.race import closing
from server.rooms.race.closing import close_race
from server.store import keys
from server.store.port import Append, Commit


def noted_reads(where: Node, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return when a log was read, from now on, in seconds on the loop's clock."""
    reads: list[float] = []
    read = where.store.read

    async def noted(log: str, start: int = 0) -> list[bytes]:
        reads.append(asyncio.get_running_loop().time())
        return await read(log, start)

    monkeypatch.setattr(where.store, "read", noted)
    return reads


async def test_a_race_whose_absent_racer_returns_at_the_last_moment_goes_on(
    node: StartNode, race: Gather
) -> None:
    """The race was about to end without the absent one, who is back before it did: it does not end."""
    where = await node(rules=Rules(absent_ms=60, idle_ms=3_600_000))
    ada, ben = await race(where, "Ada", "Ben")
    await ada.win()
    gate = GatedStore.of(where).reads
    gate.close(f"race:1:{ben.player}")
    ben.abort()
    await gate.reached()
    back = await ben.reconnect()
    await back.moves(solution()[:3])
    gate.open()
    await back.win()
    results = (await ada.expect("race_ended"))["results"]
    assert [(row["name"], row["state"]) for row in results] == [("Ada", "won"), ("Ben", "won")]


async def test_an_acknowledged_move_is_in_the_results(node: StartNode, race: Gather) -> None:
    """A log that grew while the race was being closed is read again."""
    where = await node(rules=Rules(forfeit_undo_ms=30, idle_ms=3_600_000))
    ada, ben = await race(where, "Ada", "Ben", time_limit_s=1)
    gate = GatedStore.of(where).reads
    commits = GatedStore.of(where).commits
    commits.close(f"race:1:{ben.player}")
    await ben.send(type="move", n=1, **solution()[0])
    await commits.reached()
    gate.close(f"race:1:{ben.player}")
    await gate.reached()  # the time is up, and the log was read without the move
    commits.open()
    assert (await ben.answer(1))["type"] == "accepted"
    gate.open()
    results = (await ada.expect("race_ended"))["results"]
    assert {row["name"]: row["moves"] for row in results} == {"Ada": 0, "Ben": 1}


async def test_two_nodes_that_close_a_race_close_it_once(node: StartNode, race: Gather) -> None:
    """Both see that the time is up; one commit wins, everybody receives one end."""
    here, there = await node(), await node()
    ada, ben = await race(here, "Ada", "Ben", time_limit_s=1)
    ben = await ben.reconnect(url_of(there))
    await ben.moves(solution()[:2])
    over = [await racer.expect("race_ended") for racer in (ada, ben)]
    assert over[0] == over[1]
    await ada.do("chat", text="and now?")
    await ben.expect("chat_message")
    assert [len(racer.messages("race_ended")) for racer in (ada, ben)] == [1, 1]
    assert here.counters.races_ended + there.counters.races_ended == 1


async def test_a_race_that_ends_while_the_journal_is_full_is_closed_later(
    node: StartNode, race: Gather, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is tried again after a pause: without one, all logs would be read again and again until then."""
    where = await node(rules=Rules(forfeit_undo_ms=1, idle_ms=3_600_000))
    (ada,) = await race(where, "Ada")
    monkeypatch.setattr(closing, "RETRY_S", 0.2)
    reads, gate = noted_reads(where, monkeypatch), GatedStore.of(where).reads
    gate.close("race:1")
    await ada.act("forfeit")
    await gate.reached()
    monkeypatch.setattr(where.journal, "_max_waiting", 0)
    gate.open()
    await until(lambda: len(reads) == 2)
    monkeypatch.undo()
    await ada.expect("race_ended")
    assert reads[1] - reads[0] >= 0.2


async def test_a_race_that_cannot_be_closed_is_tried_again_after_a_pause(
    node: StartNode, race: Gather, monkeypatch: pytest.MonkeyPatch, ledger: Ledger
) -> None:
    """A racer's log with an entry of a newer server, say: it is reported, and not read over and over."""
    monkeypatch.setattr(timers, "UNREADABLE_S", 0.2)
    where = await node(rules=Rules(idle_ms=3_600_000))
    (ada,) = await race(where, "Ada", time_limit_s=1)
    log = keys.game_log(ada.room, 1, ada.player)
    await where.store.commit([Commit((Append(log, 0, (b"?",)),))])
    reads = noted_reads(where, monkeypatch)
    await until(lambda: len(ledger.errors) == 2)
    await where.store.commit([Commit((Append(log, 1, (), ttl_s=0),))])
    await ada.expect("race_ended")
    ledger.lines.clear()
    assert reads[1] - reads[0] >= 0.2


async def test_a_cancelled_closing_ignores_its_late_answer(node: StartNode, race: Gather) -> None:
    """A server that stops while the store is slow: the outcome comes when nobody waits for it any more."""
    where = await node(rules=Rules(idle_ms=3_600_000))
    (ada,) = await race(where, "Ada", time_limit_s=3_600)
    room = await where.rooms.find(ada.room)
    assert room is not None
    assert room.race is not None
    room.race.race.time_limit_ms = 0
    commits = GatedStore.of(where).commits
    commits.close(f"race:1:{ada.player}")
    closing_it = asyncio.create_task(close_race(room.log._context, room.log, room.race))
    await commits.reached()
    closing_it.cancel()
    await asyncio.wait([closing_it])
    commits.open()
    await ada.expect("race_ended")


async def test_a_racer_who_is_absent_at_the_end_is_ranked_with_those_who_forfeited(
    node: StartNode, race: Gather
) -> None:
    """Results and record say who was inactive, so that anybody computes the same ranks."""
    where = await node(rules=Rules(absent_ms=60, forfeit_undo_ms=30, idle_ms=3_600_000))
    ada, ben, cleo, dan = await race(where, "Ada", "Ben", "Cleo", "Dan", time_limit_s=1)
    await ben.moves(solution()[:20])
    ben.abort()
    await dan.moves(solution()[:10])
    await dan.act("forfeit")
    await ada.win()
    over = await ada.expect("race_ended")
    assert [(row["name"], row["rank"], row.get("inactive", False)) for row in over["results"]] == [
        ("Ada", 1, False),
        ("Cleo", 2, False),
        ("Ben", 3, True),
        ("Dan", 4, False),
    ]
    record = (await cleo.ask("get_record", race=1))["record"]
    assert record["results"] == over["results"]

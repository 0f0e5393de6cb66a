"""Leaderboards as projections: whichever node writes them, however often, they are the same."""

import asyncio
from typing import Any

from racetest import CODE, Connect, GatedStore, Gather, Ledger, StartNode, rows_of, solution, until, url_of

from server.store import keys
from server.store.port import Append, Commit

DAY_S = 86_400


async def test_projecting_a_race_again_changes_and_sends_nothing(
    node: StartNode, race: Gather, person: Connect, ledger: Ledger
) -> None:
    """A node that does not know whether a race was projected does it again."""
    where = await node()
    eve = await person(where, "Eve")
    await eve.ask("subscribe_leaderboard", code=CODE)
    (ada,) = await race(where, "Ada")
    await ada.win()
    boards = await eve.expect("leaderboard")
    await until(lambda: ledger.of("race ended"))
    await where.sessions.leaderboards.project(ada.room, 1)
    await eve.sync()
    assert len(eve.messages("leaderboard")) == 2  # the first and the change
    again = await eve.ask("subscribe_leaderboard", code=CODE)
    assert again | {"ref": 0} == boards | {"ref": 0}


async def test_a_race_that_does_not_exist_or_still_runs_is_not_projected(
    node: StartNode, race: Gather
) -> None:
    """Leaderboards have only what is in the logs."""
    where = await node()
    (ada,) = await race(where, "Ada")
    await where.sessions.leaderboards.project(ada.room, 1)
    await where.sessions.leaderboards.project(ada.room, 7)
    await where.sessions.leaderboards.project("BBBBB", 1)
    boards = await where.sessions.leaderboards.read(CODE)
    assert [each.rows for each in boards.leaderboards] == [[], [], []]


async def test_a_race_that_cannot_be_read_does_not_block_others(
    node: StartNode, race: Gather, ledger: Ledger
) -> None:
    """It is reported and postponed, and the races after it on the schedule are projected."""
    where = await node()
    (ada,) = await race(where, "Ada")
    await ada.win()
    await until(lambda: ledger.of("race ended"))
    bugs: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: bugs.append(context))
    await where.store.commit([Commit((Append(keys.room_log("BBBBB"), 0, (b"?",)),))])
    for at, item in enumerate(("BBBBB/1", f"{ada.room}/1")):
        await where.store.schedule(keys.projections_schedule(), item, at)
    await where.sessions.leaderboards.sweep()
    assert [bug["message"] for bug in bugs] == ["background work failed"]
    now = where.journal.now_ms()
    assert await where.store.due(keys.projections_schedule(), now + 30_000, 10) == []
    assert await where.store.due(keys.projections_schedule(), 2**50, 10) == ["BBBBB/1"]


async def test_another_node_projects_what_a_dead_node_did_not(node: StartNode, race: Gather) -> None:
    """The node dies after the end of the race; another one finds the race on the schedule."""
    here = await node()
    gate = GatedStore.of(here).posts
    gate.close()
    (ada,) = await race(here, "Ada")
    won = await ada.win()
    await ada.expect("race_ended")
    await gate.reached()
    await here.aclose()
    due = await here.store.due(keys.projections_schedule(), 2**50, 10)
    assert due == [f"{ada.room}/1"]
    await here.store.schedule(keys.projections_schedule(), due[0], 0)
    there = await node()
    back = await ada.reconnect(url_of(there))
    boards = await back.ask("subscribe_leaderboard", code=CODE)
    if not (rows_of(boards, "time") and rows_of(boards, "moves")):  # they were read during the projection
        boards = await back.expect("leaderboard")
    assert [(row["name"], row["value"]) for row in rows_of(boards, "time")] == [("Ada", won["at_ms"])]

    async def done() -> bool:
        return await there.store.due(keys.projections_schedule(), 2**50, 10) == []

    await until(done)
    assert [row["value"] for row in rows_of(boards, "moves")] == [len(solution())]


async def test_leaderboards_expire(node: StartNode, race: Gather, ledger: Ledger, prefix: str) -> None:
    """Each random deal that is won has its own; they go when nobody wins it again for some days."""
    where = await node(forget_players_days=10)
    (ada,) = await race(where, "Ada")
    await ada.win()
    await until(lambda: ledger.of("race ended"))
    for kind in ("time", "score", "moves"):
        for key in (keys.leaderboard(CODE, kind), f"{keys.leaderboard(CODE, kind)}:details"):
            assert 9 * DAY_S < await GatedStore.of(where)._client.execute("TTL", prefix + key) <= 10 * DAY_S

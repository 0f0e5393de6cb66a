"""Leaderboards are projections: projecting a race again, at any node, changes nothing."""

import asyncio
from typing import Any

from racetest import CODE, Connect, GatedStore, Gather, Ledger, StartNode, rows_of, solution, until, url_of

from server.store import keys
from server.store.port import Append, Commit

DAY_S = 86_400


async def test_writing_a_race_again_changes_and_announces_nothing(
    node: StartNode, race: Gather, person: Connect, ledger: Ledger
) -> None:
    """A node that is not sure whether it was done does it again."""
    where = await node()
    eve = await person(where, "Eve")
    await eve.ask("subscribe_leaderboard", code=CODE)
    (ada,) = await race(where, "Ada")
    await ada.win()
    boards = await eve.expect("leaderboard")
    await until(lambda: ledger.of("race ended"))
    await where.sessions.leaderboards.project(ada.room, 1)
    await eve.quiet()
    assert len(eve.heard("leaderboard")) == 2  # the first and the change
    again = await eve.ask("subscribe_leaderboard", code=CODE)
    assert again | {"ref": 0} == boards | {"ref": 0}


async def test_a_race_that_was_never_or_is_not_over_leaves_no_trace(node: StartNode, race: Gather) -> None:
    """What is not in the logs is not on the boards."""
    where = await node()
    (ada,) = await race(where, "Ada")
    await where.sessions.leaderboards.project(ada.room, 1)
    await where.sessions.leaderboards.project(ada.room, 7)
    await where.sessions.leaderboards.project("BBBBB", 1)
    boards = await where.sessions.leaderboards.read(CODE)
    assert [each.rows for each in boards.leaderboards] == [[], [], []]


async def test_an_unreadable_race_does_not_delay_the_others(
    node: StartNode, race: Gather, ledger: Ledger
) -> None:
    """It is reported and postponed, and the races behind it on the schedule have their turn."""
    where = await node()
    (ada,) = await race(where, "Ada")
    await ada.win()
    await until(lambda: ledger.of("race ended"))
    bugs: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: bugs.append(context))
    await where.store.commit([Commit((Append(keys.room_log("BBBBB"), 0, (b"?",)),))])
    for at, item in enumerate(("BBBBB/1", f"{ada.room}/1")):
        await where.store.schedule(keys.projections_agenda(), item, at)
    await where.sessions.leaderboards.sweep()
    assert [bug["message"] for bug in bugs] == ["background work failed"]
    now = where.journal.now_ms()
    assert await where.store.due(keys.projections_agenda(), now + 30_000, 10) == []
    assert await where.store.due(keys.projections_agenda(), 2**50, 10) == ["BBBBB/1"]


async def test_another_node_projects_a_race_that_a_dead_node_left(node: StartNode, race: Gather) -> None:
    """The node dies between the end of the race and the boards: the race is on the agenda, and is found."""
    here = await node()
    gate = GatedStore.of(here).posts
    gate.close()
    (ada,) = await race(here, "Ada")
    won = await ada.win()
    await ada.expect("race_ended")
    await gate.reached()
    await here.aclose()
    due = await here.store.due(keys.projections_agenda(), 2**50, 10)
    assert due == [f"{ada.room}/1"]
    await here.store.schedule(keys.projections_agenda(), due[0], 0)
    there = await node()
    back = await ada.back(url_of(there))
    boards = await back.ask("subscribe_leaderboard", code=CODE)
    if not (rows_of(boards, "time") and rows_of(boards, "moves")):  # they were read while they were written
        boards = await back.expect("leaderboard")
    assert [(row["name"], row["value"]) for row in rows_of(boards, "time")] == [("Ada", won["at_ms"])]

    async def done() -> bool:
        return await there.store.due(keys.projections_agenda(), 2**50, 10) == []

    await until(done)
    assert [row["value"] for row in rows_of(boards, "moves")] == [len(solution())]


async def test_a_leaderboard_expires(node: StartNode, race: Gather, ledger: Ledger, prefix: str) -> None:
    """Every random deal that is won has boards of its own: they go when nobody wins it again for long."""
    where = await node(forget_players_days=10)
    (ada,) = await race(where, "Ada")
    await ada.win()
    await until(lambda: ledger.of("race ended"))
    for kind in ("time", "score", "moves"):
        for key in (keys.board(CODE, kind), f"{keys.board(CODE, kind)}:details"):
            assert 9 * DAY_S < await GatedStore.of(where)._link.ask("TTL", prefix + key) <= 10 * DAY_S

"""The end of a race: every log is read and closed, the results are committed once."""

import asyncio

import pytest
from roomtest import ADA, BEN, MOVES, GatedMemoryStore, Table, advance, idle, move
from roomtest.fixtures import StartRoomNode

from protocol import from_client as ask
from protocol import from_server as say
from protocol.parts import Phase, RacerState
from server.core import play as plays
from server.core.rules import Rules
from server.rooms.race.closing import RETRY_S, close_race
from server.rooms.race.live_race import LiveRace
from server.store import keys
from server.store.port import StoreUnavailable

LIMIT_S = 60
NEVER = 3_600_000
RULES = Rules(absent_ms=NEVER, idle_ms=NEVER, seat_ms=NEVER)


@pytest.fixture
async def table(start_node: StartRoomNode) -> Table:
    """A race of Ada and Ben, with a time limit, in a room whose own timers are stopped."""
    table = await Table.racing(await start_node("here", RULES), BEN, time_limit_s=LIMIT_S)
    table.room.timers.stop()
    table.clear()
    return table


def closing(table: Table, race: LiveRace | None = None) -> asyncio.Task[bool]:
    """Close the race in the background."""
    live = race or table.live_race
    return asyncio.create_task(close_race(table.node.context, table.room.log, live))


def game_log(table: Table, player: str) -> str:
    return keys.game_log(table.room.code, 1, player)


def results(table: Table) -> dict[str, tuple[RacerState, int]]:
    """Return state and moves of each racer in the results that Ada received."""
    (ended,) = table.at[ADA].messages(say.RaceEnded)
    return {row.player: (row.state, row.moves) for row in ended.results}


async def test_a_race_that_is_not_over_is_not_closed(table: Table, store: GatedMemoryStore) -> None:
    """Nothing is written; the timers look again later."""
    await table.play(ADA, 1, 2)
    assert not await close_race(table.node.context, table.room.log, table.live_race)
    assert table.room.room.phase is Phase.RACING
    assert plays.CLOSED not in store.entries(game_log(table, ADA))


async def test_a_race_at_its_time_limit_is_closed_with_what_was_committed(
    table: Table, store: GatedMemoryStore
) -> None:
    """Every log that could still grow gets a last entry, and no action can follow."""
    await table.play(ADA, 1, 3)
    race = table.live_race
    await advance(LIMIT_S)
    assert await close_race(table.node.context, table.room.log, race)
    assert results(table) == {ADA: (RacerState.UNFINISHED, 3), BEN: (RacerState.UNFINISHED, 0)}
    for player in (ADA, BEN):
        assert store.entries(game_log(table, player))[-1] == plays.CLOSED
    assert table.room.race is None


async def test_a_winner_s_log_is_not_closed(table: Table, store: GatedMemoryStore) -> None:
    """It cannot grow any more, and a record is what the racer did."""
    await table.play(ADA, 1, MOVES)
    await advance(LIMIT_S)
    assert await close_race(table.node.context, table.room.log, table.live_race)
    assert plays.CLOSED not in store.entries(game_log(table, ADA))
    assert results(table)[ADA][0] is RacerState.WON


async def test_an_acknowledged_action_is_in_the_results(table: Table, store: GatedMemoryStore) -> None:
    """A log that has grown since it was read is read again."""
    await table.play(ADA, 1, 1)
    store.commits.close(game_log(table, ADA))
    table.room.act(ADA, move(2))
    await store.commits.reached()
    store.reads.close(game_log(table, BEN))
    await advance(LIMIT_S)
    closed = closing(table)
    await store.reads.reached()  # the logs were read without the second move
    store.commits.open()
    await idle()
    assert [answer.n for answer in table.at[ADA].messages(say.Accepted)] == [1, 2]
    store.reads.open()
    assert await closed
    assert results(table)[ADA] == (RacerState.UNFINISHED, 2)


async def test_an_action_after_the_end_is_refused(table: Table, store: GatedMemoryStore) -> None:
    """It was decided before the end was known here: the log is closed, so it is not carried out."""
    await advance(LIMIT_S - 1)
    race = table.live_race
    race.race.time_limit_ms = 1
    store.commits.close(game_log(table, ADA))
    closed = closing(table, race)
    await store.commits.reached()
    table.room.act(ADA, move(1))
    store.commits.open()
    assert await closed
    await idle()
    assert table.at[ADA].messages(say.Accepted) == []
    (refused,) = table.at[ADA].messages(say.Refused)
    assert refused.n == 1
    assert results(table)[ADA] == (RacerState.UNFINISHED, 0)


async def test_a_race_is_closed_once(table: Table, store: GatedMemoryStore) -> None:
    """Two that close it at once, as two nodes do: one commit wins, the other finds it ended."""
    await advance(LIMIT_S)
    store.reads.close()
    first, second = closing(table), closing(table)
    await store.reads.reached()
    store.reads.open()
    assert sorted([await first, await second]) == [False, True]
    assert len(table.at[ADA].messages(say.RaceEnded)) == 1


async def test_a_race_whose_racer_returns_while_its_logs_are_read_goes_on(
    start_node: StartRoomNode, store: GatedMemoryStore
) -> None:
    """The race was over only as long as the racer was away."""
    rules = Rules(absent_ms=1_000, idle_ms=NEVER, forfeit_undo_ms=0)
    table = await Table.racing(await start_node("here", rules), BEN)
    table.room.act(ADA, ask.Forfeit(race=1, n=1))
    await table.disconnect(BEN)
    store.reads.close(game_log(table, ADA))
    await advance(1.1)  # the room's own timer closes the race
    await store.reads.reached()
    back = table.arrive(BEN)
    await idle()
    store.reads.open()
    await idle()
    assert table.refusals[back] is None
    assert table.room.room.phase is Phase.RACING
    table.room.act(BEN, move(1))
    await idle()
    assert [answer.n for answer in back.messages(say.Accepted)] == [1]


async def test_a_full_journal_is_tried_again_after_a_pause(table: Table, store: GatedMemoryStore) -> None:
    """Without a pause all logs would be read again and again until then."""
    race = table.live_race
    await advance(LIMIT_S)
    table.node.journal.full = True
    store.read_logs.clear()
    closed = closing(table, race)
    await idle()
    reads = len(store.read_logs)
    await advance(RETRY_S - 0.1)
    assert len(store.read_logs) == reads
    table.node.journal.full = False
    assert await closed
    assert len(store.read_logs) == 2 * reads


async def test_an_unavailable_store_is_waited_for(table: Table, store: GatedMemoryStore) -> None:
    race = table.live_race
    await advance(LIMIT_S)
    store.fault = StoreUnavailable("gone")
    closed = closing(table, race)
    await advance(600)
    assert not closed.done()
    store.fault = None
    assert await closed


async def test_a_closing_that_is_cancelled_ignores_its_answer(table: Table, store: GatedMemoryStore) -> None:
    """A server that stops while the store is slow: the outcome comes when nobody waits for it any more."""
    await advance(LIMIT_S)
    store.commits.close(game_log(table, ADA))
    closed = closing(table)
    await store.commits.reached()
    closed.cancel()
    await asyncio.wait([closed])
    store.commits.open()
    await idle()
    assert len(table.at[ADA].messages(say.RaceEnded)) == 1


async def test_a_racer_who_is_absent_or_idle_at_the_end_is_inactive(start_node: StartRoomNode) -> None:
    """The results say so, and rank them after the others."""
    rules = Rules(absent_ms=10_000, idle_ms=NEVER)
    table = await Table.racing(await start_node("here", rules), BEN, "cyd", time_limit_s=LIMIT_S)
    await table.play(BEN, 1, 20)
    await table.disconnect(BEN)
    await advance(LIMIT_S + 1)
    (ended,) = table.at[ADA].messages(say.RaceEnded)
    assert [(row.player, row.inactive) for row in ended.results] == [
        (ADA, False),
        ("cyd", False),
        (BEN, True),
    ]

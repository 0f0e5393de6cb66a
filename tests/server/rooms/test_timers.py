"""Timers of a room: each deadline is met once, at its time, whatever the store does meanwhile."""

import asyncio

import pytest
from racetest import CODE, OTHER_CODE
from roomtest import ADA, BEN, CYD, MOVES, GatedMemoryStore, RoomNode, Table, advance, idle, move
from roomtest.fixtures import StartRoomNode

from protocol import from_client as ask
from protocol import from_server as say
from protocol.notices import NoticeCode
from protocol.parts import CancelReason, LeaveReason, Phase, StartMode
from server.core.rules import Rules
from server.rooms.timers import UNREADABLE_S
from server.store import keys
from server.store.port import StoreUnavailable

NEVER = 3_600_000


def warnings(table: Table, player: str) -> list[int]:
    """Return the time left of each warning that a player received."""
    notices = table.at[player].messages(say.Notice)
    assert {notice.code for notice in notices} <= {NoticeCode.TIME_WARNING}
    return [notice.remaining_ms for notice in notices]


def phase(table: Table) -> Phase:
    """Return the phase of the committed room."""
    return table.room.room.phase


# Countdown.


async def test_a_race_starts_when_its_countdown_is_over(here: RoomNode) -> None:
    """Not a moment before; the deal is the one that the host named."""
    table = await Table.open(here, BEN, countdown_s=5)
    await table.request(ADA, ask.Ready())
    await table.request(ADA, ask.StartCountdown())
    await advance(4.9)
    assert phase(table) is Phase.COUNTDOWN
    await advance(0.1)
    (started,) = table.at[BEN].messages(say.RaceStarted)
    assert (started.code, started.racers, started.elapsed_ms) == (CODE, [ADA], 0)
    assert here.deals.drawn == []


async def test_a_random_deal_is_drawn_during_the_countdown(here: RoomNode) -> None:
    """So that it is there at the end; a slow draw delays the start, and no longer than it takes."""
    here.deals.code = OTHER_CODE
    here.deals.held = asyncio.Event()
    table = await Table.open(here, code=None, countdown_s=5)
    await table.request(ADA, ask.Ready())
    await table.request(ADA, ask.StartCountdown())
    assert len(here.deals.drawn) == 1
    await advance(7)
    assert phase(table) is Phase.COUNTDOWN
    here.deals.held.set()
    await idle()
    (started,) = table.at[ADA].messages(say.RaceStarted)
    assert started.code == OTHER_CODE
    assert len(here.deals.drawn) == 1


async def test_each_race_has_its_own_deal(here: RoomNode) -> None:
    """A code that the host names is for one race."""
    here.deals.code = OTHER_CODE
    table = await Table.racing(here)
    table.room.act(ADA, ask.Forfeit(race=1, n=1))
    await advance(60)
    await table.race()
    codes = [started.code for started in table.at[ADA].messages(say.RaceStarted)]
    assert codes == [CODE, OTHER_CODE]


async def test_a_countdown_without_anybody_ready_is_cancelled(here: RoomNode) -> None:
    table = await Table.open(here, countdown_s=5)
    await table.request(ADA, ask.Ready())
    await table.request(ADA, ask.StartCountdown())
    await table.request(ADA, ask.Ready(ready=False))
    await advance(5)
    (cancelled,) = table.at[ADA].messages(say.CountdownCancelled)
    assert cancelled.reason is CancelReason.NOBODY_READY


async def test_another_node_starts_the_race_after_a_grace(start_node: StartRoomNode) -> None:
    """The node that drew the deal has died during the countdown."""
    here, there = await start_node("here"), await start_node("there")
    table = await Table.open(here, countdown_s=5)
    far = await table.elsewhere(there)
    await far.join(BEN)
    await table.request(ADA, ask.Ready())
    await table.request(ADA, ask.StartCountdown())
    await here.stop()
    await advance(5 + Rules().draw_grace_ms / 1000 - 0.1)
    assert phase(far) is Phase.COUNTDOWN
    await advance(0.2)
    (started,) = far.at[BEN].messages(say.RaceStarted)
    assert started.racers == [ADA]


# Members who are away.


async def test_a_host_who_is_away_hands_over_after_the_grace(here: RoomNode) -> None:
    table = await Table.open(here, BEN, CYD)
    await table.disconnect(ADA)
    await advance(Rules().host_grace_ms / 1000 - 0.1)
    assert table.at[BEN].messages(say.HostChanged) == []
    await advance(0.1)
    assert [change.player for change in table.at[BEN].messages(say.HostChanged)] == [BEN]


async def test_a_seat_expires(here: RoomNode) -> None:
    """The others see that the member has left."""
    table = await Table.open(here, BEN)
    await table.disconnect(BEN)
    await advance(Rules().seat_ms / 1000 - 0.1)
    assert table.at[ADA].messages(say.MemberLeft) == []
    await advance(0.1)
    (left,) = table.at[ADA].messages(say.MemberLeft)
    assert (left.player, left.reason) == (BEN, LeaveReason.EXPIRED)


async def test_a_room_in_which_all_wait_for_somebody_away_starts(here: RoomNode) -> None:
    """Where everybody ready starts, a member who is gone holds nobody for longer than the grace."""
    table = await Table.open(here, BEN, CYD, start_mode=StartMode.ALL_READY)
    for player in (ADA, BEN):
        await table.request(player, ask.Ready())
    await table.disconnect(CYD)
    await advance(5.2)
    (started,) = table.at[ADA].messages(say.RaceStarted)
    assert started.racers == [ADA, BEN]


# The race.


async def test_racers_are_warned_before_the_time_limit(start_node: StartRoomNode) -> None:
    """Five minutes and one minute before it."""
    here = await start_node("here", Rules(idle_ms=NEVER))
    table = await Table.racing(here, BEN, time_limit_s=400)
    table.clear()
    await advance(99)
    assert warnings(table, BEN) == []
    await advance(1)
    assert warnings(table, ADA) == warnings(table, BEN) == [300_000]
    await advance(240)
    assert warnings(table, ADA) == [300_000, 60_000]


@pytest.mark.parametrize(("limit_s", "expected"), [(61, [60_000]), (60, []), (30, [])])
async def test_a_short_race_is_not_warned_at_its_start(
    start_node: StartRoomNode, limit_s: int, expected: list[int]
) -> None:
    """A warning that comes with the start says nothing."""
    here = await start_node("here", Rules(idle_ms=NEVER))
    table = await Table.racing(here, time_limit_s=limit_s)
    table.clear()
    await advance(limit_s - 1)
    assert warnings(table, ADA) == expected


async def test_a_warning_that_comes_much_too_late_is_not_sent(here: RoomNode) -> None:
    """A node that stood still: what is left is less than half a minute, and the race ends soon."""
    table = await Table.racing(here, time_limit_s=70)
    table.clear()
    here.clock_skew_ms = 45_000
    await advance(11)
    assert warnings(table, ADA) == []


async def test_a_race_ends_at_its_time_limit(here: RoomNode) -> None:
    """Everybody gets the results; the leaderboards get the race, which was expected before its end."""
    table = await Table.racing(here, BEN, time_limit_s=60)
    await table.play(BEN, 1, 2)
    await advance(60)
    (ended,) = table.at[ADA].messages(say.RaceEnded)
    assert [(row.player, row.moves) for row in ended.results] == [(BEN, 2), (ADA, 0)]
    race = (table.room.code, 1)
    assert (here.finished_races.expected, here.finished_races.projected) == ([race], [race])
    assert here.counters.races_ended == 1
    assert table.room.race is None


async def test_a_race_ends_when_all_are_done(start_node: StartRoomNode) -> None:
    """A forfeit holds it for as long as it can be undone."""
    here = await start_node("here", Rules(forfeit_undo_ms=2_000))
    table = await Table.racing(here, BEN)
    await table.play(ADA, 1, MOVES)
    table.room.act(BEN, ask.Forfeit(race=1, n=1))
    await advance(1.9)
    assert phase(table) is Phase.RACING
    await advance(0.2)
    assert phase(table) is Phase.RESULTS


@pytest.mark.parametrize("why", ["absent", "idle"])
async def test_a_race_does_not_wait_for_an_inactive_racer(start_node: StartRoomNode, why: str) -> None:
    """One who is away, or does nothing, for long; what was done until then counts."""
    rules = Rules(absent_ms=10_000) if why == "absent" else Rules(idle_ms=10_000)
    table = await Table.racing(await start_node("here", rules), BEN)
    await table.play(BEN, 1, 5)
    await table.play(ADA, 1, MOVES)
    if why == "absent":
        await table.disconnect(BEN)
    await advance(9.5)
    assert phase(table) is Phase.RACING
    await advance(0.6)
    (ended,) = table.at[ADA].messages(say.RaceEnded)
    assert [(row.player, row.moves, row.inactive) for row in ended.results] == [
        (ADA, MOVES, False),
        (BEN, 5, True),
    ]


async def test_an_action_postpones_the_end_for_an_idle_racer(start_node: StartRoomNode) -> None:
    here = await start_node("here", Rules(idle_ms=10_000))
    table = await Table.racing(here)
    await advance(9)
    await table.play(ADA, 1, 1)
    await advance(9)
    assert phase(table) is Phase.RACING
    await advance(1.2)
    assert phase(table) is Phase.RESULTS


# The store is slow, or a log cannot be read.


@pytest.mark.parametrize("overdue", ["start", "hand-over"])
async def test_what_is_overdue_is_submitted_once(
    here: RoomNode, store: GatedMemoryStore, overdue: str
) -> None:
    """The room looks again many times a second; the store gets one command of each kind."""
    table = await Table.open(here, BEN, countdown_s=5)
    await table.request(BEN, ask.Ready())
    if overdue == "start":
        await table.request(ADA, ask.StartCountdown())
    else:
        await table.disconnect(ADA)
    store.commits.close(keys.room_log(table.room.code))
    await advance(60)
    assert here.journal.waiting == 1
    store.commits.open()
    await idle()
    kind = say.RaceStarted if overdue == "start" else say.HostChanged
    assert len(table.at[BEN].messages(kind)) == 1


async def test_an_unavailable_store_delays_the_end_of_a_race(here: RoomNode, store: GatedMemoryStore) -> None:
    """It is closed once, by one task, when the store answers."""
    table = await Table.racing(here, time_limit_s=60)
    store.fault = StoreUnavailable("gone")
    await advance(600)
    assert here.finished_races.expected == [(table.room.code, 1)]
    assert not table.room.idle
    store.fault = None
    await advance(1)
    assert len(table.at[ADA].messages(say.RaceEnded)) == 1


async def test_a_race_that_cannot_be_read_is_tried_again_after_a_pause(
    here: RoomNode, store: GatedMemoryStore
) -> None:
    """An entry of a newer server, say: it is reported, and not read over and over."""
    table = await Table.racing(here, time_limit_s=60)
    log = keys.game_log(table.room.code, 1, ADA)
    store.put(log, b"?")
    await advance(60)
    await advance(UNREADABLE_S - 0.1)
    assert (store.read_logs.count(log), len(here.faults)) == (1, 1)
    await advance(0.2)
    assert (store.read_logs.count(log), len(here.faults)) == (2, 2)
    store.cut(log, 1)
    await advance(UNREADABLE_S + 0.1)
    assert phase(table) is Phase.RESULTS
    here.faults.clear()


async def test_a_stopped_timer_does_nothing(here: RoomNode) -> None:
    """The room was unloaded; also what reschedules it later has no effect."""
    table = await Table.racing(here, time_limit_s=60)
    table.room.timers.stop()
    table.room.timers.reschedule()
    await advance(600)
    assert phase(table) is Phase.RACING
    table.room.act(ADA, move(1))
    await idle()

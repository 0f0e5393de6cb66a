"""Registry of the rooms on a node: open, find, keep, take over, remove."""

import asyncio

import pytest
from racetest import CODE
from roomtest import ADA, BEN, CYD, NAMES, GatedMemoryStore, RoomNode, Table, advance, idle
from roomtest.fixtures import StartRoomNode

from protocol import from_server as say
from protocol.errors import ErrorCode
from protocol.parts import Phase, Settings
from server.core import commands as cmd
from server.core import events as ev
from server.core.rules import Rules
from server.rooms.live_room import LiveRoom
from server.rooms.node_messages import RaceProgressed, RoomLogGrew
from server.rooms.registry import RENEWAL_MS, RoomRegistry
from server.rooms.room_log import Answer
from server.store import keys
from server.store.port import StoreUnavailable

KEEP_MS = 3_600_000
SCHEDULE = keys.rooms_schedule()


async def due(store: GatedMemoryStore, at_ms: int) -> list[str]:
    """Return the rooms that a node may look at, at that time."""
    return await store.due(SCHEDULE, at_ms, 100)


def opening(node: RoomNode) -> cmd.OpenRoom:
    return cmd.OpenRoom(ADA, NAMES[ADA], node.context.node, Settings(), None, None)


async def abandoned(start_node: StartRoomNode, *others: str) -> Table:
    """Return a room that all members have left without giving up their seats, and whose node is dead."""
    here = await start_node("here")
    table = await Table.open(here, *others)
    for player in tuple(table.at):
        await table.disconnect(player)
    await here.stop()
    return table


# Open.


async def test_a_room_is_opened_under_a_drawn_code(here: RoomNode, store: GatedMemoryStore) -> None:
    """It is on the schedule before it is in the store: after a crash another node looks after it."""
    here.drawn_codes = [0] * 5
    store.commits.close()
    opened: list[tuple[LiveRoom | None, Answer]] = []
    passwords: list[str] = []

    def password(code: str) -> str:
        passwords.append(code)
        return f"hash of {code}"

    here.rooms.open(opening(here), password, lambda room, answer: opened.append((room, answer)))
    await store.commits.reached()
    assert await due(store, here.now_ms() + RENEWAL_MS) == ["BBBBB"]
    assert opened == []
    store.commits.open()
    await idle()
    ((room, answer),) = opened
    assert room is not None
    assert isinstance(answer, list)
    assert (room.code, room.room.password, passwords) == ("BBBBB", "hash of BBBBB", ["BBBBB"])
    assert (here.counters.rooms, here.counters.rooms_opened) == (1, 1)
    assert await here.rooms.find("BBBBB") is room


async def test_a_code_that_is_taken_is_drawn_again(start_node: StartRoomNode) -> None:
    """At the same node or at another one; the older rooms are still looked after."""
    here, there = await start_node("here"), await start_node("there")
    here.drawn_codes = [0] * 10 + [1] * 5
    there.drawn_codes = [0] * 5 + [3] * 5
    first, second, third = await Table.open(here), await Table.open(here), await Table.open(there)
    assert [table.room.code for table in (first, second, third)] == ["BBBBB", "CCCCC", "FFFFF"]
    await here.rooms.sweep()
    assert await here.rooms.find("BBBBB") is first.room
    assert first.room.room.members.keys() == {ADA}


async def test_a_full_journal_opens_no_room(here: RoomNode) -> None:
    """The answer says why; the code is free."""
    opened: list[tuple[LiveRoom | None, Answer]] = []
    here.journal.full = True
    here.rooms.open(opening(here), lambda _: None, lambda *answer: opened.append(answer))
    await idle()
    assert opened == [(None, ErrorCode.STORE_UNAVAILABLE)]
    here.journal.full = False
    assert here.counters.rooms == 0
    await here.rooms.sweep()


async def test_a_registry_takes_so_many_rooms_and_no_more(here: RoomNode) -> None:
    rooms = RoomRegistry(here.context, lambda bound: 2 % bound, max_rooms=1, keep_ms=KEEP_MS)
    full = [rooms.full]
    rooms.open(opening(here), lambda _: None, lambda *_: None)
    await idle()
    assert [*full, rooms.full] == [False, True]
    rooms.close()


# Find.


async def test_there_is_no_room_of_an_unused_code(here: RoomNode) -> None:
    assert await here.rooms.find("BBBBB") is None
    assert here.counters.rooms == 0


async def test_a_room_that_many_look_for_is_read_once(
    start_node: StartRoomNode, store: GatedMemoryStore
) -> None:
    """All find the same one."""
    table = await abandoned(start_node)
    there = await start_node("there")
    store.read_logs.clear()
    found = await asyncio.gather(*(there.rooms.find(table.room.code) for _ in range(8)))
    assert found[0] is not None
    assert all(room is found[0] for room in found)
    assert store.read_logs == [keys.room_log(table.room.code)]


async def test_a_search_that_is_cancelled_does_not_stop_the_others(
    start_node: StartRoomNode, store: GatedMemoryStore
) -> None:
    """The connection of the one who looked first has ended."""
    table = await abandoned(start_node)
    there = await start_node("there")
    store.reads.close(keys.room_log(table.room.code))
    first, second = (asyncio.create_task(there.rooms.find(table.room.code)) for _ in "12")
    await store.reads.reached()
    first.cancel()
    store.reads.open()
    assert await second is not None
    await asyncio.wait([first])
    assert first.cancelled()


@pytest.mark.parametrize("found", ["before", "after"])
async def test_a_room_that_is_found_while_it_is_opened_is_one_room(
    here: RoomNode, store: GatedMemoryStore, found: str
) -> None:
    """It can be read from the store before this node knows that the commit was made."""
    here.drawn_codes = [0] * 5
    log = keys.room_log("BBBBB")
    searches: list[asyncio.Task[LiveRoom | None]] = []
    commit = store.commit

    async def answered_late(batch: object) -> object:
        outcomes = await commit(batch)  # type: ignore[arg-type]
        if not searches and store.entries(log):
            if found == "after":
                store.reads.close(log)
            searches.append(asyncio.create_task(here.rooms.find("BBBBB")))
            await (asyncio.wait(searches) if found == "before" else store.reads.reached())
        return outcomes

    store.commit = answered_late  # type: ignore[method-assign, assignment]
    table = await Table.open(here)
    store.reads.open()
    assert await searches[0] is table.room
    assert await here.rooms.find("BBBBB") is table.room
    assert here.counters.rooms == 1


async def test_an_unavailable_store_raises(here: RoomNode, store: GatedMemoryStore) -> None:
    """The request is answered with an error; the next one tries again."""
    store.fault = StoreUnavailable("gone")
    with pytest.raises(StoreUnavailable):
        await here.rooms.find("BBBBB")
    store.fault = None
    assert await here.rooms.find("BBBBB") is None


# Messages of other nodes.


async def test_messages_go_to_the_rooms_that_they_are_about(here: RoomNode, store: GatedMemoryStore) -> None:
    """Messages about other rooms are ignored."""
    table = await Table.racing(here, BEN)
    line = ev.ChatMessage(here.now_ms(), BEN, "from another node")
    store.put(keys.room_log(table.room.code), ev.to_bytes(line))
    here.rooms.receive(RoomLogGrew("BBBBB", 99))
    here.rooms.receive(RoomLogGrew(table.room.code, table.room.room.length + 1))
    await table.disconnect(BEN)
    progress = table.game(BEN).measure()
    further = type(progress)(BEN, 9, progress.state, 490, 9, 0, 9, 9, 9)
    here.rooms.receive(RaceProgressed("BBBBB", 1, (progress,)))
    here.rooms.receive(RaceProgressed(table.room.code, 1, (further,)))
    await idle()
    assert "ChatMessage" in table.at[ADA].kinds
    assert table.game(BEN).standing.progress.n == 9


async def test_after_a_gap_all_rooms_are_read(here: RoomNode, store: GatedMemoryStore) -> None:
    here.drawn_codes = [0] * 5
    tables = [await Table.open(here), await Table.open(here)]
    for table in tables:
        line = ev.ChatMessage(here.now_ms(), ADA, "lost message")
        store.put(keys.room_log(table.room.code), ev.to_bytes(line))
    here.rooms.read_again()
    await idle()
    assert ["ChatMessage" in table.at[ADA].kinds for table in tables] == [True, True]


# The sweep.


async def test_the_node_of_a_room_renews_its_lease(here: RoomNode, store: GatedMemoryStore) -> None:
    """In time: other nodes never find it due."""
    table = await Table.open(here)
    here.tasks.spawn(here.rooms.run())
    for _ in range(10):
        await advance(RENEWAL_MS / 3000)
        assert await due(store, here.now_ms()) == []
    assert await due(store, here.now_ms() + RENEWAL_MS) == [table.room.code]


async def test_an_idle_room_is_unloaded_and_kept(here: RoomNode, store: GatedMemoryStore) -> None:
    """Nobody is in it; it comes back when somebody looks for it."""
    table = await Table.open(here)
    await table.disconnect(ADA)
    here.tasks.spawn(here.rooms.run())
    await advance(RENEWAL_MS / 1000)
    assert here.counters.rooms == 0
    assert table.room.unloaded
    assert store.entries(keys.room_log(table.room.code)) != []
    again = await here.rooms.find(table.room.code)
    assert again is not None
    assert again is not table.room


async def test_a_race_is_continued_when_its_node_is_dead(start_node: StartRoomNode) -> None:
    """No race stays in progress for longer than its racers' absence is forgiven."""
    here, there = await start_node("here"), await start_node("there", Rules(absent_ms=10_000))
    table = await Table.racing(here, BEN)
    await table.play(ADA, 1, 3)
    await here.stop()
    there.tasks.spawn(there.rooms.run())
    await advance(2 * RENEWAL_MS / 1000)
    assert there.counters.rooms == 0
    there.dead_nodes = {"here"}
    await advance(2 * RENEWAL_MS / 1000 + 20)
    assert there.finished_races.projected == [(table.room.code, 1)]


@pytest.mark.parametrize("dead", [None, set()])
async def test_a_room_is_left_to_a_node_that_lives(
    start_node: StartRoomNode, store: GatedMemoryStore, dead: set[str] | None
) -> None:
    """Or that may live: while that is not known the room stays due."""
    here, there = await start_node("here"), await start_node("there")
    table = await Table.racing(here, BEN)
    there.dead_nodes = dead
    await store.schedule(SCHEDULE, table.room.code, 0)
    await there.rooms.sweep()
    assert there.counters.rooms == 0
    assert await due(store, there.now_ms()) == ([table.room.code] if dead is None else [])
    assert table.room.room.phase is Phase.RACING


async def test_members_of_a_dead_node_are_marked_as_disconnected(start_node: StartRoomNode) -> None:
    """In the rooms that this node has loaded, at its next sweep."""
    here, there = await start_node("here"), await start_node("there")
    table = await Table.open(here, BEN)
    far = await table.elsewhere(there)
    await far.join(CYD)
    await here.stop()
    await there.rooms.sweep()
    await idle()
    assert far.at[CYD].messages(say.MemberDisconnected) == []
    there.dead_nodes = {"here"}
    await there.rooms.sweep()
    await idle()
    members = far.room.room.members
    away = [player for player, member in members.items() if member.disconnected_at_ms is not None]
    assert away == [ADA, BEN]


# Remove.


async def test_a_room_that_nobody_returns_to_is_removed(
    start_node: StartRoomNode, store: GatedMemoryStore
) -> None:
    """After the time that the host chose, with the games of all its races."""
    here = await start_node("here")
    table = await Table.racing(here)
    await table.play(ADA, 1, 2)
    await table.disconnect(ADA)
    await advance(120)
    assert table.room.room.phase is Phase.RESULTS
    await here.stop()
    there = await start_node("there")
    there.tasks.spawn(there.rooms.run())
    log, game = keys.room_log(table.room.code), keys.game_log(table.room.code, 1, ADA)
    await advance(KEEP_MS / 1000 - 130)
    assert (await store.length(log) > 0, await store.length(game) > 0) == (True, True)
    await advance(200)
    assert (await store.length(log), await store.length(game)) == (0, 0)
    assert await due(store, 2**50) == []
    assert await there.rooms.find(table.room.code) is None


@pytest.mark.parametrize("meanwhile", ["nothing", "a member returns"])
async def test_a_search_during_the_removal_waits_for_its_end(
    start_node: StartRoomNode, store: GatedMemoryStore, meanwhile: str
) -> None:
    """What is left of a removed room is found by nobody; a room that a member has entered stays."""
    table = await abandoned(start_node)
    there = await start_node("there")
    log = keys.room_log(table.room.code)
    await advance(KEEP_MS / 1000 + 1)
    store.commits.close(log)
    sweep = asyncio.create_task(there.rooms.sweep())
    await store.commits.reached()
    search = asyncio.create_task(there.rooms.find(table.room.code))
    await idle()
    if meanwhile == "a member returns":
        store.put(log, ev.to_bytes(ev.MemberReconnected(there.now_ms(), ADA, "elsewhere")))
    store.commits.open()
    found = await search
    await sweep
    assert (found is None) is (meanwhile == "nothing")
    assert (await store.length(log) == 0) is (meanwhile == "nothing")
    if found is not None:
        assert found.room.nodes() == {"elsewhere"}


async def test_a_room_that_cannot_be_read_is_postponed(
    start_node: StartRoomNode, store: GatedMemoryStore
) -> None:
    """An entry of a newer server, say: it is reported, and the rooms behind it have their turn."""
    table = await abandoned(start_node)
    there = await start_node("there")
    await advance(KEEP_MS / 1000 + 1)
    store.put(keys.room_log("BBBBB"), b"?")
    await store.schedule(SCHEDULE, "BBBBB", 0)
    await there.rooms.sweep()
    assert [error["message"] for error in there.loop_errors] == ["background work failed"]
    there.loop_errors.clear()
    assert await store.length(keys.room_log(table.room.code)) == 0
    assert await due(store, there.now_ms() + RENEWAL_MS - 1) == []
    assert await due(store, there.now_ms() + RENEWAL_MS) == ["BBBBB"]


async def test_closing_the_registry_stops_all_timers(here: RoomNode) -> None:
    """The node stops; another one goes on with the races."""
    table = await Table.racing(here, BEN, code=CODE)
    here.rooms.close()
    await advance(3 * 3_600)
    assert table.room.room.phase is Phase.RACING

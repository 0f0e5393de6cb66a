"""Rollback: the store has lost entries that it had acknowledged; each incident is noticed and logged once."""

from typing import Any

import pytest
from roomtest import ADA, BEN, CYD, MOVES, GatedMemoryStore, RoomNode, Table, advance, idle, move
from roomtest.fixtures import StartRoomNode

from protocol import from_client as ask
from protocol import from_server as say
from protocol.notices import NoticeCode
from protocol.parts import Phase
from protocol.refusals import RefusalCode
from server.rooms.rollback import ADVICE, QUIET_S
from server.store import keys


def game_log(table: Table, player: str) -> str:
    return keys.game_log(table.room.code, 1, player)


def room_log(table: Table) -> str:
    return keys.room_log(table.room.code)


async def logged(table: Table, node: RoomNode | None = None, **lost: int) -> None:
    """Wait until the incident is over; expect one line about it, and take it out."""
    log = (node or table.node).log
    await advance(2 * QUIET_S + 0.5)
    line: dict[str, Any] = {"event": "store rolled back", "room": table.room.code, "advice": ADVICE}
    assert log.errors == [line | {"events": 0, "actions": 0} | lost]
    log.lines.clear()


def notified(table: Table, player: str) -> bool:
    """Return whether a player received one notice of a rollback and nothing else of the kind."""
    codes = [notice.code for notice in table.at[player].messages(say.Notice)]
    assert codes in ([], [NoticeCode.ROLLED_BACK])
    return codes != []


async def disconnect_failed(table: Table) -> None:
    """End the connections that the room has ended, as sessions do."""
    for player, subscriber in list(table.at.items()):
        if subscriber.endings == ["failed"]:
            await table.disconnect(player)


# The room's log.


async def test_all_members_are_notified_and_disconnected(here: RoomNode, store: GatedMemoryStore) -> None:
    """They come back to what the store has left."""
    table = await Table.open(here, BEN)
    for text in ("one", "two", "three"):
        await table.request(ADA, ask.Chat(text=text))
    store.cut(room_log(table), 2)
    table.room.read_again()
    await idle()
    for player in (ADA, BEN):
        assert notified(table, player)
        assert table.at[player].endings == ["failed"]
    await logged(table, events=2)
    assert here.counters.rollbacks == 1
    await disconnect_failed(table)
    back = await table.join(ADA)
    assert isinstance(table.answers[back], say.Room)


async def test_a_command_that_meets_a_shorter_log_is_answered(
    here: RoomNode, store: GatedMemoryStore
) -> None:
    """It is decided on what is left, and does not wait for the incident to be over."""
    table = await Table.open(here, BEN)
    await table.request(ADA, ask.Chat(text="gone"))
    store.cut(room_log(table), 1)
    answer = await table.request(ADA, ask.Chat(text="kept"))
    assert isinstance(answer, list)
    await logged(table, events=1)


async def test_a_second_loss_during_an_incident_belongs_to_it(
    here: RoomNode, store: GatedMemoryStore
) -> None:
    """One line, with the sum."""
    table = await Table.open(here, BEN)
    for text in ("one", "two", "three"):
        await table.request(ADA, ask.Chat(text=text))
    for _ in "12":
        store.cut(room_log(table), 1)
        table.room.read_again()
        await advance(QUIET_S / 2)
    await logged(table, events=2)
    assert here.counters.rollbacks == 1


async def test_two_incidents_have_two_lines(here: RoomNode, store: GatedMemoryStore) -> None:
    """The first one is over when nothing more was found for a while."""
    table = await Table.open(here, BEN)
    for text in ("one", "two"):
        await table.request(ADA, ask.Chat(text=text))
    for _ in "12":
        store.cut(room_log(table), 1)
        table.room.read_again()
        await logged(table, events=1)
    assert here.counters.rollbacks == 2


async def test_a_race_whose_start_is_lost_never_began(here: RoomNode, store: GatedMemoryStore) -> None:
    """The room is in the countdown again, whose time is over: the race starts again, as number 1."""
    table = await Table.open(here, BEN)
    await table.request(ADA, ask.Ready())
    before = len(store.entries(room_log(table)))
    await table.request(ADA, ask.StartCountdown())
    await here.tick()
    lost = len(store.entries(room_log(table))) - before
    old = table.live_race
    store.cut(room_log(table), lost)
    table.room.read_again()
    await idle()
    assert (table.room.room.phase, table.room.race) == (Phase.LOBBY, None)
    table.clear()
    assert old.act(ADA, move(1))
    await idle()
    assert table.at[ADA].messages(say.Accepted) == []  # an abandoned race sends nothing
    await logged(table, events=lost)


async def test_a_race_whose_end_is_lost_goes_on(here: RoomNode, store: GatedMemoryStore) -> None:
    """With the games that are left; the lost actions can be made again, and it ends again."""
    table = await Table.racing(here)
    before = len(store.entries(room_log(table)))
    await table.play(ADA, 1, MOVES)
    await here.tick()
    assert table.room.race is None
    lost = len(store.entries(room_log(table))) - before
    store.cut(room_log(table), lost)
    store.cut(game_log(table, ADA), 3)
    table.room.read_again()
    await idle()
    await logged(table, events=lost)
    await disconnect_failed(table)
    await table.join(ADA)
    for n in range(MOVES - 2, MOVES + 1):
        table.room.act(ADA, move(n))
    await here.tick()
    assert len(table.at[ADA].messages(say.RaceEnded)) == 1


async def test_a_room_that_is_lost_whole_has_vanished(here: RoomNode, store: GatedMemoryStore) -> None:
    """It was opened after what the store still has."""
    table = await Table.open(here, BEN)
    events = len(store.entries(room_log(table)))
    store.cut(room_log(table), events)
    table.room.read_again()
    await idle()
    assert table.room.vanished
    assert await here.rooms.find(table.room.code) is None
    assert all(notified(table, player) for player in (ADA, BEN))
    await logged(table, events=events)


async def test_an_empty_room_that_another_node_removed_is_no_loss(
    here: RoomNode, store: GatedMemoryStore
) -> None:
    """Rooms that nobody returns to are removed."""
    table = await Table.open(here)
    await table.leave(ADA)
    store.cut(room_log(table), len(store.entries(room_log(table))))
    table.room.read_again()
    await advance(2 * QUIET_S)
    assert table.room.vanished
    assert (here.log.errors, here.counters.rollbacks) == ([], 0)


async def test_a_member_whose_leave_is_lost_is_marked_disconnected(
    here: RoomNode, store: GatedMemoryStore
) -> None:
    """The log lists them on this node again; nobody else would ever notice that they are not here."""
    table = await Table.open(here, BEN)
    await table.leave(BEN)
    store.cut(room_log(table), 1)
    table.room.read_again()
    await idle()
    assert table.room.room.members[BEN].disconnected_at_ms is not None
    await logged(table, events=1)


# A racer's log.


async def test_only_the_racer_who_lost_actions_is_disconnected(
    here: RoomNode, store: GatedMemoryStore
) -> None:
    """The others race on undisturbed."""
    table = await Table.racing(here, BEN)
    await table.play(ADA, 1, 10)
    store.cut(game_log(table, ADA), 4)
    table.room.read_again()
    await idle()
    assert (notified(table, ADA), notified(table, BEN)) == (True, False)
    assert (table.at[ADA].endings, table.at[BEN].endings) == (["failed"], [])
    await disconnect_failed(table)
    back = await table.join(ADA)
    room = table.answers[back]
    assert isinstance(room, say.Room)
    assert room.game is not None
    assert room.game.n == 6
    await logged(table, actions=4)


async def test_an_action_after_a_loss_is_refused_with_the_number_expected(
    here: RoomNode, store: GatedMemoryStore
) -> None:
    table = await Table.racing(here, BEN)
    await table.play(ADA, 1, 10)
    store.cut(game_log(table, ADA), 4)
    table.room.act(ADA, move(11))
    await idle()
    (refused,) = table.at[ADA].messages(say.Refused)
    assert (refused.code, refused.expected) == (RefusalCode.WRONG_NUMBER, 7)
    await logged(table, actions=4)


async def test_all_games_of_a_room_are_one_incident(here: RoomNode, store: GatedMemoryStore) -> None:
    """One racer acts, and the games of the others are read as well."""
    table = await Table.racing(here, BEN, CYD)
    for player in (ADA, BEN, CYD):
        await table.play(player, 1, 8)
    store.cut(game_log(table, ADA), 4)
    store.cut(game_log(table, BEN), 3)
    table.room.act(ADA, move(9))
    await idle()
    assert [notified(table, player) for player in (ADA, BEN, CYD)] == [True, True, False]
    await logged(table, actions=7)
    assert [table.game(player).measure().n for player in (ADA, BEN, CYD)] == [4, 5, 8]


async def test_a_log_that_cannot_be_read_does_not_hide_the_loss(
    here: RoomNode, store: GatedMemoryStore
) -> None:
    """The bug is reported, and the other games are read."""
    table = await Table.racing(here, BEN)
    for player in (ADA, BEN):
        await table.play(player, 1, 8)
    store.cut(game_log(table, ADA), 1)
    store.put(game_log(table, ADA), b"?")
    store.cut(game_log(table, BEN), 3)
    table.room.act(BEN, move(9))
    await idle()
    assert table.at[ADA].endings == ["failed"]
    assert len(here.faults) >= 1
    here.faults.clear()
    await logged(table, actions=3)
    here.faults.clear()
    assert {error["message"] for error in here.loop_errors} == {"background work failed"}
    here.loop_errors.clear()


# Several nodes.


async def two_nodes(start_node: StartRoomNode) -> tuple[Table, Table]:
    """Return one room at two nodes: Ada races at the first, Ben at the second, with ten moves."""
    here, there = await start_node("here"), await start_node("there")
    table = await Table.racing(here, BEN)
    far = await table.elsewhere(there)
    await far.join(BEN)
    await far.play(BEN, 1, 10)
    await here.tick()
    assert table.game(BEN).standing.progress.n == 10
    return table, far


async def test_standings_at_another_node_come_down(
    start_node: StartRoomNode, store: GatedMemoryStore
) -> None:
    """The racer's node notifies the others, which need not notice by themselves."""
    table, far = await two_nodes(start_node)
    store.cut(game_log(far, BEN), 4)
    far.room.act(BEN, move(11))
    await far.node.tick()
    assert table.game(BEN).standing.progress.n == 6
    await logged(far, actions=4)
    assert table.node.log.errors == []


async def test_each_node_reports_what_it_knew(start_node: StartRoomNode, store: GatedMemoryStore) -> None:
    """A node that only watches a racer reads the log after a gap, and disconnects nobody for it."""
    table, far = await two_nodes(start_node)
    store.cut(game_log(far, BEN), 4)
    table.room.read_again()
    await table.node.tick()
    assert table.game(BEN).standing.progress.n == 6
    assert (table.at[ADA].endings, far.at[BEN].endings) == ([], [])
    await logged(table, actions=4)


async def test_a_late_message_of_lost_actions_is_no_further_loss(
    start_node: StartRoomNode, store: GatedMemoryStore
) -> None:
    """It was sent before the loss was noticed: the same incident, with the same number."""
    table, far = await two_nodes(start_node)
    before = table.game(BEN).standing.progress
    store.cut(game_log(far, BEN), 4)
    table.room.read_again()
    await table.node.tick()
    table.room.report_progress(1, (before,), rolled_back=False)
    assert table.game(BEN).standing.progress.n == 10
    table.room.read_again()
    await table.node.tick()
    assert table.game(BEN).standing.progress.n == 6
    await logged(table, actions=4)


@pytest.mark.parametrize("where", ["room", "game"])
async def test_a_check_that_finds_no_loss_changes_nothing(
    here: RoomNode, store: GatedMemoryStore, where: str
) -> None:
    """After a gap everything is read, and nobody notices."""
    table = await Table.racing(here, BEN) if where == "game" else await Table.open(here, BEN)
    if where == "game":
        await table.play(ADA, 1, 5)
    table.clear()
    before = store.entries(room_log(table))
    table.room.read_again()
    await here.tick()
    assert here.counters.gaps_repaired == 1
    assert here.counters.rollbacks == 0
    assert [table.at[player].messages(say.Notice) for player in (ADA, BEN)] == [[], []]
    assert store.entries(room_log(table)) == before

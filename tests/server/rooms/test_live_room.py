"""A room on one node: members' requests, racers' actions, standings, and what other nodes write."""

import pytest
from racetest import OTHER_CODE
from roomtest import ADA, BEN, CYD, FakeSubscriber, GatedMemoryStore, RoomNode, Table, advance, idle, move
from roomtest.fixtures import StartRoomNode

from protocol import from_client as ask
from protocol import from_server as say
from protocol.parts import Phase
from protocol.refusals import RefusalCode
from server.core import events as ev
from server.core.room import RECENT_RACES
from server.rooms.node_messages import RaceProgressed, from_bytes
from server.rooms.race import earlier_races
from server.store import keys


def answers(subscriber: FakeSubscriber) -> list[tuple[str, int, int]]:
    """Return the answers to actions: `accepted` or the refusal, the race and the number."""
    return [
        ("accepted" if isinstance(answer, say.Accepted) else str(answer.code), answer.race, answer.n)
        for answer in subscriber.messages(say.Accepted, say.Refused)
    ]


async def next_race(table: Table) -> None:
    """Let everybody forfeit, and start the next race."""
    race = table.live_race
    for player in race.games:
        n = race.games[player].measure().n + 1
        table.room.act(player, ask.Forfeit(race=race.number, n=n))
    await advance(11)
    assert table.room.room.phase is Phase.RESULTS
    await table.race()


# Requests.


async def test_an_event_is_sent_to_every_member_here(here: RoomNode) -> None:
    """The one who caused it included."""
    table = await Table.open(here, BEN)
    table.clear()
    await table.request(BEN, ask.Chat(text="hello"))
    message = say.ChatMessage(seq=table.room.room.length, player=BEN, text="hello")
    assert [table.at[player].received for player in (ADA, BEN)] == [[message], [message]]


async def test_a_member_who_leaves_is_detached(here: RoomNode) -> None:
    """The others and the leaving member get the event; nothing after it goes to the latter."""
    table = await Table.open(here, BEN)
    table.clear()
    await table.leave(BEN)
    await table.request(ADA, ask.Chat(text="alone"))
    assert table.at[BEN].kinds == ["MemberLeft"]
    assert table.at[BEN].endings == ["left"]
    assert table.at[ADA].kinds == ["MemberLeft", "ChatMessage"]


async def test_a_member_whom_another_node_took_for_dead_is_connected_again(
    here: RoomNode, store: GatedMemoryStore
) -> None:
    """The connection is here: the room's log is corrected at once."""
    table = await Table.open(here, BEN)
    lost = ev.MemberDisconnected(here.now_ms(), BEN)
    store.put(keys.room_log(table.room.code), ev.to_bytes(lost))
    table.room.read_again()
    await idle()
    assert table.room.room.members[BEN].disconnected_at_ms is None
    assert table.at[ADA].kinds[-2:] == ["MemberDisconnected", "MemberReconnected"]


async def test_a_member_who_connects_to_another_node_is_detached_here(start_node: StartRoomNode) -> None:
    """The message about the room's log makes this node read it."""
    here, there = await start_node("here"), await start_node("there")
    table = await Table.open(here, BEN)
    far = await table.elsewhere(there)
    await far.join(BEN)
    assert table.at[BEN].endings == ["replaced"]
    assert table.room.membership.subscribers.keys() == {ADA}


# Actions of races that are over, or have not begun.


async def test_an_action_of_an_earlier_race_is_accepted_again(here: RoomNode) -> None:
    """The client does not know yet that it was accepted: same answer, and the running game is untouched."""
    table = await Table.racing(here, BEN)
    await table.play(ADA, 1, 3)
    first = table.at[ADA].messages(say.Accepted)
    await next_race(table)
    table.clear()
    for n in (1, 2, 3):
        table.room.act(ADA, move(n))
    await idle()
    assert table.at[ADA].messages(say.Accepted) == first
    assert table.at[ADA].charged == [1, 2, 3]
    assert table.game(ADA).measure().n == 0


async def test_an_action_after_the_last_race_is_accepted_again(here: RoomNode) -> None:
    """No race runs: the winning move that was cut off has its answer."""
    table = await Table.racing(here)
    table.room.act(ADA, ask.Forfeit(race=1, n=1))
    await advance(11)
    assert table.room.race is None
    table.clear()
    table.room.act(ADA, ask.Forfeit(race=1, n=1))
    await idle()
    assert answers(table.at[ADA]) == [("accepted", 1, 1)]


@pytest.mark.parametrize(
    "action", [move(2), move(1, step=2), ask.Undo(race=1, n=1)], ids=["never made", "another move", "undo"]
)
async def test_another_action_of_an_earlier_race_is_refused(here: RoomNode, action: ask.AnyAction) -> None:
    """It was not carried out, and never will be."""
    table = await Table.racing(here)
    await table.play(ADA, 1, 1)
    await next_race(table)
    table.clear()
    assert table.room.act(ADA, action)
    await idle()
    assert answers(table.at[ADA]) == [("wrong_race", 1, action.n)]


async def test_an_action_of_a_race_to_come_is_refused(here: RoomNode) -> None:
    """At once, and without reading anything."""
    table = await Table.racing(here)
    table.clear()
    assert table.room.act(ADA, move(1, race=2))
    assert answers(table.at[ADA]) == [("wrong_race", 2, 1)]
    assert table.at[ADA].charged == []


async def test_the_refusal_of_an_action_of_another_race_takes_its_turn(
    here: RoomNode, store: GatedMemoryStore
) -> None:
    """The actions before it wait for the store, so it waits for their answers."""
    table = await Table.racing(here)
    table.clear()
    store.commits.close("race:1")
    for action in (move(1), move(1, race=2), move(2)):
        table.room.act(ADA, action)
    await idle()
    assert answers(table.at[ADA]) == []
    store.commits.open()
    await idle()
    assert answers(table.at[ADA]) == [("accepted", 1, 1), ("wrong_race", 2, 1), ("accepted", 1, 2)]


async def test_an_action_of_a_race_long_ago_is_forgotten(here: RoomNode) -> None:
    """Its outcome is not known here any more; the refusal says that."""
    table = await Table.racing(here)
    await table.play(ADA, 1, 1)
    for number in range(2, RECENT_RACES + 2):
        await next_race(table)
        assert table.live_race.number == number
    table.clear()
    table.room.act(ADA, move(1, race=1))
    table.room.act(ADA, ask.Forfeit(race=2, n=1))
    await idle()
    assert answers(table.at[ADA]) == [("race_forgotten", 1, 1), ("accepted", 2, 1)]


async def test_a_refusal_of_an_earlier_race_has_the_language_of_the_member(here: RoomNode) -> None:
    table = await Table.racing(here)
    table.at[ADA].lang = "zh-Hant"
    table.room.act(ADA, move(1, race=9))
    (refused,) = table.at[ADA].messages(say.Refused)
    assert refused.text == RefusalCode.WRONG_RACE.text("zh-Hant")


async def test_late_actions_are_bounded(
    here: RoomNode, store: GatedMemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each reads a log, and the store may be slow: a member who sends more is disconnected."""
    monkeypatch.setattr(earlier_races, "MAX_WAITING", 3)
    table = await Table.racing(here, BEN)
    await table.play(ADA, 1, 1)
    await next_race(table)
    table.clear()
    store.reads.close("race:1")
    for _ in "1234":
        table.room.act(ADA, move(1))
    table.room.act(BEN, ask.Forfeit(race=1, n=1))
    assert (table.at[ADA].endings, table.at[BEN].endings) == (["overran"], [])
    store.reads.open()
    await idle()
    assert answers(table.at[ADA]) == [("accepted", 1, 1)] * 3
    table.room.act(ADA, move(1))
    await idle()
    assert answers(table.at[ADA]) == [("accepted", 1, 1)] * 4


async def test_a_late_answer_goes_to_the_connection_that_is_there_then(
    here: RoomNode, store: GatedMemoryStore
) -> None:
    """The one that asked was replaced meanwhile, or is gone."""
    table = await Table.racing(here, BEN)
    await table.play(ADA, 1, 1)
    await next_race(table)
    old = table.at[ADA]
    old.clear()
    store.reads.close("race:1")
    table.room.act(ADA, move(1))
    table.room.act(BEN, move(5))
    await store.reads.reached()
    new = await table.join(ADA)
    await table.disconnect(BEN)
    table.clear()
    store.reads.open()
    await idle()
    assert (answers(old), answers(new), answers(table.at[BEN])) == ([], [("accepted", 1, 1)], [])


async def test_a_member_who_does_not_race_is_not_served(here: RoomNode) -> None:
    """The session answers that."""
    table = await Table.racing(here)
    cyd = await table.join(CYD)
    assert not table.room.act(CYD, move(1))
    assert not table.room.refuse(CYD, move(1), RefusalCode.RATE_LIMITED)
    assert table.room.refuse(ADA, move(1), RefusalCode.RATE_LIMITED)
    assert not table.room.refuse(ADA, move(1, race=2), RefusalCode.RATE_LIMITED)
    assert answers(cyd) == []
    assert answers(table.at[ADA]) == [("rate_limited", 1, 1)]


# The member's own game.


async def test_the_game_of_a_racer_is_the_committed_one(here: RoomNode, store: GatedMemoryStore) -> None:
    """What is in flight is waited for; others have no game."""
    table = await Table.racing(here, BEN)
    store.commits.close("race:1")
    table.room.act(ADA, move(1))
    await store.commits.reached()
    found: list[tuple[int, int]] = []

    async def find() -> None:
        game = await table.room.game_of(ADA)
        assert game is not None
        found.append((game[0], game[1].n))

    here.tasks.spawn(find())
    await idle()
    assert found == []
    store.commits.open()
    await idle()
    assert found == [(1, 1)]
    assert await table.room.game_of(CYD) is None


async def test_there_is_no_game_of_a_race_that_ended_meanwhile(
    here: RoomNode, store: GatedMemoryStore
) -> None:
    """A game that was read for the race before would be taken for that of the running one."""
    table = await Table.racing(here)
    table.game(ADA).invalidate()
    store.reads.close("race:1")
    found: list[object] = []

    async def find() -> None:
        found.append(await table.room.game_of(ADA))

    here.tasks.spawn(find())
    await store.reads.reached()
    race = table.live_race.race
    ended = ev.RaceEnded(here.now_ms(), 1, race.code, ())
    store.put(keys.room_log(table.room.code), ev.to_bytes(ended))
    table.room.log.report_length(table.room.room.length + 1)
    await idle()
    store.reads.open()
    await idle()
    assert found == [None]


# Standings.


async def test_standings_follow_an_action(here: RoomNode) -> None:
    """Soon, and at most once within the interval; in place of older ones."""
    table = await Table.racing(here, BEN)
    await here.tick()
    await table.play(ADA, 1, 4)
    await here.tick()
    for player in (ADA, BEN):
        latest = table.at[player].connection.latest["standings"]
        assert isinstance(latest, say.Standings)
        assert {row.player: row.moves for row in latest.rows} == {ADA: 4, BEN: 0}


async def test_progress_is_sent_to_the_nodes_of_other_members(start_node: StartRoomNode) -> None:
    """One message for all racers who have gone on, not one for each action."""
    here, there = await start_node("here"), await start_node("there")
    there.deaf = True
    table = await Table.racing(here, BEN)
    far = await table.elsewhere(there)
    heard: list[bytes] = []
    there.store.subscribe(keys.inbox("there"), heard.append, lambda: None)
    await far.join(CYD)
    await here.tick()
    heard.clear()
    await table.play(ADA, 1, 5)
    await table.play(BEN, 1, 2)
    await here.tick()
    progressed = [message for payload in heard if isinstance(message := from_bytes(payload), RaceProgressed)]
    last = {row.player: row.n for message in progressed for row in message.rows}
    assert last == {ADA: 5, BEN: 2}
    assert len(progressed) <= 2


async def test_a_full_journal_costs_other_nodes_only_a_message(start_node: StartRoomNode) -> None:
    """The latest counts, and logs are read before a racer acts there."""
    here, there = await start_node("here"), await start_node("there")
    table = await Table.racing(here, BEN)
    far = await table.elsewhere(there)
    await far.join(BEN)
    await table.play(ADA, 1, 3)
    here.journal.full = True
    await here.tick()
    latest = table.at[ADA].connection.latest["standings"]
    assert isinstance(latest, say.Standings)
    assert max(row.moves for row in latest.rows) == 3
    here.journal.full = False
    await far.join(ADA)
    assert far.game(ADA).measure().n == 3


async def test_messages_about_another_race_are_ignored(here: RoomNode) -> None:
    """They come late, after the next race has started."""
    table = await Table.racing(here, BEN)
    progress = table.game(BEN).measure()
    table.room.membership.left(BEN)
    further = type(progress)(BEN, 9, progress.state, 490, 9, 0, 9, 9, 9)
    table.room.report_progress(2, (further,), rolled_back=False)
    assert table.game(BEN).standing.progress.n == 0
    table.room.report_progress(1, (further,), rolled_back=False)
    assert table.game(BEN).standing.progress.n == 9


async def test_a_game_moves_to_another_node_and_back(start_node: StartRoomNode) -> None:
    """Wherever the racer connects, it is where it was."""
    here, there = await start_node("here"), await start_node("there")
    table = await Table.racing(here, BEN)
    far = await table.elsewhere(there)
    await table.play(ADA, 1, 4)
    await far.join(ADA)
    for n in range(5, 9):
        far.room.act(ADA, move(n))
    await idle()
    assert answers(far.at[ADA]) == [("accepted", 1, n) for n in range(5, 9)]
    back = await table.join(ADA)
    room = table.answers[back]
    assert isinstance(room, say.Room)
    assert room.game is not None
    assert room.game.n == 8
    table.room.act(ADA, move(9))
    await idle()
    assert answers(back) == [("accepted", 1, 9)]
    assert far.at[ADA].endings == ["replaced"]


# Loading and unloading.


async def test_a_room_is_loaded_with_its_race(start_node: StartRoomNode, store: GatedMemoryStore) -> None:
    """Games, phase and timers: the race ends here though it began elsewhere."""
    here = await start_node("here")
    table = await Table.racing(here, BEN, time_limit_s=60)
    await table.play(ADA, 1, 5)
    await here.stop()
    there = await start_node("there")
    far = await table.elsewhere(there)
    assert far.game(ADA).measure().n == 5
    await far.join(BEN)
    await advance(61)
    (ended,) = far.at[BEN].messages(say.RaceEnded)
    assert [(row.player, row.moves) for row in ended.results] == [(ADA, 5), (BEN, 0)]
    assert store.read_logs.count(keys.room_log(table.room.code)) > 0


async def test_a_room_is_idle_without_members_and_races(here: RoomNode) -> None:
    """Only then may this node unload it."""
    table = await Table.open(here)
    assert not table.room.idle
    await table.disconnect(ADA)
    assert table.room.idle


async def test_a_room_whose_race_needs_this_node_is_not_idle(start_node: StartRoomNode) -> None:
    """While no other node holds a member, nobody else ends the race."""
    here, there = await start_node("here"), await start_node("there")
    table = await Table.racing(here, BEN)
    far = await table.elsewhere(there)
    await table.disconnect(ADA)
    await table.disconnect(BEN)
    assert not table.room.idle
    await far.join(BEN)
    table.room.read_again()
    await idle()
    assert table.room.idle


async def test_a_room_with_a_command_in_flight_is_not_idle(here: RoomNode, store: GatedMemoryStore) -> None:
    table = await Table.open(here, code=OTHER_CODE)
    store.commits.close(keys.room_log(table.room.code))
    table.room.membership.disconnected(ADA, table.at[ADA])
    await store.commits.reached()
    assert not table.room.idle
    store.commits.open()
    await idle()
    assert table.room.idle


async def test_an_unloaded_room_sends_no_standings(here: RoomNode) -> None:
    """The throttle may still have it."""
    table = await Table.racing(here)
    await here.tick()
    await table.play(ADA, 1, 1)
    table.at[ADA].connection.latest.clear()
    table.room.unload()
    assert table.room.unloaded
    table.room.send_standings()
    await here.tick()
    assert table.at[ADA].connection.latest == {}

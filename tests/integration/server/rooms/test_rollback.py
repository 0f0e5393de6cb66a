"""A store that knows less than people were told, as after a fail-over: it counts, and it is noticed."""

from collections.abc import Callable
from typing import Any

import pytest
from racetest import Client, Connect, GatedStore, Gather, Ledger, StartNode, solution, until, url_of
from redis import Redis

from server.core.rules import Rules
from server.node import Node
from server.rooms import rollback
from server.rooms.live_room import LiveRoom
from server.rooms.node_messages import RaceProgressed
from server.rooms.race.live_race import LiveRace
from server.rooms.rollback import ADVICE
from server.store import keys
from server.store.embedded import EmbeddedRedis

STEPS = solution()
Cut = Callable[[str, int], None]


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rollback, "QUIET_S", 0.05)


@pytest.fixture
def cut(redis_server: EmbeddedRedis, prefix: str) -> Cut:
    """Take so many entries off the end of a log, as a fail-over to a replica that was behind does."""

    def cut(log: str, count: int) -> None:
        with Redis.from_url(redis_server.url) as redis:
            redis.ltrim(prefix + log, 0, -1 - count)

    return cut


def game_of(racer: Client, race: int = 1) -> str:
    return keys.game_log(racer.room, race, racer.player)


async def live_at(where: Node, racer: Client) -> LiveRoom:
    room = await where.rooms.find(racer.room)
    assert room is not None
    return room


async def came_back(racer: Client, url: str = "", *, seen: int | None = None) -> Client:
    """Return the same person by a new connection; the one before must have been ended with a reason."""
    assert await racer.closed() == (
        1011,
        "The server failed to handle this connection. Connect again and resume.",
    )
    assert [notice["code"] for notice in racer.messages("notice")] == ["rolled_back"]
    return await racer.reconnect(url, seen=seen)


async def told_once(ledger: Ledger, where: Client, **lost: int) -> None:
    """Expect one line that says what this room has lost, and take it out."""
    await until(lambda: ledger.errors)
    line: dict[str, Any] = {"event": "store rolled back", "room": where.room, "advice": ADVICE}
    assert ledger.errors == [line | {"events": 0, "actions": 0} | lost]
    ledger.lines.clear()


# A room's log.


async def test_a_room_continues_with_what_the_store_has(
    node: StartNode, party: Gather, ledger: Ledger, cut: Cut
) -> None:
    """The next event meets a shorter log: the loss is reported, and everybody returns to what is left."""
    where = await node()
    ada, ben = await party(where, "Ada", "Ben")
    for text in ("one", "two", "three"):
        await ada.do("chat", text=text)
    await ben.expect("chat_message", text="three")
    seen, lost = ada.seen, 2
    cut(keys.room_log(ada.room), lost)
    await ada.send(type="lock", ref=99, locked=True)
    ada, ben = await came_back(ada, seen=seen), await came_back(ben, seen=seen)
    await told_once(ledger, ada, events=lost)
    assert where.counters.rollbacks == 1
    for each in (ada, ben):
        assert [message["type"] for message in each.received[:2]] == ["welcome", "room"]
        await each.sync()
    await ada.do("chat", text="four")
    await ben.expect("chat_message", text="four")
    log = await where.store.read(keys.room_log(ada.room))
    assert ada.seen == ben.seen == len(log) == (await live_at(where, ada)).room.length


async def test_a_quiet_room_is_read_after_a_gap(
    node: StartNode, party: Gather, ledger: Ledger, cut: Cut
) -> None:
    """A node that has lost the store and found it again does not wait for somebody to speak."""
    where = await node()
    ada, ben = await party(where, "Ada", "Ben")
    await ada.do("chat", text="gone")
    await ben.expect("chat_message")
    seen = ben.seen
    cut(keys.room_log(ada.room), 1)
    where.rooms.read_again()
    ada, ben = await came_back(ada), await came_back(ben, seen=seen)
    await told_once(ledger, ada, events=1)
    assert ben.received[1]["type"] == "room"


async def test_other_events_in_the_place_of_lost_ones_are_noticed(
    node: StartNode, party: Gather, person: Connect, ledger: Ledger, cut: Cut
) -> None:
    """Another node goes on with the shorter log until it is as long as it was: a length says nothing then."""
    here, there = await node(), await node()
    ada, _ = await party(here, "Ada", "Ben")
    cyd = await person(there, "Cyd")
    await cyd.join(ada.room)
    await ada.do("chat", text="gone")
    await cyd.expect("chat_message", text="gone")
    cut(keys.room_log(ada.room), 1)
    with pytest.MonkeyPatch.context() as deaf:
        deaf.setattr(here.rooms, "receive", lambda _: None)
        await cyd.send(type="chat", ref=9, text="instead")
        cyd = await came_back(cyd)
        await told_once(ledger, ada, events=1)
        await cyd.sync()
    here.rooms.read_again()
    ada = await came_back(ada)
    await told_once(ledger, ada, events=1)
    await cyd.do("chat", text="together")
    await ada.expect("chat_message", text="together")
    assert ada.seen == cyd.seen


async def test_a_message_about_a_log_with_other_events_is_noticed(
    node: StartNode, party: Gather, person: Connect, ledger: Ledger, cut: Cut
) -> None:
    """A node that had no gap compares the last event that it sent with what it reads."""
    here, there = await node(), await node()
    (ada,) = await party(here, "Ada")
    cyd = await person(there, "Cyd")
    await cyd.join(ada.room)
    await ada.do("chat", text="gone")
    await cyd.expect("chat_message", text="gone")
    cut(keys.room_log(ada.room), 1)
    await cyd.send(type="chat", ref=9, text="instead")
    cyd = await came_back(cyd)
    await cyd.do("chat", text="and more")
    ada = await came_back(ada)
    await until(lambda: len(ledger.errors) == 2)
    assert [(line["event"], line["events"]) for line in ledger.errors] == [("store rolled back", 1)] * 2
    ledger.lines.clear()
    await cyd.do("chat", text="together")
    await ada.expect("chat_message", text="together")


async def test_a_reused_number_does_not_resume_at_a_lost_event(
    node: StartNode, party: Gather, ledger: Ledger, cut: Cut
) -> None:
    """Who has seen event 20 of before must not be told only what came after event 20 of now."""
    where = await node()
    ada, ben = await party(where, "Ada", "Ben")
    await ada.do("chat", text="gone")
    await ben.expect("chat_message")
    seen = ben.seen
    cut(keys.room_log(ada.room), 1)
    where.rooms.read_again()
    ada = await came_back(ada)
    for number in range(5):
        await ada.do("chat", text=str(number))
    assert ada.seen > seen
    ben = await came_back(ben, seen=seen)
    assert ben.received[1]["type"] == "room"
    again = await ben.reconnect(seen=seen - 1)
    assert again.received[1]["type"] == "resumed"
    await told_once(ledger, ada, events=1)


async def test_numbers_of_an_earlier_rollback_stay_unusable_after_a_later_one(
    node: StartNode, party: Gather, ledger: Ledger, cut: Cut
) -> None:
    where = await node()
    ada, ben = await party(where, "Ada", "Ben")
    await ada.do("chat", text="gone 1")
    await ada.do("chat", text="gone 2")
    await ben.expect("chat_message", text="gone 2")
    seen = ben.seen
    cut(keys.room_log(ada.room), 2)
    where.rooms.read_again()
    ada = await came_back(ada)
    await told_once(ledger, ada, events=2)
    for number in range(6):
        await ada.do("chat", text=f"new {number}")
    cut(keys.room_log(ada.room), 1)
    where.rooms.read_again()
    ada = await came_back(ada)
    await told_once(ledger, ada, events=1)
    ben = await came_back(ben, seen=seen)

    assert ben.received[1]["type"] == "room"


async def test_a_member_who_saw_events_after_a_rollback_resumes_with_events(
    node: StartNode, party: Gather, ledger: Ledger, cut: Cut
) -> None:
    """Only the numbers that were used twice are uncertain, not all that follow."""
    where = await node()
    ada, ben = await party(where, "Ada", "Ben")
    await ada.do("chat", text="gone")
    await ben.expect("chat_message", text="gone")
    cut(keys.room_log(ada.room), 1)
    where.rooms.read_again()
    ada, ben = await came_back(ada), await came_back(ben)
    await told_once(ledger, ada, events=1)
    for number in range(6):
        await ada.do("chat", text=f"new {number}")
    await ben.expect("chat_message", text="new 5")
    again = await ben.reconnect(seen=ben.seen)

    assert again.received[1]["type"] == "resumed"


async def test_a_race_whose_start_is_lost_never_began(
    node: StartNode, party: Gather, ledger: Ledger, cut: Cut
) -> None:
    """Its racers are in the lobby again, get ready again, and race."""
    where = await node()
    racers = await party(where, "Ada", "Ben")
    for each in racers:
        await each.ready()
    before = len(await where.store.read(keys.room_log(racers[0].room)))
    await racers[0].start()
    for each in racers:
        await each.racing()
    now = len(await where.store.read(keys.room_log(racers[0].room)))
    cut(keys.room_log(racers[0].room), now - before)
    where.rooms.read_again()
    ada, ben = [await came_back(each) for each in racers]
    await told_once(ledger, ada, events=now - before)
    assert [each.received[1]["phase"] for each in (ada, ben)] == ["lobby", "lobby"]
    assert (await ada.act("move", **STEPS[0]))["code"] == "wrong_race"
    await ada.start()
    for each in (ada, ben):
        await each.racing()
        await each.win()
    assert [row["rank"] for row in (await ada.expect("race_ended"))["results"]] == [1, 2]


async def test_a_race_whose_end_is_lost_ends_again(
    node: StartNode, race: Gather, ledger: Ledger, cut: Cut
) -> None:
    """The winning moves are gone with it, for they were remembered before; they are made again."""
    where = await node()
    (ada,) = await race(where, "Ada")
    before = len(await where.store.read(keys.room_log(ada.room)))
    await ada.win()
    await ada.expect("race_ended")
    now = len(await where.store.read(keys.room_log(ada.room)))
    cut(keys.room_log(ada.room), now - before)
    cut(game_of(ada), 3)
    where.rooms.read_again()
    ada = await came_back(ada)
    assert ada.n == len(STEPS) - 3
    await told_once(ledger, ada, events=now - before)
    await ada.win()
    assert [row["state"] for row in (await ada.expect("race_ended"))["results"]] == ["won"]


async def test_a_room_that_is_lost_whole_no_longer_exists(
    node: StartNode, party: Gather, ledger: Ledger, cut: Cut
) -> None:
    """It was opened after what the store still has: members who return get `no_such_room`."""
    where = await node()
    ada, ben = await party(where, "Ada", "Ben")
    events = len(await where.store.read(keys.room_log(ada.room)))
    cut(keys.room_log(ada.room), events)
    await ada.send(type="chat", ref=9, text="hello?")
    for each in (ada, ben):
        await each.closed()
        back = await each.new_connection().open()
        await back.hello()
        assert await back.error_code("join", room=each.room) == "no_such_room"
        await back.create()
    await told_once(ledger, ada, events=events)


async def test_an_empty_room_that_another_node_removed_is_no_loss(
    node: StartNode, party: Gather, cut: Cut
) -> None:
    """Another node has let it go, as rooms are that nobody comes back to: nothing is logged."""
    where = await node()
    (ada,) = await party(where, "Ada")
    await ada.do("leave")
    await ada.close()
    room = await live_at(where, ada)
    await until(lambda: not room.membership.subscribers)
    cut(keys.room_log(ada.room), room.room.length)
    where.rooms.read_again()
    await until(lambda: room.vanished)
    assert await where.rooms.find(ada.room) is None


async def test_a_member_whose_leave_is_lost_is_marked_disconnected(
    node: StartNode, party: Gather, ledger: Ledger, cut: Cut
) -> None:
    """The log says again that they are here: nobody would ever take such a ghost away."""
    where = await node()
    ada, ben = await party(where, "Ada", "Ben")
    await ben.do("leave")
    await ada.expect("member_left")
    cut(keys.room_log(ada.room), 1)
    where.rooms.read_again()
    ada = await came_back(ada)
    view = ada.received[1]
    connected = {member["name"]: member["connected"] for member in view["members"]}
    if connected["Ben"]:
        await ada.expect("member_disconnected", player=ben.player)
    await told_once(ledger, ada, events=1)


# A racer's log.


async def test_a_racer_gets_the_game_that_is_left_and_continues(
    node: StartNode, race: Gather, ledger: Ledger, cut: Cut
) -> None:
    """The next move has too high a number; with the connection's return comes the game that is left."""
    where = await node()
    ada, ben = await race(where, "Ada", "Ben")
    await ada.moves(STEPS[:10])
    cut(game_of(ada), 4)
    await ada.send(type="move", n=11, **STEPS[10])
    refused = await ada.answer(11)
    assert (refused["code"], refused["expected"]) == ("wrong_number", 7)
    ada = await came_back(ada, seen=ada.seen)
    assert ada.received[1]["type"] == "resumed"
    assert ada.n == 6
    await told_once(ledger, ada, actions=4)
    await ada.win()
    assert ben.messages("notice") == []
    await ben.win()
    assert [row["name"] for row in (await ben.expect("race_ended"))["results"]] == ["Ada", "Ben"]


async def test_all_games_of_a_room_are_one_incident(
    node: StartNode, race: Gather, ledger: Ledger, cut: Cut
) -> None:
    """One racer moves, and the others' games are looked at, too: one line says what the room has lost."""
    where = await node()
    ada, ben, cyd = await race(where, "Ada", "Ben", "Cyd")
    for each in (ada, ben, cyd):
        await each.moves(STEPS[:8])
    await cyd.expect("standings")
    cut(game_of(ada), 4)
    cut(game_of(ben), 3)
    await ada.send(type="move", n=9, **STEPS[8])
    ada, ben = await came_back(ada), await came_back(ben)
    assert (ada.n, ben.n) == (4, 5)
    await told_once(ledger, ada, actions=7)
    await cyd.moves(STEPS[8:9])
    while True:
        rows = {row["player"]: row["moves"] for row in (await cyd.expect("standings"))["rows"]}
        if rows == {ada.player: 4, ben.player: 5, cyd.player: 9}:
            break


async def test_a_quiet_game_is_read_after_a_gap(
    node: StartNode, race: Gather, ledger: Ledger, cut: Cut
) -> None:
    """Who thinks, thinks about the board that is left; the others are not disturbed."""
    where = await node()
    ada, ben = await race(where, "Ada", "Ben")
    await ada.moves(STEPS[:10])
    cut(game_of(ada), 4)
    where.rooms.read_again()
    ada = await came_back(ada)
    assert ada.n == 6
    await told_once(ledger, ada, actions=4)
    await ben.moves(STEPS[:2])
    assert ben.messages("notice") == []


async def test_a_win_in_flight_is_not_won_without_the_moves_before_it(
    node: StartNode, race: Gather, ledger: Ledger, cut: Cut
) -> None:
    """It is refused by its number, the room receives nothing, and the racer can win again."""
    where = await node()
    ada, ben = await race(where, "Ada", "Ben")
    await ada.moves(STEPS[:-1])
    gate = GatedStore.of(where).commits
    gate.close("race:1")
    await ada.send(type="move", n=len(STEPS), **STEPS[-1])
    await gate.reached()
    cut(game_of(ada), 2)
    gate.open()
    refused = await ada.answer(len(STEPS))
    assert (refused["code"], refused["expected"]) == ("wrong_number", len(STEPS) - 2)
    ada = await came_back(ada)
    await told_once(ledger, ada, actions=2)
    assert ben.messages("racer_won") == []
    await ada.win()
    await ben.expect("racer_won", player=ada.player)


async def seen_from_afar(node: StartNode, race: Gather) -> tuple[Node, Client, Client, LiveRace]:
    """Return Ada's node, Ada, Ben who made ten moves at another one, and the race as Ada's knows it."""
    here, there = await node(), await node()
    ada, ben = await race(here, "Ada", "Ben")
    ben = await ben.reconnect(url_of(there))
    await ben.moves(STEPS[:10])
    track = (await live_at(here, ada)).race
    assert track is not None
    await until(lambda: track.games[ben.player].standing.progress.n == 10)
    return here, ada, ben, track


async def test_standings_at_another_node_come_down(
    node: StartNode, race: Gather, ledger: Ledger, cut: Cut
) -> None:
    """The racer's node tells the others that less counts than before; they need not notice themselves."""
    _, ada, ben, track = await seen_from_afar(node, race)
    cut(game_of(ben), 4)
    await ben.send(type="move", n=11, **STEPS[10])
    await until(lambda: track.games[ben.player].standing.progress.n == 6)
    ben = await came_back(ben)
    assert ben.n == 6
    await told_once(ledger, ada, actions=4)


async def test_a_node_reads_the_games_of_other_nodes_after_a_gap(
    node: StartNode, race: Gather, ledger: Ledger, cut: Cut
) -> None:
    """Each node says for itself what it knew that is gone."""
    here, ada, ben, track = await seen_from_afar(node, race)
    cut(game_of(ben), 4)
    here.rooms.read_again()
    await until(lambda: track.games[ben.player].standing.progress.n == 6)
    await told_once(ledger, ada, actions=4)
    assert ada.messages("notice") == []


async def test_a_late_message_of_lost_actions_is_no_further_loss(
    node: StartNode, race: Gather, ledger: Ledger, cut: Cut
) -> None:
    """Another node told of it before it noticed itself, and its words come late: it is the same incident."""
    here, there = await node(), await node()
    ada, ben = await race(here, "Ada", "Ben")
    ben = await ben.reconnect(url_of(there))
    await ben.moves(STEPS[:10])
    track = (await live_at(here, ada)).race
    assert track is not None
    line = track.games[ben.player].standing
    await until(lambda: line.progress.n == 10)
    before = line.progress
    cut(game_of(ben), 4)
    here.rooms.read_again()
    await until(lambda: line.progress.n == 6)
    here.rooms.receive(RaceProgressed(ben.room, 1, (before,)))
    assert line.progress.n == 10
    here.rooms.read_again()
    await until(lambda: line.progress.n == 6)
    await told_once(ledger, ada, actions=4)


@pytest.mark.parametrize("rules", [Rules(), Rules(idle_ms=1_000)])
async def test_a_gap_in_which_nothing_was_lost_changes_nothing(
    node: StartNode, race: Gather, rules: Rules
) -> None:
    """All is looked at, and nobody notices."""
    where = await node(rules=rules)
    ada, ben = await race(where, "Ada", "Ben")
    await ada.moves(STEPS[:5])
    before = where.counters.gaps_repaired
    where.rooms.read_again()
    await until(lambda: where.counters.gaps_repaired > before)
    await ada.moves(STEPS[5:10])
    await ben.do("chat", text="and?")
    await ada.expect("chat_message", text="and?")
    assert where.counters.rollbacks == 0

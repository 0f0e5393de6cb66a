"""Nodes that serve one room together, at the moments when they do not know of each other's latest deeds."""

import asyncio
from functools import partial

import pytest
from racetest import Client, Connect, GatedStore, Gather, StartNode, hold_game, solution, until

from protocol.close_codes import CloseCode
from server.core import commands as cmd
from server.core.rules import Rules
from server.rooms.live_room import LiveRoom
from server.rooms.node_messages import RaceProgressed, RoomLogGrew


async def test_a_report_while_the_log_is_read_is_not_forgotten(
    node: StartNode, party: Gather, person: Connect
) -> None:
    """News may overtake the answer to a question that was asked before; then the log is read once more."""
    here, there = await node(), await node()
    ada, _ = await party(here, "Ada", "Ben")
    cyd = await person(there, "Cyd")
    await cyd.join(ada.room)
    gate = GatedStore.of(there).reads
    gate.close("log")
    await ada.do("chat", text="one")
    await gate.reached()
    await ada.do("chat", text="two")
    room = await there.rooms.find(ada.room)
    assert room is not None
    await until(lambda: room.log._reported_length == ada.seen)
    gate.open()
    await cyd.expect("chat_message", text="one")
    await cyd.expect("chat_message", text="two")


async def test_nobody_is_kept_out_by_what_a_node_without_members_knows_of_a_room(
    node: StartNode, party: Gather, person: Connect
) -> None:
    """Such a node is told nothing, so it asks before it says that a room is full or locked."""
    here, there = await node(), await node()
    ada, ben = await party(here, "Ada", "Ben", max_members=2)
    cyd = await person(there, "Cyd")
    assert await cyd.error_code("join", room=ada.room) == "room_full"
    await ben.do("leave")
    await cyd.join(ada.room)


async def test_who_was_elsewhere_meanwhile_and_is_back_is_there(
    node: StartNode, party: Gather, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first node has not heard that its member left it, and must not take the return for nothing."""
    here, there = await node(), await node()
    ada, ben = await party(here, "Ada", "Ben")
    monkeypatch.setattr(here.rooms, "receive", lambda _: None)  # what nodes tell each other may be lost
    elsewhere = await ben.reconnect(f"ws://127.0.0.1:{there.address[1]}")
    again = await elsewhere.reconnect(f"ws://127.0.0.1:{here.address[1]}")
    assert (await elsewhere.closed())[0] == CloseCode.REPLACED
    await again.do("chat", text="here I am")
    room = await here.rooms.find(ada.room)
    assert room is not None
    member = room.room.members[ben.player]
    assert (member.node, member.disconnected_at_ms) == (here.id, None)


async def test_a_race_goes_on_at_one_node_though_another_hears_nothing_of_it(
    node: StartNode, race: Gather
) -> None:
    """A node without members takes racers for idle, and looks into their logs before it ends their race."""
    rules = Rules(idle_ms=1_000, forfeit_undo_ms=0)
    here, there = await node(rules=rules), await node(rules=rules)
    ada, ben = await race(here, "Ada", "Ben")
    gone = [await racer.reconnect(f"ws://127.0.0.1:{there.address[1]}") for racer in (ada, ben)]
    await gone[1].act("forfeit")
    for step in solution(ada.code)[:30]:
        await gone[0].act("move", **step)
        await asyncio.sleep(0.1)  # three times as long as an idle racer is waited for, all in all
    assert gone[0].messages("race_ended") == []
    assert (await gone[0].expect("race_ended"))["results"][0]["moves"] == 30


async def test_a_node_that_was_taken_for_dead_brings_its_people_back(node: StartNode, party: Gather) -> None:
    """It stood still, say; when it goes on, who is connected to it is not away."""
    here, there = await node(), await node()
    ada, ben = await party(here, "Ada", "Ben")
    room = await there.rooms.find(ada.room)
    assert room is not None
    room.log.submit(cmd.DisconnectNodes(frozenset({here.id})))
    for player in (ada.player, ben.player):
        await ada.expect("member_disconnected", player=player)
    for player in (ada.player, ben.player):
        await ada.expect("member_reconnected", player=player)


async def test_the_end_of_an_old_connection_does_not_make_away_who_is_coming_by_a_new_one(
    node: StartNode, race: Gather
) -> None:
    """The old one ends while the new one waits for the game to be read."""
    where = await node()
    ada, ben = await race(where, "Ada", "Ben")
    room = await where.rooms.find(ben.room)
    assert room is not None
    gate = await hold_game(where, ben)
    again = await ben.new_connection().open()
    await again.hello()
    await again.send(type="join", ref=9, room=ben.room)
    await gate.reached()
    ben.abort()
    await until(lambda: ben.player not in room.membership.subscribers)
    gate.open()
    await again.expect("room", ref=9)
    await again.do("chat", text="I never was away")
    await ada.expect("chat_message", text="I never was away")
    assert ada.messages("member_disconnected") == []


async def test_of_two_connections_that_come_together_the_newer_one_stays(
    node: StartNode, race: Gather
) -> None:
    where = await node()
    _, ben = await race(where, "Ada", "Ben")
    room = await where.rooms.find(ben.room)
    assert room is not None
    gate = await hold_game(where, ben)
    older, newer = await ben.new_connection().open(), await ben.new_connection().open()
    for number, each in enumerate((older, newer), start=1):
        await each.hello()
        await each.send(type="join", ref=9, room=ben.room)
        await until(partial(_are_coming, room, ben, number))
    gate.open()
    await newer.expect("room", ref=9)
    for each in (ben, older):
        assert (await each.closed())[0] == CloseCode.REPLACED
    await newer.act("move", **solution(ben.code)[0])


def _are_coming(room: LiveRoom, racer: Client, number: int) -> bool:
    return len(room.membership._arriving.get(racer.player, ())) == number


async def test_standings_are_right_again_after_news_was_lost(
    node: StartNode, race: Gather, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How far a racer has come whom another node has not heard of is read when that one hears again."""
    here, there = await node(), await node()
    ada, ben = await race(here, "Ada", "Ben")
    away = await ben.reconnect(f"ws://127.0.0.1:{there.address[1]}")
    lost: list[RoomLogGrew | RaceProgressed] = []
    with monkeypatch.context() as deaf:
        deaf.setattr(here.rooms, "receive", lost.append)
        await away.moves(solution(ada.code)[:5])
        await until(lambda: any(isinstance(news, RaceProgressed) and news.rows[0].n == 5 for news in lost))
    here.rooms.check_for_news()
    while True:
        rows = (await ada.expect("standings"))["rows"]
        if {row["player"]: row["moves"] for row in rows}[ben.player] == 5:
            break

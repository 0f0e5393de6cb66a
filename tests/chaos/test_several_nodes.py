"""Nodes that serve one room together and do not know each other's latest changes."""

import asyncio
from functools import partial

import pytest
from racetest import Client, Connect, GatedStore, Gather, StartNode, hold_game, solution, until

from protocol.close_codes import CloseCode
from server.core import commands as cmd
from server.core.rules import Rules
from server.rooms.live_room import LiveRoom
from server.rooms.node_messages import RaceProgressed, RoomLogGrew


async def test_a_node_message_during_a_read_of_the_log_is_not_lost(
    node: StartNode, party: Gather, person: Connect
) -> None:
    """A message can overtake the answer to an earlier read; then the log is read again."""
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


async def test_a_node_without_members_reads_the_log_before_it_refuses_a_join(
    node: StartNode, party: Gather, person: Connect
) -> None:
    """Such a node gets no messages of the room, so its copy can be old."""
    here, there = await node(), await node()
    ada, ben = await party(here, "Ada", "Ben", max_members=2)
    cyd = await person(there, "Cyd")
    assert await cyd.error_code("join", room=ada.room) == "room_full"
    await ben.do("leave")
    await cyd.join(ada.room)


async def test_a_member_who_returns_from_another_node_is_connected(
    node: StartNode, party: Gather, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first node does not know that its member was elsewhere; the return must still count."""
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


async def test_a_race_goes_on_when_another_node_gets_no_messages(node: StartNode, race: Gather) -> None:
    """A node without members takes the racers for idle, and reads their logs before it ends the race."""
    rules = Rules(idle_ms=1_000, forfeit_undo_ms=0)
    here, there = await node(rules=rules), await node(rules=rules)
    ada, ben = await race(here, "Ada", "Ben")
    gone = [await racer.reconnect(f"ws://127.0.0.1:{there.address[1]}") for racer in (ada, ben)]
    await gone[1].act("forfeit")
    for step in solution(ada.code)[:30]:
        await gone[0].act("move", **step)
        await asyncio.sleep(0.1)  # in all three times the limit of an idle racer
    assert gone[0].messages("race_ended") == []
    assert (await gone[0].expect("race_ended"))["results"][0]["moves"] == 30


async def test_a_node_that_was_declared_dead_reconnects_its_members(node: StartNode, party: Gather) -> None:
    """It was paused, for example. Its members are connected again when it goes on."""
    here, there = await node(), await node()
    ada, ben = await party(here, "Ada", "Ben")
    room = await there.rooms.find(ada.room)
    assert room is not None
    room.log.submit(cmd.DisconnectNodes(frozenset({here.id})))
    for player in (ada.player, ben.player):
        await ada.expect("member_disconnected", player=player)
    for player in (ada.player, ben.player):
        await ada.expect("member_reconnected", player=player)


async def test_the_end_of_an_old_connection_does_not_disconnect_a_returning_member(
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


async def test_the_newer_of_two_waiting_connections_stays(node: StartNode, race: Gather) -> None:
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


async def test_standings_are_complete_after_lost_node_messages(
    node: StartNode, race: Gather, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The progress of a racer on another node is read once messages come again."""
    here, there = await node(), await node()
    ada, ben = await race(here, "Ada", "Ben")
    away = await ben.reconnect(f"ws://127.0.0.1:{there.address[1]}")
    lost: list[RoomLogGrew | RaceProgressed] = []
    with monkeypatch.context() as deaf:
        deaf.setattr(here.rooms, "receive", lost.append)
        await away.moves(solution(ada.code)[:5])
        await until(lambda: any(isinstance(news, RaceProgressed) and news.rows[0].n == 5 for news in lost))
    here.rooms.read_again()
    while True:
        rows = (await ada.expect("standings"))["rows"]
        if {row["player"]: row["moves"] for row in rows}[ben.player] == 5:
            break

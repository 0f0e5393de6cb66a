"""All rooms of a node: opened under new codes, found again, and removed when nobody returns."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Sequence
from itertools import chain, repeat
from typing import Any

import pytest
from racetest import Client, Connect, GatedStore, Gather, StartNode, solution, until, url_of

from server.core import events as ev
from server.node import Node
from server.rooms.live_room import LiveRoom
from server.rooms.registry import RENEWAL_MS
from server.store import keys
from server.store.port import Append, Commit, Outcome


async def test_a_code_that_is_taken_is_drawn_again(
    node: StartNode, person: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new room never falls into an old one, though the codes are drawn by chance at every node."""
    draws = chain([0] * 5, [0] * 5, [1] * 5, repeat(2))
    monkeypatch.setattr(secrets, "randbelow", lambda _: next(draws))
    here, there = await node(), await node()
    monkeypatch.undo()
    ada, ben = await person(here, "Ada"), await person(there, "Ben")
    assert await ada.create() == "BBBBB"
    assert await ben.create() == "CCCCC"
    view = await ada.join("BBBBB")
    assert [each["name"] for each in view["members"]] == ["Ada"]


async def test_a_room_whose_code_is_drawn_again_is_still_looked_after(
    node: StartNode, person: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With thousands of rooms on one node that happens every day; it may not stop the minding of all."""
    draws = chain([0] * 5, [0] * 5, repeat(1))
    monkeypatch.setattr(secrets, "randbelow", lambda _: next(draws))
    here = await node()
    monkeypatch.undo()
    ada, ben = await person(here, "Ada"), await person(here, "Ben")
    assert [await ada.create(), await ben.create()] == ["BBBBB", "CCCCC"]
    await here.rooms.sweep()
    assert (await ada.join("BBBBB"))["room"] == "BBBBB"


async def test_a_room_that_many_look_for_is_read_once(node: StartNode, party: Gather) -> None:
    """Everybody returns at once after a restart, and all find the same room."""
    here = await node()
    people = await party(here, *"ABCDEFGH")
    await here.stop()
    there = await node()
    back = await asyncio.gather(*(each.reconnect(url_of(there)) for each in people))
    await back[0].do("chat", text="all here")
    for each in back:
        await each.expect("chat_message", text="all here")
    assert there.counters.rooms == 1


async def test_a_room_that_nobody_returns_to_is_removed(
    node: StartNode, race: Gather, person: Connect
) -> None:
    """After the time that a host chose, nothing of it is left in the store, its games included."""
    here = await node()
    (ada,) = await race(here, "Ada")
    await ada.win()
    await ada.expect("race_ended")
    await here.stop()
    logs = [keys.room_log(ada.room), keys.game_log(ada.room, 1, ada.player)]
    there = await node(keep_rooms_hours=0.0)
    assert [await there.store.length(log) > 0 for log in logs] == [True, True]
    await there.store.schedule(keys.rooms_schedule(), ada.room, 0)
    await there.rooms.sweep()

    async def forgotten() -> bool:
        return await there.store.due(keys.rooms_schedule(), 2**50, 10) == []

    await until(forgotten)  # the node's own sweep may be faster
    assert [await there.store.length(log) for log in logs] == [0, 0]
    back = await ada.new_connection(url_of(there)).open()
    await back.hello()
    assert await back.error_code("join", room=ada.room) == "no_such_room"
    eve = await person(there, "Eve")
    await eve.create()


async def test_an_unreadable_room_does_not_delay_the_others(node: StartNode, person: Connect) -> None:
    """A log of a newer server, say: it is reported and postponed, and the rooms behind it have their turn."""
    here = await node()
    ada = await person(here, "Ada")
    room = await ada.create()
    await here.stop()
    there = await node(keep_rooms_hours=0.0)
    bugs: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: bugs.append(context))
    await there.store.commit([Commit((Append(keys.room_log("BBBBB"), 0, (b"?",)),))])
    for at, code in enumerate(("BBBBB", room)):
        await there.store.schedule(keys.rooms_schedule(), code, at)
    await there.rooms.sweep()
    assert [bug["message"] for bug in bugs] == ["background work failed"]
    assert await there.store.length(keys.room_log(room)) == 0
    now = there.journal.now_ms()
    assert await there.store.due(keys.rooms_schedule(), now + RENEWAL_MS // 2, 10) == []
    assert await there.store.due(keys.rooms_schedule(), 2**50, 10) == ["BBBBB"]


async def test_a_room_is_kept_for_members_who_return_in_time(node: StartNode, race: Gather) -> None:
    """Absent people's rooms, results and records outlive the process."""
    here = await node()
    (ada,) = await race(here, "Ada")
    await ada.moves(solution())
    await ada.expect("race_ended")
    await here.stop()
    there = await node()
    await there.store.schedule(keys.rooms_schedule(), ada.room, 0)
    await there.rooms.sweep()
    back = await ada.reconnect(url_of(there))
    assert back.received[-1]["phase"] == "results"
    assert (await back.ask("get_record", race=1))["record"]["results"] == back.received[1]["results"]
    await until(lambda: there.counters.rooms == 1)


@pytest.mark.parametrize("found", ["before", "after"])
async def test_a_room_that_is_found_while_it_is_opened_is_one_room(
    node: StartNode, person: Connect, monkeypatch: pytest.MonkeyPatch, found: str
) -> None:
    """It is in the store before we hear so: who looks for it then meets its owner all the same."""
    draws = chain([0] * 5, repeat(1))
    monkeypatch.setattr(secrets, "randbelow", lambda _: next(draws))
    where = await node()
    monkeypatch.undo()
    ada, ben = await person(where, "Ada"), await person(where, "Ben")
    commit, log = where.store.commit, keys.room_log("BBBBB")
    gate = GatedStore.of(where).reads
    finding: list[asyncio.Task[LiveRoom | None]] = []

    async def answered_late(batch: Sequence[Commit]) -> list[Outcome]:
        outcomes = await commit(batch)
        if not finding and any(append.log == log for each in batch for append in each.appends):
            if found == "after":
                gate.close(log)
            finding.append(asyncio.create_task(where.rooms.find("BBBBB")))
            await (asyncio.wait(finding) if found == "before" else gate.reached())
        return outcomes

    monkeypatch.setattr(where.store, "commit", answered_late)
    assert await ada.create() == "BBBBB"
    gate.open()
    assert await finding[0] is await where.rooms.find("BBBBB")
    await ben.join("BBBBB")
    await ada.expect("member_joined")


@pytest.fixture
async def abandoned(node: StartNode, party: Gather) -> tuple[Node, Client]:
    """A node that keeps no room which nobody is in, and somebody whose room has come to it."""
    here = await node()
    (ada,) = await party(here, "Ada")
    await here.stop()
    left_at = here.journal.now_ms()
    there = await node(keep_rooms_hours=0.0)
    await until(lambda: there.journal.now_ms() > left_at)  # their clocks are some ms apart
    return there, ada


async def found_as_it_is_let_go(
    there: Node, room: str, monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[], Awaitable[object]]
) -> LiveRoom | None:
    """Look for a room, do something else in the moment before its end is remembered; return what it found."""
    commit = there.store.commit
    finding: list[asyncio.Task[LiveRoom | None]] = []

    async def commit_later(batch: Sequence[Commit]) -> list[Outcome]:
        if any(append.ttl_s == 0 for each in batch for append in each.appends):
            finding.append(asyncio.create_task(there.rooms.find(room)))
            await meanwhile()
        return await commit(batch)

    monkeypatch.setattr(there.store, "commit", commit_later)
    await there.store.schedule(keys.rooms_schedule(), room, 0)
    await there.rooms.sweep()
    await until(lambda: finding)  # the node's own sweep may be faster
    (found,) = [await each for each in finding]
    return found


async def test_a_room_that_is_being_removed_is_not_found(
    abandoned: tuple[Node, Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its log was there a moment ago; a room made of it would have no log to write to."""
    there, ada = abandoned
    others_have_their_turn = there.store.now_ms  # something goes to the store and back
    assert await found_as_it_is_let_go(there, ada.room, monkeypatch, others_have_their_turn) is None
    assert there.counters.rooms == 0


async def test_a_room_that_a_member_enters_during_its_removal_stays(
    abandoned: tuple[Node, Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another node is faster: the log is longer than when it was read, and nothing is removed."""
    there, ada = abandoned
    log = keys.room_log(ada.room)

    async def come_back_elsewhere() -> None:
        came = ev.to_bytes(ev.MemberReconnected(there.journal.now_ms(), ada.player, "elsewhere"))
        await there.store.commit([Commit((Append(log, await there.store.length(log), (came,)),))])

    found = await found_as_it_is_let_go(there, ada.room, monkeypatch, come_back_elsewhere)
    assert found is not None
    assert found.room.nodes() == {"elsewhere"}

"""The writer of a room's log: what it does with a log that it cannot read, and with what waits for it."""

import pytest
from racetest import Client, GatedStore, Gather, Ledger, StartNode, until

from server.node import Node
from server.rooms import room_log
from server.store import keys
from server.store.port import Append, Commit


async def write_what_nobody_reads(where: Node, room: str) -> None:
    """Let a newer server, say, write an event into a room's log that this one does not know."""
    log = keys.room_log(room)
    entry = Append(log, await where.store.length(log), (b"?",))
    await where.store.commit([Commit((entry,))])


async def take_it_out(where: Node, room: str) -> None:
    """Let the log be as it was before that."""
    log = keys.room_log(room)
    entries = await where.store.read(log)
    await where.store.commit([Commit((Append(log, len(entries), (), ttl_s=0),))])
    await until(lambda: gone(where, log))
    await where.store.commit([Commit((Append(log, 0, entries[:-1]),))])


async def gone(where: Node, log: str) -> bool:
    return await where.store.length(log) == 0


async def test_an_unreadable_log_refuses_requests_and_ends_connections(
    node: StartNode, party: Gather, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Requests are refused as temporary, and all members are disconnected: another node may read it."""
    monkeypatch.setattr(room_log, "FIRST_PAUSE_MS", room_log.LONGEST_PAUSE_MS)
    where = await node()
    ada, ben = await party(where, "Ada", "Ben")
    await write_what_nobody_reads(where, ada.room)
    assert await ada.error_code("chat", text="hello?") == "store_unavailable"
    assert [(await each.closed())[0] for each in (ada, ben)] == [1011, 1011]
    assert [fault["event"] for fault in ledger.errors] == ["fault"]
    ledger.lines.clear()


async def test_an_unreadable_log_is_read_again_only_after_a_pause(
    node: StartNode, party: Gather, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many ask meanwhile: neither the store nor the log of the server is flooded."""
    monkeypatch.setattr(room_log, "FIRST_PAUSE_MS", room_log.LONGEST_PAUSE_MS)
    where = await node()
    (ada,) = await party(where, "Ada")
    await write_what_nobody_reads(where, ada.room)
    assert await ada.error_code("chat", text="hello?") == "store_unavailable"
    for _ in range(5):
        back = await ada.new_connection().open()
        await back.hello()
        assert await back.error_code("join", room=ada.room) == "store_unavailable"
    assert [fault["event"] for fault in ledger.errors] == ["fault"]
    ledger.lines.clear()


async def test_a_room_continues_when_its_log_can_be_read_again(
    node: StartNode, party: Gather, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing that was refused meanwhile is in it, and all that was remembered is."""
    monkeypatch.setattr(room_log, "FIRST_PAUSE_MS", 1)
    where = await node()
    ada, ben = await party(where, "Ada", "Ben")
    await write_what_nobody_reads(where, ada.room)
    assert await ada.error_code("lock", locked=True) == "store_unavailable"
    await ben.closed()
    await take_it_out(where, ada.room)

    async def came_back(who: Client) -> bool:
        await who.open()
        await who.hello()
        return bool((await who.ask("join", room=ada.room))["type"] == "room")

    back = ada.new_connection()
    await until(lambda: came_back(back))
    assert [message["locked"] for message in back.messages("room")] == [False]
    await back.do("lock", locked=True)
    ledger.lines.clear()


async def test_requests_that_wait_for_the_log_are_bounded(
    node: StartNode, party: Gather, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store may answer hours late; what people ask of the room meanwhile must not fill the memory."""
    monkeypatch.setattr(room_log, "MAX_WAITING", 3)
    where = await node()
    (ada,) = await party(where, "Ada")
    room = await where.rooms.find(ada.room)
    assert room is not None
    gate = GatedStore.of(where).reads
    gate.close(keys.room_log(ada.room))
    room.log.read_again()
    await gate.reached()
    for ref in range(101, 106):
        await ada.send(type="chat", ref=ref, text="hi")
    await ada.ask("ping")  # the server has all of them
    gate.open()
    answers = [await ada.answered(ref) for ref in range(101, 106)]
    assert [answer["type"] for answer in answers] == ["done"] * 3 + ["error"] * 2
    assert [answer["code"] for answer in answers[3:]] == ["store_unavailable"] * 2

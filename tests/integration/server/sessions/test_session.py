"""One connection: in order, in one encoding, not too fast, and never a surprise for the others."""

from contextlib import suppress
from typing import Any

import msgpack  # type: ignore[import-untyped]  # it brings no types
import pytest
from racetest import CODE, Client, Connect, Encoding, GatedStore, Gather, StartNode, solution, until, url_of
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from protocol import limits
from server import node as node_module
from server.core.rules import Rules
from server.sessions import session
from server.sessions.context import SessionLimits


async def test_a_client_may_send_everything_at_once(node: StartNode, party: Gather) -> None:
    """What must wait for the store holds back what comes after it: nobody has to wait for `welcome`."""
    where = await node()
    (ada,) = await party(where, "Ada", code=CODE)
    ben = await Client(url_of(where), "Ben").open()
    await ben.send(type="hello", ref=1, name="Ben")
    await ben.send(type="join", ref=2, room=ada.room)
    await ben.send(type="ready", ref=3)
    await ben.send(type="chat", ref=4, text="hello")
    await ben.expect("chat_message", text="hello")
    assert [message["ref"] for message in ben.received if message.get("ref")] == [1, 2, 3]
    await ben.expect("done", ref=4)
    await ben.close()


async def test_only_a_ping_is_allowed_before_hello(node: StartNode) -> None:
    """Each request is refused by its reference, and the connection stays."""
    ada = await Client(url_of(await node()), "Ada").open()
    assert (await ada.ask("ping"))["type"] == "pong"
    for request in ("create", "leave", "ready", "start_countdown", "get_game"):
        assert await ada.error_code(request) == "hello_required"
    assert await ada.error_code("join", room="BBBBB") == "hello_required"
    await ada.send(type="undo", race=1, n=1)
    assert (await ada.expect("error", request="undo", race=1, n=1))["code"] == "hello_required"
    assert (await ada.hello())["type"] == "welcome"
    assert await ada.error_code("hello", name="Ada") == "already_identified"
    await ada.close()


async def test_a_connection_without_hello_is_closed(node: StartNode, monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection costs something; one that never says who it is goes, one that has stays."""
    monkeypatch.setattr(node_module, "_UNIDENTIFIED_S", 0.01)
    where = await node()
    where.sessions.limits = SessionLimits(100, 100, hello_seconds=0.05)
    mute, ada = await Client(url_of(where), "?").open(), await Client(url_of(where), "Ada").open()
    await ada.hello()
    assert await mute.closed() == (4004, "No `hello` arrived within 10 seconds.")
    await ada.sync()
    await ada.close()


async def test_a_client_that_is_a_little_too_fast_is_refused_and_continues(
    node: StartNode, race: Gather
) -> None:
    """Moves beyond the burst are refused in their turn, not made, and may be sent again a moment later."""
    where = await node()
    ada, _ = await race(where, "Ada", "Ben")
    now = where.sessions.monotonic()
    where.sessions.limits = SessionLimits(messages_per_second=20.0, message_burst=8)
    where.sessions.monotonic = lambda: now
    ada = await ada.reconnect()  # `hello` and `join` leave six of the eight
    for number, step in enumerate(solution()[:8], start=1):
        await ada.send(type="move", n=number, **step)
    answers = [await ada.answer(number) for number in range(1, 9)]
    assert [answer["type"] for answer in answers] == ["accepted"] * 6 + ["refused"] * 2
    assert {(answer["code"], answer["expected"]) for answer in answers[6:]} == {("rate_limited", 7)}
    now += 1.0
    await ada.moves(solution()[6:12])


@pytest.mark.parametrize(
    "message",
    [
        {"type": "ping"},
        {"type": "ready"},
        {"type": "undo", "n": 1},
        {"type": "no_such_type"},
        {"type": "chat", "text": 7},
        {"type": "join", "room": "BBBBB"},
    ],
    ids=lambda message: message["type"],
)
async def test_a_client_that_floods_is_disconnected(
    node: StartNode, person: Connect, message: dict[str, Any]
) -> None:
    """Whatever it is that floods, the verdict is 4005, and the others notice nothing."""
    where = await node(messages_per_second=1.0, message_burst=10)
    ada, ben = await person(where, "Ada"), await person(where, "Ben")
    with suppress(ConnectionClosed):
        for _ in range(200):
            await ada.send(**message)
    assert await ada.closed() == (4005, "Too many messages for too long. Wait before you connect again.")
    assert len(ada.received) < 30
    await ben.sync()


async def test_messages_that_wait_behind_a_request_are_bounded_by_the_burst(
    node: StartNode, person: Connect
) -> None:
    """The store may be away for hours; what a client says meanwhile must not fill the memory."""
    where = await node(messages_per_second=1e6, message_burst=5)
    ada = await person(where, "Ada")
    gate = GatedStore.of(where).reads
    gate.close("{room:")
    await ada.send(type="join", ref=101, room="BBBBB")
    for ref in range(102, 109):
        await ada.send(type="get_game", ref=ref)
    await ada.ask("ping")  # answered at once: it measures the connection
    gate.open()
    await ada.answered(108)
    answers = [(message["ref"], message["code"]) for message in ada.received[-8:]]
    assert answers == [
        (101, "no_such_room"),
        *((ref, "not_in_room") for ref in range(102, 107)),
        (107, "rate_limited"),
        (108, "rate_limited"),
    ]


async def test_a_refused_request_costs_more(node: StartNode, person: Connect) -> None:
    """Somebody who tries passwords or names has fewer tries than somebody who plays has moves."""
    where = await node(messages_per_second=0.01, message_burst=31)
    ada = await person(where, "Ada")
    tries = 0
    while (await ada.ask("join", room="BBBBB"))["code"] == "no_such_room":
        tries += 1
    assert tries == 30 // limits.REFUSED_COST


@pytest.mark.parametrize("over", [False, True])
async def test_a_repeated_action_costs_by_the_actions_that_are_read_for_it(
    node: StartNode, race: Gather, monkeypatch: pytest.MonkeyPatch, over: bool
) -> None:
    """Its answer is found by carrying out all before it: twenty a second of 20,000 would stop the node."""
    where = await node()
    ada, ben = await race(where, "Ada", "Ben")
    await ada.moves(solution()[:20])
    if over:
        for each in (ada, ben):
            await each.act("forfeit")
        await ada.expect("race_ended")
    monkeypatch.setattr(session, "REREAD_PER_TOKEN", 1)
    now = where.sessions.monotonic()
    where.sessions.limits = SessionLimits(messages_per_second=20.0, message_burst=50)
    where.sessions.monotonic = lambda: now
    ada = await ada.reconnect()  # `hello` and `join` leave 48 of the 50, and each move takes 21
    for _ in "1234":
        await ada.send(type="move", n=20, **solution()[19])
    answers = sorted([(await ada.answer(20))["type"] for _ in "1234"])
    assert answers == ["accepted"] * 3 + ["refused"]


async def test_a_message_that_is_too_big_closes_only_its_connection(node: StartNode, party: Gather) -> None:
    """1009; a message of exactly the largest size is read."""
    where = await node()
    ada, ben = await party(where, "Ada", "Ben")
    message = {"type": "chat", "ref": 5, "text": "x", "padding": b"x" * 16_000}
    message["padding"] = b"x" * (16_000 + limits.MESSAGE_BYTES - len(msgpack.packb(message)))
    largest = msgpack.packb(message)
    assert len(largest) == limits.MESSAGE_BYTES
    await ben.socket.send(largest)
    await ben.expect("done", ref=5)
    await ben.socket.send(largest + b"x")
    assert (await ben.closed())[0] == 1009
    await ada.expect("member_disconnected", player=ben.player)
    await ada.sync()


async def test_unknown_fields_are_ignored(node: StartNode, person: Connect) -> None:
    """A newer client can talk to this server."""
    ada = await person(await node(), "Ada")
    assert (await ada.ask("ping", mood="curious", nested={"a": [1, 2]}))["type"] == "pong"


async def test_without_a_subprotocol_the_first_message_decides(node: StartNode) -> None:
    """Somebody who tries the server by hand need not know the names of the encodings."""
    where = await node()
    async with connect(url_of(where), proxy=None) as socket:
        await socket.send('{"type": "ping", "ref": 3}')
        assert '"ref":3' in str(await socket.recv())
        await socket.send(msgpack.packb({"type": "ping", "ref": 4}))
        answer = await socket.recv()
        assert isinstance(answer, bytes)
        assert msgpack.unpackb(answer)["ref"] == 4


async def test_a_wrong_kind_of_frame_is_a_bad_message(node: StartNode, person: Connect) -> None:
    """Who asked for MessagePack and sends text, or the other way round, is closed with 4001."""
    where = await node()
    ada, ben = await person(where, "Ada"), await person(where, "Ben", encoding="json")
    await ada.socket.send('{"type": "ping"}')
    assert (await ada.closed())[0] == 4001
    await ben.socket.send(msgpack.packb({"type": "ping"}))
    assert (await ben.closed())[0] == 4001


async def test_a_connection_that_breaks_leaves_nothing_behind(node: StartNode, person: Connect) -> None:
    """However it ends: the session, its subscriptions and its place in the room are released."""
    where = await node()
    ada = await person(where, "Ada")
    await ada.create(CODE)
    await ada.ask("subscribe_leaderboard", code=CODE)
    ada.abort()
    await until(lambda: not where.sessions.sessions)
    await where.sessions.leaderboards.send(CODE)


async def test_a_request_that_the_whole_room_receives_costs_more(node: StartNode, party: Gather) -> None:
    """Each line is kept and sent to everybody: somebody who floods a room with them is slowed down early."""
    where = await node()
    (ada,) = await party(where, "Ada")
    now = where.sessions.monotonic()
    where.sessions.limits = SessionLimits(messages_per_second=1.0, message_burst=42)
    where.sessions.monotonic = lambda: now
    ada = await ada.reconnect()  # `hello` and `join` leave 40 of the 42
    lines = 40 // limits.ROOM_EVENT_COST
    for ref in range(101, 103 + lines):
        await ada.send(type="chat", ref=ref, text="hi")
    answers = [(await ada.answered(ref))["type"] for ref in range(101, 103 + lines)]
    assert answers == ["done"] * lines + ["error"] * 2


async def test_the_chat_of_a_room_is_limited(node: StartNode, party: Gather, person: Connect) -> None:
    """Its people read why nobody says anything any more, come in, and race on; also after a restart."""
    rules = Rules(room_chat=5)
    where = await node(rules=rules)
    (ada,) = await party(where, "Ada")
    await ada.do("chat", text="hello")
    assert await ada.error_code("chat", text="hello?") == "chat_limit_reached"
    await where.stop()
    there = await node(rules=rules)
    ada = await ada.reconnect(url_of(there))
    assert await ada.error_code("chat", text="hello?") == "chat_limit_reached"
    ben = await person(there, "Ben")
    await ben.join(ada.room)
    await ben.do("ready")


async def test_the_log_of_a_room_is_limited(node: StartNode, party: Gather, person: Connect) -> None:
    """Its people hear why nothing happens any more; who wants to come in, too."""
    where = await node(rules=Rules(room_events=3))
    ada, _ = await party(where, "Ada", "Ben")
    eve = await person(where, "Eve")
    assert await ada.error_code("chat", text="still here?") == "room_log_full"
    assert await eve.error_code("join", room=ada.room) == "room_log_full"


@pytest.mark.parametrize("encoding", ["json", "msgpack"])
async def test_whole_floats_are_accepted_as_integers(node: StartNode, encoding: Encoding) -> None:
    """Game engines write every number as a float: such a client creates a room, races and is answered."""
    ada = await Client(url_of(await node(rules=Rules())), "Ada", encoding).open()
    await ada.send(type="hello", ref=1.0, name="Ada")
    await ada.send(type="create", ref=2.0, settings={"countdown_s": 0.0, "max_members": 5.0}, code=CODE)
    await ada.send(type="ready", ref=3.0)
    await ada.send(type="start_countdown", ref=4.0)
    await ada.expect("welcome", ref=1)
    assert (await ada.expect("room", ref=2))["settings"]["max_members"] == 5
    await ada.expect("done", ref=4)
    await ada.expect("race_started")
    step = {name: float(value) for name, value in solution()[0].items()}
    await ada.send(type="move", race=1.0, n=1.0, **step)
    assert (await ada.answer(1))["type"] == "accepted"
    await ada.send(type="undo", race=1.0, n=2.5)
    error = await ada.expect("error", request="undo", race=1)
    assert (error["code"], "`$.n`" in error["text"]) == ("bad_message", True)
    await ada.close()


async def test_a_message_with_floats_costs_one_token_more(node: StartNode, person: Connect) -> None:
    """Reading it takes a second decode."""
    where = await node()
    now = where.sessions.monotonic()
    where.sessions.limits = SessionLimits(messages_per_second=20.0, message_burst=10)
    where.sessions.monotonic = lambda: now
    ada = await person(where, "Ada")  # `hello` leaves nine of the ten
    for ref in (1.0, 2.0, 3.0, 4.0, 5.0, 6.0):
        await ada.send(type="ping", ref=ref)
    for ref in (1, 2, 3, 4, 5):
        await ada.expect("pong", ref=ref)
    assert (await ada.expect("error", ref=6))["code"] == "rate_limited"
    await ada.close()


async def test_an_unknown_type_is_answered_in_its_turn(node: StartNode) -> None:
    """A newer client finds out what this server has; the answers before and after it stay in order."""
    ada = await Client(url_of(await node()), "Ada").open()
    await ada.send(type="hello", ref=1, name="Ada")
    await ada.send(type="create", ref=2)
    await ada.send(type="dance", ref=3)
    await ada.send(type="chat", ref=4, text="")
    await ada.send(type="ready", ref=5)
    for ref in (3, 4):
        await ada.expect("error", ref=ref)
    await ada.expect("done", ref=5)
    answers = [(each["type"], each["ref"], each.get("request")) for each in ada.received if "ref" in each]
    assert answers == [
        ("welcome", 1, None),
        ("room", 2, None),
        ("error", 3, "dance"),
        ("error", 4, "chat"),
        ("done", 5, None),
    ]
    assert ada.received[2]["code"] == "unknown_type"
    await ada.close()

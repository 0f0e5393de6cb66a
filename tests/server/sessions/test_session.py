"""A client's connection: messages in order, answers in order, limits, and one dispatch of every request."""

from typing import Any

import pytest
from racetest import CODE
from roomtest import FakeClient, GatedMemoryStore, RoomNode, advance, idle, move, racing, session_context

from protocol import from_client as ask
from protocol import from_server as say
from protocol.close_codes import CloseCode
from protocol.codec import JSON_CODEC, MSGPACK_CODEC
from protocol.errors import ErrorCode
from protocol.from_client import FromClient
from protocol.limits import REFUSED_COST, ROOM_EVENT_COST
from protocol.notices import NoticeCode
from protocol.parts import Settings
from protocol.refusals import RefusalCode
from server.sessions import session as sessions
from server.sessions.context import SessionContext, SessionLimits
from server.store import keys


@pytest.fixture
async def context(here: RoomNode) -> SessionContext:
    """What the sessions of a node share."""
    return session_context(here)


async def identified(context: SessionContext, name: str = "Ada") -> FakeClient:
    """Return a client that has said hello, with nothing received."""
    client = FakeClient(context, name)
    await client.hello()
    client.received.clear()
    return client


def limited(here: RoomNode, rate: float, burst: float) -> SessionContext:
    return session_context(here, SessionLimits(messages_per_second=rate, message_burst=burst))


def answers_to_actions(client: FakeClient) -> list[tuple[str, int]]:
    return [
        ("accepted" if isinstance(answer, say.Accepted) else str(answer.code), answer.n)
        for answer in client.messages(say.Accepted, say.Refused, say.Error)
        if answer.n is not None
    ]


# The order of messages and answers.


async def test_a_client_may_send_everything_at_once(here: RoomNode, context: SessionContext) -> None:
    """What must wait for the store keeps what comes after it waiting; the answers come in order."""
    ada = FakeClient(context)
    settings = Settings(countdown_s=0)
    ada.send(
        ask.Hello(ref=1, name="Ada"),
        ask.Create(ref=2, settings=settings, code=CODE),
        ask.Ready(ref=3),
        ask.StartCountdown(ref=4),
        ask.Chat(ref=5, text="here I am"),
    )
    assert ada.received == []
    await idle()
    assert ada.answers() == [(1, "Welcome"), (2, "Room"), (3, "Done"), (4, "Done"), (5, "Done")]
    await here.tick()
    assert len(ada.messages(say.RaceStarted)) == 1


async def test_events_follow_the_snapshot(context: SessionContext) -> None:
    """What a client has sent before it was in the room is answered before the snapshot is made."""
    ada, ben = await identified(context), await identified(context, "Ben")
    room = await ada.create()
    ben.send(ask.SubscribeLeaderboard(ref=1, code=CODE), ask.Join(ref=2, room=room.room), ask.Ready(ref=3))
    await idle()
    assert [type(message).__name__ for message in ben.received] == [
        "Leaderboard",
        "Room",
        "ReadyChanged",
        "Done",
    ]


async def test_a_held_request_keeps_later_messages_waiting(
    context: SessionContext, store: GatedMemoryStore
) -> None:
    """Requests and actions alike; a ping is answered at once, because it measures the connection."""
    ada = await identified(context)
    store.reads.close(keys.room_log("BBBBB"))
    ada.send(ask.Join(ref=1, room="BBBBB"), ask.Leave(ref=2), move(1), ask.Ping(ref=3))
    await idle()
    assert ada.answers() == [(3, "Pong")]
    store.reads.open()
    await idle()
    assert ada.answers()[1:] == [(1, "no_such_room"), (2, "not_in_room")]
    assert answers_to_actions(ada) == [("not_racing", 1)]


async def test_a_request_that_reads_keeps_requests_waiting_but_no_actions(
    context: SessionContext, store: GatedMemoryStore
) -> None:
    """An action never waits for a request that only reads."""
    ada, ben = await racing(context, "Ada", "Ben")
    ada.received.clear()
    room = ada.session.room
    assert room is not None
    store.reads.close(keys.room_log(room.code))
    ada.send(ask.GetRecord(ref=1, race=1), ask.GetRecord(ref=2, race=2), move(1), ask.Ping(ref=3))
    await idle()
    assert answers_to_actions(ada) == [("accepted", 1)]
    assert ada.answers() == [(3, "Pong")]
    store.reads.open()
    await idle()
    assert ada.answers() == [(3, "Pong"), (1, "no_record"), (2, "no_record")]
    assert ben.closed is None


async def test_actions_are_released_in_order_with_the_requests(
    context: SessionContext, store: GatedMemoryStore
) -> None:
    """A return to the room, then the next moves, in one go."""
    ada, _ = await racing(context, "Ada", "Ben")
    ada.send(move(1))
    await idle()
    room = ada.session.room
    assert room is not None
    back = ada.new_connection()
    await back.hello()
    back.received.clear()
    store.reads.close("race:1")
    race = room.race
    assert race is not None
    assert back.session.player in race.games
    race.games[back.session.player].invalidate()
    back.send(ask.Join(ref=2, room=room.code), move(2), ask.Ready(ref=3), move(3))
    await idle()
    assert back.received == []
    store.reads.open()
    await idle()
    assert back.answers() == [(2, "Room"), (3, "race_running")]
    assert answers_to_actions(back) == [("accepted", 2), ("accepted", 3)]
    assert ada.closed == CloseCode.REPLACED


BAD_MOVE = '{"type":"move","race":1,"n":2,"from":0,"to":1,"cards":"x"}'


async def test_the_error_for_an_action_takes_the_turn_of_its_answer(
    context: SessionContext, store: GatedMemoryStore
) -> None:
    """It waits for earlier actions, as they wait for the store; it does not wait for requests."""
    ada, _ = await racing(context, "Ada", "Ben")
    ada.received.clear()
    room = ada.session.room
    assert room is not None
    store.reads.close(keys.room_log(room.code))
    store.commits.close("race:1")
    ada.send(ask.GetRecord(ref=1, race=1), move(1))
    ada.send_text(BAD_MOVE)
    ada.send(move(1, race=2), move(2))
    await idle()
    assert ada.received == []
    store.commits.open()
    await idle()
    assert answers_to_actions(ada) == [
        ("accepted", 1),
        ("bad_message", 2),
        ("wrong_race", 1),
        ("accepted", 2),
    ]
    assert ada.answers() == []
    store.reads.open()
    await idle()
    assert ada.answers() == [(1, "no_record")]


async def test_the_error_for_an_action_waits_for_actions_that_a_request_holds(
    context: SessionContext, store: GatedMemoryStore
) -> None:
    """A client that is not in a room yet sends moves behind its `join`."""
    ada = await identified(context)
    store.reads.close(keys.room_log("BBBBB"))
    ada.send(ask.Join(ref=1, room="BBBBB"), move(1))
    ada.send_text(BAD_MOVE)
    ada.send(move(3))
    await idle()
    assert ada.received == []
    store.reads.open()
    await idle()
    assert answers_to_actions(ada) == [("not_racing", 1), ("bad_message", 2), ("not_racing", 3)]


async def test_answers_that_wait_are_bounded(
    context: SessionContext, store: GatedMemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client whose actions are bad and whose request waits is disconnected at the bound."""
    monkeypatch.setattr(sessions, "MAX_UNANSWERED", 5)
    ada = await identified(context)
    store.reads.close(keys.room_log("BBBBB"))
    ada.send(ask.Join(ref=1, room="BBBBB"))
    ada.send_text(*[BAD_MOVE] * 5)
    assert ada.closed is None
    ada.send_text(BAD_MOVE)
    assert ada.closed == CloseCode.RATE_LIMITED


async def test_what_waits_is_bounded_by_the_burst(here: RoomNode, store: GatedMemoryStore) -> None:
    """Requests and actions beyond it are refused in their turn; the connection stays."""
    context = limited(here, 1e6, 6)
    ada = await identified(context)
    store.reads.close(keys.room_log("BBBBB"))
    waiting: list[FromClient] = [ask.GetGame(ref=ref) for ref in range(2, 9)]
    for message in (ask.Join(ref=1, room="BBBBB"), *waiting, move(9)):
        ada.send(message)
        await advance(0.001)
    assert ada.received == []
    store.reads.open()
    await idle()
    assert answers_to_actions(ada) == [("rate_limited", 9)]
    expected = [(1, "no_such_room"), *((ref, "not_in_room") for ref in range(2, 8)), (8, "rate_limited")]
    assert ada.answers() == expected


async def test_requests_without_an_answer_are_bounded(
    context: SessionContext, store: GatedMemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store may be unavailable for hours: a client that sends more is disconnected."""
    monkeypatch.setattr(sessions, "MAX_UNANSWERED", 3)
    ada = await identified(context)
    await ada.create()
    store.commits.close()
    closed = []
    for ref in range(1, 5):
        ada.send(ask.Chat(ref=ref, text="x"))
        closed.append(ada.closed)
    assert closed == [None, None, None, CloseCode.RATE_LIMITED]
    store.commits.open()


# Bad input.


BAD_INPUT: list[tuple[str, dict[str, Any]]] = [
    ('{"type": "no_such_type", "ref": 2}', {"ref": 2, "request": "no_such_type", "code": "unknown_type"}),
    ('{"type": "chat", "ref": 2, "text": 7}', {"ref": 2, "request": "chat", "code": "bad_message"}),
    (
        '{"type": "move", "race": 4, "n": 5, "from": 0}',
        {"request": "move", "race": 4, "n": 5, "code": "bad_message"},
    ),
]


@pytest.mark.parametrize(("text", "expected"), BAD_INPUT, ids=["type", "field", "action"])
async def test_bad_input_is_answered_in_its_turn(
    context: SessionContext, store: GatedMemoryStore, text: str, expected: dict[str, Any]
) -> None:
    """The answer takes its place among those of the requests, and repeats what could be read."""
    ada = await identified(context)
    store.reads.close(keys.room_log("BBBBB"))
    ada.send(ask.Join(ref=1, room="BBBBB"))
    ada.send_text(text)
    ada.send(ask.GetGame(ref=3))
    await idle()
    assert ada.received == []
    store.reads.open()
    await idle()
    first, error, last = ada.messages(say.Error)
    assert (first.ref, last.ref) == (1, 3)
    assert {name: getattr(error, name) for name in expected} == expected
    assert error.text
    assert ada.closed is None


async def test_input_in_no_encoding_ends_the_connection(context: SessionContext) -> None:
    """After an error that says so."""
    ada = await identified(context)
    ada.send_text("{")
    (error,) = ada.messages(say.Error)
    assert error.code == ErrorCode.UNDECODABLE
    assert ada.closed == CloseCode.BAD_MESSAGE


@pytest.mark.parametrize(
    ("subprotocol", "data"),
    [
        (MSGPACK_CODEC.subprotocol, '{"type": "ping"}'),
        (JSON_CODEC.subprotocol, MSGPACK_CODEC.encode(ask.Ping())),
    ],
)
async def test_a_negotiated_encoding_is_kept(
    context: SessionContext, subprotocol: str, data: bytes | str
) -> None:
    """A frame of the other kind is undecodable."""
    codec = MSGPACK_CODEC if subprotocol == MSGPACK_CODEC.subprotocol else JSON_CODEC
    ada = FakeClient(context, subprotocol=subprotocol, codec=codec)
    ada.session.received(data)
    assert ada.closed == CloseCode.BAD_MESSAGE


async def test_without_a_subprotocol_the_client_s_encoding_is_used(context: SessionContext) -> None:
    """Each answer is in the encoding of the latest message."""
    ada = FakeClient(context)
    ada.session.received(JSON_CODEC.encode(ask.Ping(ref=1)).decode())
    ada.connection.codec = MSGPACK_CODEC
    ada.session.received(MSGPACK_CODEC.encode(ask.Ping(ref=2)))
    assert [pong.ref for pong in ada.messages(say.Pong)] == [1, 2]


# Limits.


async def test_messages_beyond_the_rate_are_refused_in_their_turn(here: RoomNode) -> None:
    """Not carried out; a moment later they may be sent again."""
    ada, _ = await racing(session_context(here), "Ada", "Ben")
    back = FakeClient(limited(here, 10.0, 12))
    back.welcome = ada.welcome
    await back.hello()
    assert ada.session.room is not None
    await back.join(ada.session.room.code)  # ten of the twelve tokens are left
    back.send(*(move(n) for n in range(1, 13)))
    await idle()
    accepted = [("accepted", n) for n in range(1, 11)]
    assert answers_to_actions(back) == [*accepted, ("rate_limited", 11), ("rate_limited", 12)]
    await advance(2)
    back.received.clear()
    back.send(move(11))
    await idle()
    assert answers_to_actions(back) == [("accepted", 11)]


@pytest.mark.parametrize(
    "text",
    [
        '{"type": "ping"}',
        '{"type": "ready"}',
        '{"type": "undo", "race": 1, "n": 1}',
        '{"type": "no_such_type"}',
        '{"type": "join", "room": "BBBBB"}',
    ],
)
async def test_a_client_that_floods_is_disconnected(here: RoomNode, text: str) -> None:
    """Whatever it floods with: a few refusals, then the close code."""
    ada = await identified(limited(here, 1.0, 10))
    for _ in range(200):
        ada.send_text(text)
        if ada.closed is not None:
            break
        await idle()
    assert ada.closed == CloseCode.RATE_LIMITED
    assert len(ada.received) < 30


@pytest.mark.parametrize(
    ("request_", "cost"), [(ask.Leave(), REFUSED_COST), (ask.Chat(text="x"), ROOM_EVENT_COST)]
)
async def test_some_requests_cost_more_than_others(here: RoomNode, request_: FromClient, cost: int) -> None:
    """A refused one, because it may be a guess; one that the whole room receives, because it is kept."""
    in_room = isinstance(request_, ask.Chat)
    ada = await identified(limited(here, 1e-6, 10 * cost + (2 if in_room else 1)))
    if in_room:
        await ada.create()
    ada.received.clear()
    for _ in range(12):
        ada.send(request_)
        await idle()
    refused = [error.code for error in ada.messages(say.Error)].count(ErrorCode.RATE_LIMITED)
    assert 12 - refused == 10


async def test_a_charge_is_taken_from_the_bucket(here: RoomNode, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the number of actions that are read again."""
    monkeypatch.setattr(sessions, "REREAD_PER_TOKEN", 2)
    ada = await identified(limited(here, 1e-6, 20))
    ada.session.charge(34)
    ada.send(ask.Ping(ref=1), ask.Ping(ref=2), ask.Ping(ref=3))
    assert ada.answers() == [(1, "Pong"), (2, "Pong"), (3, "rate_limited")]


# The dispatch.


BEFORE_HELLO: list[FromClient] = [
    ask.Create(ref=9),
    ask.Join(ref=9, room="BBBBB"),
    ask.Leave(ref=9),
    ask.Ready(ref=9),
    ask.StartCountdown(ref=9),
    ask.CancelCountdown(ref=9),
    ask.Configure(ref=9, settings=Settings()),
    ask.Lock(ref=9),
    ask.Kick(ref=9, player="x"),
    ask.Chat(ref=9, text="x"),
    ask.GetGame(ref=9),
    ask.GetBoard(ref=9, player="x"),
    ask.GetRecord(ref=9, race=1),
    ask.SubscribeLeaderboard(ref=9, code=CODE),
    ask.UnsubscribeLeaderboard(ref=9, code=CODE),
]
"""Every request but `hello` and `ping`."""

IN_ROOM = BEFORE_HELLO[2:13]
"""Every request that needs a room."""

ACTIONS: list[FromClient] = [
    move(1, race=2),
    ask.AutoMove(race=2, n=1, source=0),
    ask.Undo(race=2, n=1),
    ask.Restart(race=2, n=1),
    ask.Forfeit(race=2, n=1),
]
"""Every action."""


def name_of(message: FromClient) -> str:
    return type(message).__name__


def test_every_message_of_a_client_is_dispatched_in_these_tests() -> None:
    """A new message belongs into one of the lists above."""
    listed = {type(message) for message in (*BEFORE_HELLO, *ACTIONS)} | {ask.Hello, ask.Ping}
    assert listed == set(ask.FromClient.__args__)


@pytest.mark.parametrize("request_", BEFORE_HELLO, ids=name_of)
async def test_a_request_before_hello_is_refused(context: SessionContext, request_: FromClient) -> None:
    """The connection stays."""
    ada = FakeClient(context)
    ada.send(request_)
    (error,) = ada.messages(say.Error)
    assert (error.ref, error.code) == (9, ErrorCode.HELLO_REQUIRED)
    assert error.request == request_.__struct_config__.tag
    assert ada.closed is None


@pytest.mark.parametrize("action", ACTIONS, ids=name_of)
async def test_an_action_before_hello_is_an_error(context: SessionContext, action: FromClient) -> None:
    """It repeats the race and the number."""
    ada = FakeClient(context)
    ada.send(action)
    (error,) = ada.messages(say.Error)
    assert (error.code, error.race, error.n) == (ErrorCode.HELLO_REQUIRED, 2, 1)
    assert error.request == action.__struct_config__.tag


@pytest.mark.parametrize("request_", IN_ROOM, ids=name_of)
async def test_a_request_without_a_room_is_refused(context: SessionContext, request_: FromClient) -> None:
    ada = await identified(context)
    ada.send(request_)
    await idle()
    assert ada.answers() == [(9, "not_in_room")]


@pytest.mark.parametrize("where", ["no room", "a room"])
@pytest.mark.parametrize("action", ACTIONS, ids=name_of)
async def test_an_action_without_a_race_is_refused(
    context: SessionContext, action: FromClient, where: str
) -> None:
    """With race and number; what a room says of a race that it does not have is `wrong_race`."""
    ada = await identified(context)
    if where == "a room":
        await ada.create()
    ada.send(action)
    (refused,) = ada.messages(say.Refused)
    expected = RefusalCode.NOT_RACING if where == "no room" else RefusalCode.WRONG_RACE
    assert (refused.code, refused.race, refused.n) == (expected, 2, 1)


async def test_a_ping_is_answered_with_the_clock(here: RoomNode, context: SessionContext) -> None:
    """At any time, also before `hello`."""
    ada = FakeClient(context)
    ada.send(ask.Ping(ref=5))
    assert ada.received == [say.Pong(ref=5, clock_ms=here.now_ms())]


# The end of a connection.


async def test_a_connection_that_ends_leaves_nothing_behind(context: SessionContext) -> None:
    """Neither in the room nor in the leaderboards nor in the lists of the node."""
    ada, ben = await identified(context), await identified(context, "Ben")
    room = await ada.create()
    await ben.join(room.room)
    await ada.ask(ask.SubscribeLeaderboard(ref=8, code=CODE))
    ada.end()
    await idle()
    assert ada.session.gone
    assert context.sessions == {ben.session}
    assert context.leaderboards._subscribers == {}
    assert [message.player for message in ben.messages(say.MemberDisconnected)] == [ada.session.player]


async def test_an_unidentified_connection_is_known_until_hello(context: SessionContext) -> None:
    """The node closes those that never say hello."""
    ada, ben = FakeClient(context), FakeClient(context, "Ben")
    await ada.hello()
    assert context.unidentified == {ben.session}
    ben.end()
    assert context.unidentified == set()


async def test_messages_that_wait_end_with_the_connection(
    context: SessionContext, store: GatedMemoryStore
) -> None:
    """They are not handled for a client that is gone."""
    ada = await identified(context)
    store.reads.close(keys.room_log("BBBBB"))
    ada.send(ask.Join(ref=1, room="BBBBB"), ask.Create(ref=2))
    await idle()
    ada.end()
    store.reads.open()
    await idle()
    assert context.rooms._rooms == {}


async def test_a_replaced_connection_is_told_why(context: SessionContext) -> None:
    """A notice in its language, then the close code; the room does not see its end."""
    ada = await identified(context)
    ada.session.introduce("Ada", "zh-Hant")
    room = await ada.create()
    back = ada.new_connection()
    await back.hello()
    await back.join(room.room)
    (notice,) = ada.messages(say.Notice)
    assert (notice.code, notice.text) == (NoticeCode.REPLACED, NoticeCode.REPLACED.text("zh-Hant"))
    assert ada.closed == CloseCode.REPLACED
    ada.end()
    await idle()
    assert back.messages(say.MemberDisconnected) == []


@pytest.mark.parametrize(
    ("ending", "code"), [("failed", CloseCode.INTERNAL), ("overran", CloseCode.RATE_LIMITED)]
)
async def test_a_room_can_end_a_connection(context: SessionContext, ending: str, code: CloseCode) -> None:
    ada = await identified(context)
    getattr(ada.session, ending)()
    assert ada.closed == code


async def test_a_bug_in_background_work_ends_the_connection(here: RoomNode, context: SessionContext) -> None:
    """The client must not wait for its answer; the bug is reported."""
    ada = await identified(context)

    async def bug() -> None:
        raise ValueError("a bug")

    ada.session.spawn(bug())
    await idle()
    assert ada.closed == CloseCode.INTERNAL
    assert [str(fault) for fault in here.faults] == ["a bug"]
    here.faults.clear()

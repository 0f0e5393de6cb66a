"""Hello, create, join and leave: identities, limits, refusals, and what is counted."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from roomtest import FakeClient, GatedMemoryStore, RoomNode, idle, racing, session_context

from protocol import from_client as ask
from protocol import from_server as say
from protocol.close_codes import CloseCode
from protocol.errors import ErrorCode
from protocol.from_client import FromClient
from protocol.parts import Settings
from protocol.version import VERSION
from server.core.token_bucket import Quota
from server.sessions.context import SessionContext
from server.store import keys
from server.store.port import StoreUnavailable

WORD = "sesame"


@pytest.fixture
async def context(here: RoomNode) -> SessionContext:
    """What the sessions of a node share."""
    return session_context(here)


@pytest.fixture(autouse=True)
def _hash_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash passwords without a thread: virtual time would not wait for it."""

    async def to_thread(function: Callable[..., Any], *arguments: Any) -> Any:
        return function(*arguments)

    monkeypatch.setattr(asyncio, "to_thread", to_thread)


async def somebody(context: SessionContext, name: str = "Ada", **connection: Any) -> FakeClient:
    client = FakeClient(context, name, **connection)
    await client.hello()
    return client


async def why_not(client: FakeClient, request: FromClient) -> str:
    """Return the code of the error that a request gets."""
    error = await client.ask(request)
    assert isinstance(error, say.Error)
    return str(error.code)


def entries(store: GatedMemoryStore, client: FakeClient) -> int:
    """Return how many entries the log of a client's identity has."""
    return len(store.entries(keys.player_log(client.session.player)))


# Hello.


async def test_a_new_client_gets_an_identity(here: RoomNode, context: SessionContext) -> None:
    """Once it is committed: an id that others see, and a token that only the client gets."""
    ada, ben = await somebody(context), await somebody(context, "Ben")
    (welcome,) = ada.received
    assert isinstance(welcome, say.Welcome)
    assert (welcome.ref, welcome.protocol, welcome.server) == (1, VERSION, "simon-race/test")
    assert (welcome.name, welcome.clock_ms) == ("Ada", here.now_ms())
    assert welcome.token
    assert welcome.player == ada.session.player != ben.session.player
    assert welcome.token.encode() not in b"".join(here.store.entries(keys.player_log(welcome.player)))


async def test_a_token_proves_the_identity(context: SessionContext) -> None:
    """The token is not sent again; the name may be another one."""
    ada = await somebody(context)
    back = ada.new_connection()
    back.name = "Ada L."
    welcome = await back.hello()
    assert (welcome.player, welcome.name, welcome.token) == (ada.session.player, "Ada L.", None)


@pytest.mark.parametrize("wrong", ["token", "player", "no token", "no player"])
async def test_a_wrong_token_ends_the_connection(context: SessionContext, wrong: str) -> None:
    """After an error; the session belongs to nobody."""
    ada = await somebody(context)
    assert ada.welcome is not None
    player = {"player": "nobody", "no player": None}.get(wrong, ada.welcome.player)
    token = {"token": "guessed", "no token": None}.get(wrong, ada.welcome.token)
    thief = FakeClient(context)
    thief.send(ask.Hello(ref=1, name="Ada", player=player, token=token), ask.Create(ref=2))
    await idle()
    assert thief.answers() == [(1, "bad_token")]
    assert thief.closed == CloseCode.BAD_TOKEN
    assert thief.session.player == ""


async def test_a_client_says_hello_once(context: SessionContext) -> None:
    ada = await somebody(context)
    assert await why_not(ada, ask.Hello(ref=2, name="Ada")) == "already_identified"


async def test_a_bad_name_can_be_corrected(context: SessionContext) -> None:
    """Nothing was taken from what the address may have."""
    context.players_quota = Quota(rate=1e-6, burst=1)
    ada = FakeClient(context)
    assert await why_not(ada, ask.Hello(ref=9, name=" ")) == "bad_name"
    assert (await ada.hello()).name == "Ada"


async def test_new_identities_are_limited_by_address(context: SessionContext) -> None:
    """Known players are not counted, nor are those of another address."""
    context.players_quota = Quota(rate=1e-6, burst=1)
    ada = await somebody(context)
    ben = FakeClient(context, "Ben")
    assert await why_not(ben, ask.Hello(ref=1, name="Ben")) == "too_many_players"
    await ada.new_connection().hello()
    await somebody(context, "Cyd", address="192.0.2.2")


async def test_an_identity_that_could_not_be_stored_is_not_counted(
    here: RoomNode, context: SessionContext
) -> None:
    """The client tries again, and must not wait for long when the store is back."""
    context.players_quota = Quota(rate=1e-6, burst=1)
    ada = FakeClient(context)
    here.journal.full = True
    assert await why_not(ada, ask.Hello(ref=9, name="Ada")) == "store_unavailable"
    here.journal.full = False
    await ada.hello()


async def test_an_unavailable_store_refuses_a_known_player(
    context: SessionContext, store: GatedMemoryStore
) -> None:
    """The connection stays; the client may try again."""
    ada = await somebody(context)
    back = ada.new_connection()
    store.fault = StoreUnavailable("gone")
    assert ada.welcome is not None
    hello = ask.Hello(ref=9, name="Ada", player=ada.welcome.player, token=ada.welcome.token)
    assert await why_not(back, hello) == "store_unavailable"
    store.fault = None
    assert (await back.hello()).player == ada.session.player


async def test_client_programs_are_counted_and_logged(here: RoomNode, context: SessionContext) -> None:
    """The first `hello` of a program at level info, further ones at level debug."""
    for _ in "12":
        FakeClient(context).send(ask.Hello(name="Ada", client="example/1.0"))
        await idle()
    assert [(level, fields["client"]) for level, event, fields in here.log.lines if event == "hello"] == [
        ("info", "example/1.0"),
        ("debug", "example/1.0"),
    ]
    assert context.programs.hellos["example/1.0"] == 2


# Create.


async def test_a_room_is_as_its_settings_say(context: SessionContext) -> None:
    """Its creator is its owner and host; a named code decides the number of suits."""
    ada = await somebody(context)
    settings = Settings(max_members=4, live_boards=True, countdown_s=3)
    room = await ada.ask(ask.Create(ref=2, settings=settings, code=" ss1-s2-aaaaabd "))
    assert isinstance(room, say.Room)
    assert (room.you, room.host, room.owner) == (ada.session.player,) * 3
    assert (room.settings.max_members, room.settings.suits, room.named_code) == (4, 2, True)
    assert ada.session.room is not None
    assert ada.session.room.code == room.room


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (ask.Create(ref=2, settings=Settings(suits=3)), "bad_settings"),
        (ask.Create(ref=2, code="nonsense"), "bad_code"),
    ],
)
async def test_a_room_that_cannot_be_is_not_counted(
    context: SessionContext, request_: ask.Create, code: str
) -> None:
    """The address may still open its room."""
    context.rooms_quota = Quota(rate=1e-6, burst=1)
    ada = await somebody(context)
    assert await why_not(ada, request_) == code
    await ada.create()


async def test_rooms_are_limited_by_address(context: SessionContext) -> None:
    context.rooms_quota = Quota(rate=1e-6, burst=1)
    ada, ben = await somebody(context), await somebody(context, "Ben")
    cyd = await somebody(context, "Cyd", address="192.0.2.2")
    await ada.create()
    assert await why_not(ben, ask.Create(ref=2)) == "too_many_rooms"
    await cyd.create()


async def test_a_room_that_could_not_be_stored_is_not_counted(
    here: RoomNode, context: SessionContext
) -> None:
    context.rooms_quota = Quota(rate=1e-6, burst=1)
    ada = await somebody(context)
    here.journal.full = True
    assert await why_not(ada, ask.Create(ref=2)) == "store_unavailable"
    here.journal.full = False
    await ada.create()


async def test_a_client_in_a_room_opens_none(context: SessionContext) -> None:
    ada = await somebody(context)
    await ada.create()
    assert await why_not(ada, ask.Create(ref=5)) == "already_in_room"


async def test_a_server_that_is_about_to_stop_opens_no_rooms(context: SessionContext) -> None:
    """Rooms that exist can still be entered."""
    ada, ben = await somebody(context), await somebody(context, "Ben")
    room = await ada.create()
    context.stop_serving()
    assert await why_not(ben, ask.Create(ref=2)) == "draining"
    assert isinstance(await ben.join(room.room), say.Room)


# Join.


async def test_a_room_is_found_by_its_code_in_any_case(context: SessionContext) -> None:
    """A typo never opens a room."""
    ada, ben = await somebody(context), await somebody(context, "Ben")
    room = await ada.create()
    assert await why_not(ben, ask.Join(ref=3, room=room.room + "X")) == "no_such_room"
    joined = await ben.join(f" {room.room.lower()} ")
    assert isinstance(joined, say.Room)
    assert [member.name for member in joined.members] == ["Ada", "Ben"]


async def test_a_client_is_in_one_room_at_a_time(context: SessionContext) -> None:
    """A second join of the same room shows it again."""
    ada, ben = await somebody(context), await somebody(context, "Ben")
    room = await ada.create()
    await ben.create()
    assert await why_not(ben, ask.Join(ref=3, room=room.room)) == "already_in_room"
    assert isinstance(await ada.join(room.room), say.Room)
    assert (await ben.ask(ask.Leave(ref=4))) == say.Done(ref=4)
    assert isinstance(await ben.join(room.room), say.Room)


async def test_a_racer_returns_with_a_new_connection(context: SessionContext) -> None:
    """With `seen` the answer is `resumed`, and the older connection is replaced."""
    ada, ben = await racing(context, "Ada", "Ben")
    seen = ada.messages(say.RaceStarted)[0].seq
    await ben.ask(ask.Chat(ref=6, text="one"))
    back = ada.new_connection()
    await back.hello()
    assert ada.session.room is not None
    resumed = await back.join(ada.session.room.code, seen=seen)
    assert isinstance(resumed, say.Resumed)
    assert resumed.game is not None
    assert [message.text for message in back.messages(say.ChatMessage)] == ["one"]
    assert ada.closed == CloseCode.REPLACED


async def test_an_unavailable_store_refuses_a_join(context: SessionContext, store: GatedMemoryStore) -> None:
    """Nothing is counted, and the next request is handled."""
    ada = await somebody(context)
    store.fault = StoreUnavailable("gone")
    assert await why_not(ada, ask.Join(ref=3, room="BBBBB")) == "store_unavailable"
    store.fault = None
    assert await why_not(ada, ask.Join(ref=4, room="BBBBB")) == "no_such_room"


async def test_a_connection_that_ends_before_it_is_attached_is_disconnected(
    context: SessionContext, store: GatedMemoryStore
) -> None:
    """Its member is in the room, but not connected."""
    ada, ben = await somebody(context), await somebody(context, "Ben")
    room = await ada.create()
    store.commits.close(keys.room_log(room.room))
    ben.send(ask.Join(ref=3, room=room.room))
    await store.commits.reached()
    ben.end()
    store.commits.open()
    await idle()
    assert len(ada.messages(say.MemberJoined)) == len(ada.messages(say.MemberDisconnected)) == 1


async def test_an_owner_whose_connection_ends_before_the_room_is_open_is_disconnected(
    context: SessionContext, store: GatedMemoryStore
) -> None:
    ada, ben = await somebody(context), await somebody(context, "Ben")
    store.commits.close("{room:")
    ada.send(ask.Create(ref=2))
    await store.commits.reached()
    ada.end()
    store.commits.open()
    await idle()
    (log,) = store.commits.held
    room = await ben.join(log.removeprefix("{room:").removesuffix("}:log"))
    assert isinstance(room, say.Room)
    assert [(member.name, member.connected) for member in room.members] == [("Ada", False), ("Ben", True)]


async def test_an_identity_is_settled_by_entering_a_room(
    context: SessionContext, store: GatedMemoryStore
) -> None:
    """By opening one, or by entering one; others are forgotten soon."""
    ada, ben, cyd = [await somebody(context, name) for name in ("Ada", "Ben", "Cyd")]
    room = await ada.create()
    await ben.join(room.room)
    await idle()
    assert [entries(store, client) for client in (ada, ben, cyd)] == [2, 2, 1]
    back = cyd.new_connection()
    await back.hello()
    await back.join(room.room)
    await idle()
    assert entries(store, cyd) == 2
    assert back.session.newcomer is None


# Passwords.


async def locked(context: SessionContext) -> tuple[FakeClient, str]:
    """Return the owner of a room with a password, and its code."""
    ada = await somebody(context)
    room = await ada.ask(ask.Create(ref=2, password=WORD))
    assert isinstance(room, say.Room)
    assert room.has_password
    return ada, room.room


async def test_only_newcomers_need_the_password(context: SessionContext) -> None:
    """A member returns without it, or with a wrong one."""
    _, code = await locked(context)
    ben = await somebody(context, "Ben")
    assert await why_not(ben, ask.Join(ref=3, room=code)) == "wrong_password"
    assert await why_not(ben, ask.Join(ref=4, room=code, password=WORD.upper())) == "wrong_password"
    assert isinstance(await ben.ask(ask.Join(ref=5, room=code, password=WORD)), say.Room)
    for password in (None, "forgotten"):
        back = ben.new_connection()
        await back.hello()
        assert isinstance(await back.ask(ask.Join(ref=6, room=code, password=password)), say.Room)


async def test_wrong_passwords_are_limited_by_room_and_address(context: SessionContext) -> None:
    """However many connections guess; right ones are not counted, and other addresses are not affected."""
    context.password_tries = Quota(rate=1e-6, burst=2)
    _, code = await locked(context)
    ben, cyd = await somebody(context, "Ben"), await somebody(context, "Cyd")
    dan = await somebody(context, "Dan", address="192.0.2.2")
    right, wrong = ask.Join(ref=3, room=code, password=WORD), ask.Join(ref=4, room=code, password="guess")  # noqa: S106
    for _ in "123":
        assert isinstance(await ben.ask(right), say.Room)
        await ben.ask(ask.Leave(ref=5))
    for client in (ben, cyd):
        assert await why_not(client, wrong) == "wrong_password"
    for client in (ben, cyd):
        assert await why_not(client, right) == "too_many_tries"
    assert isinstance(await dan.ask(right), say.Room)


async def test_what_is_no_guess_is_not_counted(context: SessionContext, store: GatedMemoryStore) -> None:
    """A password for no room, for a room without one, or one that the store kept from being checked."""
    context.password_tries = Quota(rate=1e-6, burst=1)
    ada, code = await locked(context)
    ben = await somebody(context, "Ben")
    right = ask.Join(ref=3, room=code, password=WORD)
    for _ in "12":
        assert await why_not(ben, ask.Join(ref=3, room="CCCCC", password=WORD)) == "no_such_room"
    await ada.ask(ask.Leave(ref=5))
    open_room = await ada.create()
    assert isinstance(await ben.ask(ask.Join(ref=3, room=open_room.room, password=WORD)), say.Room)
    await ben.ask(ask.Leave(ref=5))
    assert isinstance(await ben.ask(right), say.Room)
    assert store.fault is None


# Leave.


async def test_a_member_who_leaves_gets_the_event_and_the_answer(context: SessionContext) -> None:
    """In this order; afterwards the client is in no room."""
    ada, ben = await somebody(context), await somebody(context, "Ben")
    room = await ada.create()
    await ben.join(room.room)
    ben.received.clear()
    ben.send(ask.Leave(ref=4), ask.Leave(ref=5))
    await idle()
    assert [type(message).__name__ for message in ben.received] == ["MemberLeft", "Done", "Error"]
    assert ben.answers() == [(4, "Done"), (5, "not_in_room")]
    assert ben.session.room is None


async def test_a_leave_that_the_store_does_not_take_is_refused(
    here: RoomNode, context: SessionContext
) -> None:
    """The member is still in the room."""
    ada = await somebody(context)
    await ada.create()
    here.journal.full = True
    assert await why_not(ada, ask.Leave(ref=4)) == ErrorCode.STORE_UNAVAILABLE
    here.journal.full = False
    assert await ada.ask(ask.Leave(ref=5)) == say.Done(ref=5)

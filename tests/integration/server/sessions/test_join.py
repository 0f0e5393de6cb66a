"""Hello, create, join, leave: how a connection becomes somebody, somewhere."""

import json
from typing import Any

import pytest
from racetest import CODE, Client, Connect, Gather, Ledger, Message, StartNode, url_of
from websockets.asyncio.client import connect

from protocol import limits
from server.core.rules import Rules
from server.core.token_bucket import Quota
from server.sessions.context import SessionLimits
from server.store import keys
from server.store.port import Append, Commit

WORD = "sesame"


async def test_a_first_hello_makes_an_identity_and_a_later_one_proves_it(
    node: StartNode, person: Connect
) -> None:
    """The token is shown once; with it one is the same player on any node of the cluster."""
    here, there = await node(), await node()
    ada = await person(here, "Ada")
    welcome = ada.received[0]
    assert welcome | {"player": "", "token": "", "clock_ms": 0} == {
        "type": "welcome",
        "ref": 1,
        "protocol": 1,
        "server": "simon-race/0.1.0",
        "player": "",
        "token": "",
        "name": "Ada",
        "clock_ms": 0,
    }
    assert len(welcome["token"]) >= 32
    again = await ada.new_connection(url_of(there)).open()
    back = await again.hello(name="Ada Lovelace")
    assert (back["player"], back["name"]) == (ada.player, "Ada Lovelace")
    assert "token" not in back


async def test_client_programs_are_logged(node: StartNode, ledger: Ledger) -> None:
    """The first of each program and version at level info, the others at level debug."""
    where = url_of(await node())
    players = []
    for client in ("example/1.0", "example/2.0", "example/1.0", "not what it should be"):
        ada = await Client(where, "Ada").open()
        await ada.hello(client=client)
        assert await ada.error_code("hello", name="Ada", client="another/1") == "already_identified"
        players.append(ada.player)
        await ada.close()
    assert [line for line in ledger.lines if line[1] == "hello"] == [
        ("info", "hello", {"player": players[0], "client": "example/1.0"}),
        ("info", "hello", {"player": players[1], "client": "example/2.0"}),
        ("debug", "hello", {"player": players[2], "client": "example/1.0"}),
        ("info", "hello", {"player": players[3], "client": "other"}),
    ]


@pytest.mark.parametrize(
    "identity",
    [
        {"player": "nobody", "token": "x" * 32},
        {"player": "nobody"},
        {"token": "x" * 32},
        {"player": "a b\r\n*", "token": "\x00"},
    ],
)
async def test_an_identity_without_proof_ends_the_connection(
    node: StartNode, identity: dict[str, str]
) -> None:
    """There is no way to be somebody else, or half of somebody."""
    ada = await Client(url_of(await node()), "Ada").open()
    await ada.send(type="hello", ref=1, name="Ada", **identity)
    assert await ada.closed() == (4003, "The player id and the token do not match.")


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "x" * (limits.NAME_LENGTH + 1),
        "a\u202eb",
        "a\u200bb",
        "\ud7ff\x00",
        "!!!",
        "a\u0301\u0302\u0303\u0304",
    ],
)
async def test_a_deceptive_name_is_refused_and_can_be_corrected(node: StartNode, name: str) -> None:
    """The connection stays: the person types another."""
    ada = await Client(url_of(await node()), "Ada").open()
    assert await ada.error_code("hello", name=name) == "bad_name"
    assert (await ada.hello(name="  Ada   L. "))["name"] == "Ada L."
    await ada.close()


async def test_equal_names_are_told_apart(node: StartNode, person: Connect) -> None:
    """In one room nobody has the name of another."""
    where = await node()
    ada = await person(where, "Ada")
    room = await ada.create()
    for name, shown in (("ada", "ada 2"), ("ＡＤＡ", "ＡＤＡ 3"), ("Ben", "Ben")):
        other = await person(where, name)
        view = await other.join(room)
        assert view["members"][-1]["name"] == shown


async def test_a_new_room_is_as_its_settings_say(node: StartNode, person: Connect) -> None:
    """The answer to `create` is the whole room, with its creator as host."""
    ada = await person(await node(), "Ada")
    settings: dict[str, Any] = {
        "ranking": "score",
        "suits": 2,
        "winnable": False,
        "start_mode": "all_ready",
        "countdown_s": 3,
        "time_limit_s": 60,
        "max_members": 4,
        "live_boards": True,
    }
    room = await ada.ask("create", settings=settings)
    assert room | {"clock_ms": 0, "room": "", "seq": 0} == {
        "type": "room",
        "ref": 2,
        "seq": 0,
        "clock_ms": 0,
        "room": "",
        "you": ada.player,
        "host": ada.player,
        "owner": ada.player,
        "phase": "lobby",
        "settings": settings,
        "locked": False,
        "has_password": False,
        "named_code": False,
        "races": 0,
        "members": [
            {"player": ada.player, "name": "Ada", "ready": False, "spectator": False, "connected": True}
        ],
    }


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"settings": {"suits": 3}}, "bad_settings"),
        ({"code": "SS1-S3-AAAAABD"}, "bad_code"),
        ({"code": "nonsense"}, "bad_code"),
        ({"settings": {"suits": 5}}, "bad_message"),
        ({"settings": {"max_members": 0}}, "bad_message"),
        ({"password": ""}, "bad_message"),
        ({"password": "x" * (limits.PASSWORD_LENGTH + 1)}, "bad_message"),
    ],
)
async def test_a_room_that_cannot_be_is_refused(
    node: StartNode, person: Connect, fields: dict[str, Any], code: str
) -> None:
    """Nothing is opened, and nothing is taken from what the address may open."""
    where = await node()
    where.sessions.rooms_quota = Quota(0.001, 1.0)  # one room, and no more for long
    ada = await person(where, "Ada")
    await ada.send(type="create", ref=50, **fields)
    assert (await ada.expect("error"))["code"] == code
    await ada.create()


async def test_a_named_code_decides_the_suits(node: StartNode, person: Connect) -> None:
    """A code in any case, with blanks around it, is the deal of the first race."""
    ada = await person(await node(), "Ada")
    room = await ada.ask("create", settings={"countdown_s": 0}, code=" ss1-s2-aaaaabd ")
    assert (room["settings"]["suits"], room["named_code"]) == (2, True)
    await ada.ready()
    await ada.start()
    assert (await ada.racing())["code"] == "SS1-S2-AAAAABD"


async def test_rooms_are_limited_by_address(node: StartNode, person: Connect) -> None:
    """The limit is for the address, not for the connection, and the refusal says that it passes."""
    where = await node()
    for number in range(limits.ROOMS_BURST):
        await (await person(where, f"P{number}")).create()
    ada = await person(where, "Ada")
    refused = await ada.ask("create")
    assert (refused["code"], refused["temporary"]) == ("too_many_rooms", True)


@pytest.mark.parametrize(
    ("address", "answer"), [("2001:db8::2", "error"), ("2001:db8:0:1::1", "room"), ("192.0.2.1", "room")]
)
async def test_the_addresses_of_one_household_share_a_limit(
    node: StartNode, address: str, answer: str
) -> None:
    """An IPv6 household has 2**64 addresses; they count as one, here as for connections."""
    where = await node(trusted_proxies=("127.0.0.0/8",))
    where.sessions.rooms_quota = Quota(0.001, 1.0)
    answers = []
    for each in ("2001:db8::1", address):
        async with connect(url_of(where), additional_headers={"X-Forwarded-For": each}, proxy=None) as ada:
            await ada.send('{"type": "hello", "ref": 1, "name": "Ada"}')
            await ada.send('{"type": "create", "ref": 2}')
            assert json.loads(await ada.recv())["type"] == "welcome"
            answers.append(json.loads(await ada.recv())["type"])
    assert answers == ["room", answer]


async def test_a_full_server_opens_no_more_rooms(node: StartNode, person: Connect) -> None:
    """`max_rooms` is a limit of the node."""
    where = await node(max_rooms=1)
    ada, ben = await person(where, "Ada"), await person(where, "Ben")
    await ada.create()
    assert await ben.error_code("create") == "server_full"


async def test_a_typo_never_opens_a_room(node: StartNode, person: Connect) -> None:
    """Rooms are made by `create` alone; their codes are read in any case."""
    where = await node()
    ada, ben = await person(where, "Ada"), await person(where, "Ben")
    room = await ada.create()
    for typo in ("BBBBB", "x", "AAAAA", room + "X", "*", "🂡"):
        assert await ben.error_code("join", room=typo) == "no_such_room"
    view = await ben.join(f" {room.lower()} ")
    assert view["room"] == room


async def test_an_unreadable_room_ends_the_connection(
    node: StartNode, person: Connect, ledger: Ledger
) -> None:
    """A bug ends the connection with a close code: the client must not wait for its answer."""
    where = await node()
    await where.store.commit([Commit((Append(keys.room_log("BBBBB"), 0, (b"?",)),))])
    ada, ben = await person(where, "Ada"), await person(where, "Ben")
    await ada.send(type="join", ref=9, room="BBBBB")
    assert await ada.closed() == (
        1011,
        "The server failed to handle this connection. Connect again and resume.",
    )
    assert [line["event"] for line in ledger.errors] == ["fault"]
    ledger.lines.clear()
    await ben.create()


async def test_only_newcomers_need_the_password(node: StartNode, person: Connect) -> None:
    """Who has a seat comes back without it."""
    where = await node()
    ada, ben = await person(where, "Ada"), await person(where, "Ben")
    room = await ada.create(password=WORD)
    assert await ben.error_code("join", room=room) == "wrong_password"
    assert await ben.error_code("join", room=room, password=WORD.upper()) == "wrong_password"
    view = await ben.join(room, password=WORD)
    assert view["has_password"] is True
    assert WORD not in str(view)
    await ben.reconnect()
    await ada.reconnect()


async def test_a_locked_room_refuses_newcomers(node: StartNode, party: Gather, person: Connect) -> None:
    """Members return in spite of the lock; the host unlocks the room."""
    where = await node()
    ada, ben = await party(where, "Ada", "Ben")
    eve = await person(where, "Eve")
    await ada.do("lock")
    await ben.expect("lock_changed", locked=True)
    assert await eve.error_code("join", room=ada.room) == "room_locked"
    ben.abort()
    await ada.expect("member_disconnected", player=ben.player)
    await ben.reconnect()
    await ada.do("lock", locked=False)
    await eve.join(ada.room)


async def test_a_full_room_keeps_the_seats_of_its_members(
    node: StartNode, party: Gather, person: Connect
) -> None:
    """Of two who want the last seat one gets it; an absent member's seat is not given away."""
    where = await node()
    ada, ben = await party(where, "Ada", "Ben", max_members=3)
    ben.abort()
    await ada.expect("member_disconnected", player=ben.player)
    cleo, dan = await person(where, "Cleo"), await person(where, "Dan")
    await cleo.send(type="join", ref=70, room=ada.room)
    await dan.send(type="join", ref=70, room=ada.room)
    answers = [await each.answered(70) for each in (cleo, dan)]
    assert sorted(answer.get("code", "in") for answer in answers) == ["in", "room_full"]
    await ben.reconnect()


async def test_a_connection_is_in_one_room_at_a_time(node: StartNode, party: Gather) -> None:
    """To go elsewhere one leaves first; a second `join` of the same room just shows it again."""
    where = await node()
    (ada,) = await party(where, "Ada")
    (ben,) = await party(where, "Ben")
    assert await ben.error_code("join", room=ada.room) == "already_in_room"
    assert await ben.error_code("create") == "already_in_room"
    assert (await ben.join(ben.room))["room"] == ben.room
    await ben.do("leave")
    assert await ben.error_code("leave") == "not_in_room"
    await ben.join(ada.room)


async def test_a_spectator_is_not_waited_for(node: StartNode, party: Gather, person: Connect) -> None:
    """A spectator does not hold back a room where everybody ready starts."""
    where = await node()
    ada, ben = await party(where, "Ada", "Ben", start_mode="all_ready")
    eve = await person(where, "Eve")
    view = await eve.join(ada.room, spectate=True)
    assert [each["spectator"] for each in view["members"]] == [False, False, True]
    await ada.ready()
    await ben.ready()
    assert (await eve.racing())["racers"] == [ada.player, ben.player]


async def test_a_kicked_player_cannot_return(node: StartNode, party: Gather) -> None:
    """The connection stays, the seat is gone, and there is no way back in; the others race on."""
    ada, ben, cleo = await party(await node(), "Ada", "Ben", "Cleo")
    await ada.do("kick", player=ben.player)
    for each in (ada, ben, cleo):
        await each.expect("member_left", player=ben.player, reason="kicked")
    assert await ben.error_code("chat", text="hey") == "not_in_room"
    assert await ben.error_code("join", room=ada.room) == "kicked"
    assert await ada.error_code("kick", player=ada.player) == "cannot_target_self"
    assert await ada.error_code("kick", player="nobody") == "no_such_member"
    assert await cleo.error_code("kick", player=ada.player) == "not_host"


async def test_the_host_changes_after_the_grace_and_the_owner_returns(node: StartNode, party: Gather) -> None:
    """Host gone for a moment: nothing. For longer: the longest present. Back: the owner again."""
    ada, ben, cleo = await party(await node(rules=Rules(host_grace_ms=1)), "Ada", "Ben", "Cleo")
    ada.abort()
    await cleo.expect("member_disconnected", player=ada.player)
    await cleo.expect("host_changed", player=ben.player)
    await ben.do("lock")
    back = await ada.reconnect()
    await cleo.expect("host_changed", player=ada.player)
    assert back.received[-1]["host"] == ada.player
    assert await ben.error_code("lock", locked=False) == "not_host"


async def test_a_host_who_leaves_hands_over_at_once(node: StartNode, party: Gather) -> None:
    """The room is never without somebody who can start a race."""
    ada, ben, cleo = await party(await node(), "Ada", "Ben", "Cleo")
    await ada.do("leave")
    await cleo.expect("host_changed", player=ben.player)
    await ben.do("leave")
    await cleo.expect("host_changed", player=cleo.player)
    await cleo.ready()
    await cleo.start()
    await cleo.racing()


async def test_a_room_without_connected_members_can_be_joined(
    node: StartNode, party: Gather, person: Connect
) -> None:
    """Who comes first to an empty room is its host, until the owner is back."""
    where = await node(rules=Rules(host_grace_ms=1))
    ada, ben = await party(where, "Ada", "Ben")
    await ben.do("leave")
    ada.abort()
    eve = await person(where, "Eve")
    while (view := await eve.join(ada.room))["members"][0]["connected"]:
        await eve.do("leave")
    if view["host"] != eve.player:
        assert view["host"] == ada.player
        await eve.expect("host_changed", player=eve.player)
    await ada.reconnect()
    await eve.expect("host_changed", player=ada.player)


@pytest.mark.parametrize("request_", ["start_countdown", "cancel_countdown", "lock", "configure", "kick"])
async def test_only_the_host_decides(node: StartNode, party: Gather, request_: str) -> None:
    """Others are refused, and nothing changes."""
    ada, ben = await party(await node(), "Ada", "Ben")
    fields: dict[str, Message] = {"configure": {"settings": {}}, "kick": {"player": ada.player}}
    assert await ben.error_code(request_, **fields.get(request_, {})) == "not_host"


async def test_notices_have_the_language_of_hello(node: StartNode, person: Connect) -> None:
    """What the server tells people, it tells in their language."""
    where = await node()
    ada = await person(where, "Ada")
    zoe = await Client(url_of(where), "Zoë").open()
    await zoe.hello(lang="zh-TW")
    await zoe.create()
    await zoe.reconnect()
    await zoe.closed()
    assert zoe.received[-1]["text"] == "你已從別處重新連線；此連線將結束。"
    await ada.sync()
    await zoe.close()


async def test_limits_of_a_session_have_the_protocols_numbers() -> None:
    """Where a host chooses nothing, clients may rely on what the protocol says."""
    assert SessionLimits() == SessionLimits(
        limits.MESSAGES_PER_SECOND,
        limits.MESSAGE_BURST,
        limits.HELLO_SECONDS,
        limits.ROOMS_PER_HOUR,
        limits.ROOMS_BURST,
        limits.PLAYERS_PER_HOUR,
        limits.PLAYERS_BURST,
    )
    assert CODE.startswith("SS1")


async def test_identities_are_limited_by_address(node: StartNode, person: Connect) -> None:
    """Each is kept for a day at least. Who has one already is welcome all the same."""
    where = await node()
    now = where.sessions.monotonic()
    where.sessions.monotonic = lambda: now
    where.sessions.players_quota = Quota(rate=1 / 60, burst=2)
    ada, _ = await person(where, "Ada"), await person(where, "Ben")
    eve = await Client(url_of(where), "Eve").open()
    refused = await eve.hello()
    assert (refused["code"], refused["temporary"]) == ("too_many_players", True)
    back = await ada.new_connection().open()
    assert (await back.hello())["player"] == ada.player
    now += 60
    assert (await eve.hello())["type"] == "welcome"
    await eve.close()


async def test_a_request_that_is_not_stored_is_not_counted(
    node: StartNode, person: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everybody tries again and again while it is away, and must not wait for long when it is back."""
    where = await node()
    ada = await person(where, "Ada")
    eve = await Client(url_of(where), "Eve").open()
    where.sessions.players_quota = where.sessions.rooms_quota = Quota(rate=0.001, burst=1)
    with monkeypatch.context() as away:
        away.setattr(where.journal, "_max_waiting", 0)
        for _ in "12":
            assert await eve.error_code("hello", name="Eve") == "store_unavailable"
            assert await ada.error_code("create") == "store_unavailable"
    await ada.create()
    where.sessions.players_quota = Quota(rate=0.001, burst=1)
    assert (await eve.hello())["type"] == "welcome"
    await eve.close()


async def test_a_player_who_has_entered_a_room_is_kept_for_long(node: StartNode, person: Connect) -> None:
    """Be it by opening one, by coming into one, or as somebody who is back and had not been in any."""
    where = await node()
    ada, ben, eve = [await person(where, name) for name in ("Ada", "Ben", "Eve")]
    room = await ada.create()
    await ben.join(room)
    eve_again = await eve.new_connection().open()
    await eve_again.hello()
    await where.journal.drain()

    async def entries() -> list[int]:
        return [await where.store.length(keys.player_log(each.player)) for each in (ada, ben, eve)]

    assert await entries() == [2, 2, 1]
    await eve_again.join(room)
    await where.journal.drain()
    assert await entries() == [2, 2, 2]


async def test_password_tries_are_limited(node: StartNode, person: Connect) -> None:
    """Counted for each room and address, however many connections; right ones count for nothing."""
    where = await node()
    now = where.sessions.monotonic()
    where.sessions.monotonic = lambda: now
    where.sessions.password_tries = Quota(rate=1 / 60, burst=2)
    ada, ben, eve = [await person(where, name) for name in ("Ada", "Ben", "Eve")]
    room, other = await ada.create(password=WORD), await ben.create(password=WORD)
    await ben.do("leave")
    for _ in "123":
        await ben.join(room, password=WORD)
        await ben.do("leave")
    assert await ben.error_code("join", room=room, password="guess") == "wrong_password"  # noqa: S106
    assert await eve.error_code("join", room=room.lower(), password="word") == "wrong_password"  # noqa: S106
    for each in (ben, eve):
        assert await each.error_code("join", room=room, password=WORD) == "too_many_tries"
    await eve.join(other, password=WORD)
    now += 60
    await ben.join(room, password=WORD)


async def test_only_guesses_are_counted(node: StartNode, person: Connect) -> None:
    """Not a password for a room that there is not or that has none, nor that of somebody who has a seat.

    So a whole office that comes back after a restart, each with the password, finds the door open.
    """
    where = await node()
    now = where.sessions.monotonic()
    where.sessions.monotonic = lambda: now
    where.sessions.password_tries = Quota(rate=1 / 60, burst=1)
    ada, ben = await person(where, "Ada"), await person(where, "Ben")
    room = await ada.create(password=WORD)
    for _ in "12":
        assert await ben.error_code("join", room="BBBBB", password=WORD) == "no_such_room"
    await ben.join(room, password=WORD)
    eve = await person(where, "Eve")
    assert await eve.error_code("join", room=room, password="guess") == "wrong_password"  # noqa: S106
    assert await eve.error_code("join", room=room, password="guess") == "too_many_tries"  # noqa: S106
    for word in (WORD, "forgotten"):
        ben = await ben.new_connection().open()
        await ben.hello()
        await ben.join(room, password=word)
    await ben.do("leave")
    open_room = await ben.create()
    for _ in "12":
        assert (await eve.join(open_room, password="needless"))["has_password"] is False  # noqa: S106
        await eve.do("leave")

"""Statements of PROTOCOL.md about rooms, races, actions and resuming, tried on a real server."""

import asyncio
import os
import signal

import pytest
from racetest import (
    CODE,
    PATIENCE_S,
    Client,
    Connect,
    GatedStore,
    Gather,
    Ledger,
    StartNode,
    solution,
    until,
)

from server.core.rules import Rules
from server.node import Node
from server.store import keys
from server.store.embedded import EmbeddedRedis

STEPS = solution()
FIRST = {"type": "move", "n": 1, **STEPS[0]}

UNHURRIED = Rules()
"""The waiting times of the document."""


# Rooms.


async def test_a_name_that_is_taken_gets_a_number(node: StartNode, party: Gather) -> None:
    _, other = await party(await node(), "Ann", "ANN")
    assert [person["name"] for person in other.received[-1]["members"]] == ["Ann", "ANN 2"]


async def test_the_code_of_a_room_is_accepted_in_any_case(node: StartNode, person: Connect) -> None:
    where = await node()
    ann, bo = await person(where, "Ann"), await person(where, "Bo")
    code = await ann.create()
    assert (await bo.join(code.lower()))["room"] == code
    assert len(code) == 5
    assert set(code) <= set("BCDFGHJKMNPQRTVWXY")
    await ann.do("leave")
    assert await ann.error_code("join", room="XXXX") == "no_such_room"


async def test_game_codes_and_settings_are_checked(node: StartNode, person: Connect) -> None:
    ann = await person(await node(), "Ann")
    assert await ann.error_code("create", settings={"suits": 3}) == "bad_settings"
    assert await ann.error_code("create", code="SS1-S9-AAAAAAA") == "bad_code"
    await ann.create(" ss1-s4-aaaaaaa ")
    assert ann.received[-1]["settings"]["suits"] == 4


async def test_only_the_host_starts_a_race_and_a_member_must_be_ready(node: StartNode, party: Gather) -> None:
    ann, bo = await party(await node(), "Ann", "Bo")
    assert await bo.error_code("start_countdown") == "not_host"
    answer = await ann.ask("start_countdown")
    assert (answer["code"], answer["temporary"]) == ("nobody_ready", True)
    assert await bo.error_code("configure", settings={}) == "not_host"


async def test_during_a_race_configure_start_and_ready_are_errors(node: StartNode, race: Gather) -> None:
    ann, bo = await race(await node(), "Ann", "Bo")
    assert await ann.error_code("configure", settings={}) == "race_running"
    assert await ann.error_code("start_countdown") == "race_running"
    assert await bo.error_code("ready") == "race_running"
    assert await bo.error_code("get_record", race=1) == "no_record"


async def test_the_first_ready_after_a_race_opens_the_lobby(node: StartNode, race: Gather) -> None:
    """Events come before the `done` of the request that causes them."""
    ann, bo = await race(await node(), "Ann", "Bo")
    await ann.act("forfeit")
    await bo.act("forfeit")
    await bo.expect("race_ended")
    begun = len(bo.received)
    await bo.ready()
    assert [message["type"] for message in bo.received[begun:]] == ["lobby_opened", "ready_changed", "done"]
    numbers = [message["seq"] for message in bo.received[begun:-1]]
    assert numbers == sorted(numbers)


async def test_a_kicked_member_receives_the_event_and_cannot_enter_again(
    node: StartNode, party: Gather
) -> None:
    ann, bo = await party(await node(), "Ann", "Bo")
    assert await ann.error_code("kick", player=ann.player) == "cannot_target_self"
    await ann.do("kick", player=bo.player)
    assert (await bo.expect("member_left"))["reason"] == "kicked"
    assert await bo.error_code("join", room=ann.room) == "kicked"


async def test_the_first_member_replaces_a_disconnected_host_until_the_owner_returns(
    node: StartNode, party: Gather
) -> None:
    """After five seconds in the guide, 60 ms here; the owner can return to a locked room."""
    ann, bo, cy = await party(await node(rules=Rules(host_grace_ms=60)), "Ann", "Bo", "Cy")
    ann.abort()
    await cy.expect("host_changed", player=bo.player)
    await bo.do("lock")
    back = await ann.reconnect()
    await cy.expect("host_changed", player=ann.player)
    await back.do("lock", locked=False)


@pytest.mark.parametrize(("time_limit", "left"), [(301, 300), (61, 60)])
async def test_racers_are_warned_five_minutes_and_one_minute_before_the_time_limit(
    node: StartNode, race: Gather, time_limit: int, left: int
) -> None:
    ann, bo = await race(await node(), "Ann", "Bo", time_limit_s=time_limit)
    for racer in (ann, bo):
        warning = await racer.expect("notice", code="time_warning")
        assert left - 5 <= warning["remaining_ms"] / 1000 <= left  # a slow machine may be late
        assert len(racer.messages("notice")) == 1


async def test_a_race_no_longer_than_the_warning_time_starts_without_a_warning(
    node: StartNode, race: Gather
) -> None:
    """A race of one minute has no warning."""
    ann, bo = await race(await node(), "Ann", "Bo", time_limit_s=60)
    await ann.moves(STEPS[:5])
    await bo.win()
    assert ann.messages("notice") + bo.messages("notice") == []


async def test_a_room_without_members_is_deleted_some_time_after_its_last_event(
    node: StartNode, party: Gather, person: Connect
) -> None:
    """After 24 hours in the guide, at once here; a room with members is kept."""
    here, there = await node(), await node(keep_rooms_hours=1e-5)
    ann, _ = await party(here, "Ann", "Bo")
    log = keys.room_log(ann.room)
    await look_at(there, ann.room)
    assert await there.store.length(log) > 0, "somebody is in it"
    await here.stop()
    async with asyncio.timeout(PATIENCE_S):
        while await there.store.length(log):
            await look_at(there, ann.room)
    cy = await person(there, "Cy")
    assert await cy.error_code("join", room=ann.room) == "no_such_room"


async def test_until_then_anybody_can_enter_it(node: StartNode, party: Gather, person: Connect) -> None:
    """The server checks it again when the 24 hours are over, not before."""
    here, there = await node(), await node()
    ann, bo = await party(here, "Ann", "Bo")
    for each in (bo, ann):
        await each.do("leave")
    last = there.journal.now_ms()
    await here.stop()
    await look_at(there, ann.room)
    day = 24 * 3_600_000
    agenda, slack = keys.rooms_schedule(), 5000
    assert await there.store.due(agenda, last + day - slack, 10) == []
    assert await there.store.due(agenda, last + day + slack, 10) == [ann.room]
    cy = await person(there, "Cy")
    view = await cy.join(ann.room)
    assert [(each["name"], view["host"] == each["player"]) for each in view["members"]] == [("Cy", True)]


async def look_at(where: Node, room: str) -> None:
    """Let a node check a room as if it were due."""
    await where.store.schedule(keys.rooms_schedule(), room, 0)
    await where.rooms.sweep()


# The store.


async def test_while_the_store_is_unavailable_changes_wait_and_reads_get_an_error(
    own_server: EmbeddedRedis, node: StartNode, race: Gather, ledger: Ledger
) -> None:
    """The notices `store_unavailable` and `store_available` come; nothing is lost or done twice."""
    ann, bo = await race(await node(url=own_server.url), "Ann", "Bo")
    await ann.moves(STEPS[:3])
    stranger = await Client(ann.url, "Eve").open()
    os.kill(own_server.pid, signal.SIGKILL)
    await until(lambda: not own_server.running)
    await ann.send(type="move", n=4, **STEPS[3])
    await ann.send(type="chat", ref=900, text="still there?")
    await ann.expect("notice", code="store_unavailable")
    for request, fields in (("subscribe_leaderboard", {"code": CODE}), ("get_record", {"race": 1})):
        answer = await bo.ask(request, **fields)
        assert (answer["code"], answer["temporary"]) == ("store_unavailable", True)
    known = {"player": ann.player, "token": ann.token}
    assert await stranger.error_code("hello", name="Ann", **known) == "store_unavailable"
    await stranger.send(type="hello", ref=901, name="Eve")
    assert ann.messages("chat_message") == []
    own_server.revive()
    for racer in (ann, bo):
        await racer.expect("notice", code="store_available")
    assert (await ann.answer(4))["moves"] == 4
    assert (await ann.answered(900))["type"] == "done"
    assert (await stranger.answered(901))["type"] == "welcome"
    assert await stranger.error_code("join", room="BBBBB") == "no_such_room"
    assert [line["event"] for line in ledger.errors] == []
    await stranger.close()


# Actions.


async def test_a_repeated_action_gets_the_same_answer(node: StartNode, race: Gather) -> None:
    """On this connection and the next one; nothing happens twice."""
    ann, _ = await race(await node(), "Ann", "Bo")
    answers = []
    for _ in range(2):
        await ann.send(**FIRST)
        answers.append(await ann.answer(1))
    back = await ann.reconnect()
    await back.send(**FIRST)
    answers.append(await back.answer(1))
    assert answers == [answers[0]] * 3
    assert (await back.ask("get_game"))["game"]["moves"] == 1


async def test_an_action_of_another_race_is_answered_for_that_race(node: StartNode, race: Gather) -> None:
    """An accepted one gets the same answer, any other `wrong_race`; the running game does not change."""
    ann, bo = await race(await node(), "Ann", "Bo")
    await ann.send(**FIRST)
    first = await ann.answer(1)
    await race_again(ann, bo)
    await ann.send(**FIRST, race=1)
    assert await ann.answer(1, race=1) == first
    for number, n in ((1, 3), (1, 1), (3, 1)):
        await ann.send(type="undo", race=number, n=n)
        refused = await ann.answer(n, race=number)
        assert (refused["code"], refused["expected"]) == ("wrong_race", 0)
    game = await ann.ask("get_game")
    assert (game["race"], game["game"]["n"]) == (2, 0)


async def race_again(host: Client, other: Client) -> None:
    """End the race of two racers, and start their second one."""
    for racer in (host, other):
        await racer.act("forfeit")
    for racer in (host, other):
        await racer.expect("race_ended")
        await racer.ready()
    await host.start()
    for racer in (host, other):
        assert (await racer.racing())["race"] == 2


async def test_an_error_echoes_what_identifies_its_message(node: StartNode, race: Gather) -> None:
    """Its type and reference, and the race and number of an action, as far as they can be read."""
    ann, _ = await race(await node(), "Ann", "Bo")
    for message, echo in (
        ({"type": "fly", "ref": 7}, {"request": "fly", "ref": 7}),
        ({"type": "chat", "ref": 8, "text": 5}, {"request": "chat", "ref": 8}),
        ({"type": "move", "race": 1, "n": 1, "from": 0}, {"request": "move", "race": 1, "n": 1}),
        ({"type": "undo", "race": -1, "n": 1}, {"request": "undo", "n": 1}),
    ):
        await ann.send(**message)
        error = await ann.expect("error")
        assert {name: error[name] for name in ("request", "ref", "race", "n") if name in error} == echo


async def test_answers_come_in_order_and_an_action_does_not_wait_for_a_read(
    node: StartNode, race: Gather
) -> None:
    """Requests are answered in the order sent, an error in its place; only actions overtake a slow read."""
    where = await node()
    ann, bo = await race(where, "Ann", "Bo")
    await race_again(ann, bo)
    gate = GatedStore.of(where).reads
    gate.close("race:1")
    await ann.send(type="get_record", ref=701, race=1)
    await gate.reached()
    await ann.send(type="get_record", ref=702, race=99)
    await ann.send(type="fly", ref=703)
    await ann.send(type="chat", ref=704, text="still there?")
    await ann.send(type="restart", n=1)
    assert (await ann.answer(1))["type"] == "accepted"
    assert [message for message in ann.received if message.get("ref", 0) > 700] == []
    gate.open()
    await ann.answered(704)
    answers = [(each["ref"], each["type"]) for each in ann.received if each.get("ref", 0) > 700]
    assert answers == [(701, "record"), (702, "error"), (703, "error"), (704, "done")]


async def test_a_client_that_asks_for_changes_gets_whole_standings(node: StartNode, person: Connect) -> None:
    """There is no other form yet; a client that asks for changes must handle both."""
    where = await node()
    ann = await Client((await person(where, "Bo")).url, "Ann", "json").open()
    await ann.hello(standings="changes")
    await ann.create(CODE)
    await ann.ready()
    await ann.start()
    await ann.racing()
    await ann.act("move", **STEPS[0])
    standings = await ann.expect("standings")
    assert [row["player"] for row in standings["rows"]] == [ann.player]
    await ann.close()


async def test_other_numbers_than_the_next_are_refused(node: StartNode, race: Gather) -> None:
    ann, _ = await race(await node(), "Ann", "Bo")
    await ann.moves(STEPS[:1])
    for n, code in ((1, "number_taken"), (5, "wrong_number")):
        await ann.send(type="undo", n=n)
        refused = await ann.expect("refused")
        assert (refused["n"], refused["code"], refused["expected"]) == (n, code, 2)


async def test_actions_behind_a_refused_one_are_refused_with_wrong_number(
    node: StartNode, race: Gather
) -> None:
    """They were meant for another board."""
    ann, _ = await race(await node(), "Ann", "Bo")
    for n, step in enumerate((STEPS[0], STEPS[0], STEPS[1], STEPS[2]), start=1):
        await ann.send(type="move", n=n, **step)
    answers = [await ann.answer(n) for n in range(1, 5)]
    assert [(each["n"], each.get("code"), each.get("expected")) for each in answers] == [
        (1, None, None),
        (2, "rank_mismatch", 2),
        (3, "wrong_number", 2),
        (4, "wrong_number", 2),
    ]


async def test_an_action_sent_twice_before_its_answer_gets_one_answer(node: StartNode, race: Gather) -> None:
    """Another action with the same number is refused with `number_taken`."""
    where = await node()
    ann, _ = await race(where, "Ann", "Bo")
    gate = GatedStore.of(where).commits
    gate.close(ann.player)
    await ann.send(**FIRST)
    await gate.reached()
    await ann.send(**FIRST)
    await ann.send(type="restart", n=1)
    gate.open()
    assert (await ann.expect("accepted"))["n"] == 1
    refused = await ann.expect("refused")
    assert (refused["n"], refused["code"], refused["expected"]) == (1, "number_taken", 2)
    await ann.sync()
    assert len(ann.messages("accepted", "refused")) == 2


async def test_the_event_of_a_forfeit_comes_before_its_answer_and_undo_undoes_it(
    node: StartNode, race: Gather
) -> None:
    ann, _ = await race(await node(rules=UNHURRIED), "Ann", "Bo")
    begun = len(ann.received)
    assert (await ann.act("forfeit"))["state"] == "forfeited"
    kinds = [message["type"] for message in ann.received[begun:] if message["type"] != "standings"]
    assert kinds == ["racer_forfeited", "accepted"]
    assert (await ann.act("move", **STEPS[0]))["code"] == "forfeited"
    returned = await ann.act("undo")
    assert returned.keys().isdisjoint({"state", "from", "to", "cards", "run"})
    assert ann.messages("racer_forfeit_undone")


async def test_racers_who_forfeited_are_ranked_by_progress_and_boards_can_be_seen_after_the_race(
    node: StartNode, race: Gather
) -> None:
    ann, bo = await race(await node(), "Ann", "Bo")
    await ann.moves(STEPS[:1])
    for racer in (ann, bo):
        await racer.act("forfeit")
    results = (await bo.expect("race_ended"))["results"]
    assert [(row["name"], row["rank"], row["state"], row["score"]) for row in results] == [
        ("Ann", 1, "forfeited", 499),
        ("Bo", 2, "forfeited", 500),
    ]
    board = await bo.ask("get_board", player=ann.player)
    assert (board["type"], board["game"]["moves"], board["game"]["state"]) == ("board", 1, "forfeited")
    actions = (await bo.ask("get_record", race=1))["record"]["racers"][0]["actions"]
    assert [action["type"] for action in actions] == ["move", "forfeit"]


# Spectators.


async def test_a_spectator_receives_the_race_but_no_boards_and_cannot_act(
    node: StartNode, race: Gather, person: Connect
) -> None:
    where = await node()
    ann, bo = await race(where, "Ann", "Bo")
    eve = await person(where, "Eve")
    view = await eve.join(ann.room, spectate=True)
    assert view["current_race"]["columns"] == ann.messages("race_started")[0]["columns"]
    assert "game" not in view
    refused = await eve.act("move", **STEPS[0])
    assert (refused["code"], refused["expected"]) == ("not_racing", 0)
    assert await eve.error_code("get_game") == "no_game"
    for each in (eve, bo):
        assert await each.error_code("get_board", player=ann.player) == "boards_hidden"


# Resuming.


async def test_a_member_who_returns_receives_the_missed_events_in_order(
    node: StartNode, race: Gather
) -> None:
    """`resumed` has the own game; the events after `seen` follow, up to its `seq`."""
    ann, bo = await race(await node(), "Ann", "Bo")
    await ann.moves(STEPS[:1])
    seen = ann.seen
    ann.abort()
    await bo.expect("member_disconnected", player=ann.player)
    await bo.do("chat", text="wait for Ann")
    back = await ann.reconnect(seen=seen)
    await back.expect("member_reconnected", player=ann.player)
    told = [message for message in back.received if message["type"] not in ("standings", "welcome")]
    assert [message["type"] for message in told] == [
        "resumed",
        "member_disconnected",
        "chat_message",
        "member_reconnected",
    ]
    assert [message["seq"] for message in told] == [seen + 3, seen + 1, seen + 2, seen + 3]
    assert told[0]["game"]["n"] == 1


async def test_a_seen_that_no_event_has_yet_gets_a_snapshot(node: StartNode, race: Gather) -> None:
    ann, _ = await race(await node(), "Ann", "Bo")
    await ann.moves(STEPS[:1])
    view = await ann.join(ann.room, seen=999_999)
    assert (view["type"], view["game"]["n"], view["current_race"]["race"]) == ("room", 1, 1)


async def test_a_second_connection_closes_the_first_with_4002(node: StartNode, party: Gather) -> None:
    (ann,) = await party(await node(), "Ann")
    await ann.reconnect()
    assert (await ann.expect("notice"))["code"] == "replaced"
    assert (await ann.closed())[0] == 4002


async def test_a_wrong_token_touches_neither_seat_nor_connection(node: StartNode, party: Gather) -> None:
    ann, bo = await party(await node(), "Ann", "Bo")
    thief = await Client(ann.url, "Ann").open()
    await thief.send(type="hello", ref=1, name="Ann", player=ann.player, token=bo.token)
    assert (await thief.closed())[0] == 4003
    await ann.sync()
    await bo.sync()
    assert bo.messages("member_disconnected", "notice") == []

"""What PROTOCOL.md says of rooms, races, numbers and resuming, tried on a real server."""

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
    assert [person["name"] for person in other.told[-1]["members"]] == ["Ann", "ANN 2"]


async def test_the_code_of_a_room_is_taken_in_any_case(node: StartNode, person: Connect) -> None:
    where = await node()
    ann, bo = await person(where, "Ann"), await person(where, "Bo")
    code = await ann.create()
    assert (await bo.join(code.lower()))["room"] == code
    assert len(code) == 5
    assert set(code) <= set("BCDFGHJKMNPQRTVWXY")
    await ann.do("leave")
    assert await ann.why_not("join", room="XXXX") == "no_such_room"


async def test_game_codes_and_settings_are_checked(node: StartNode, person: Connect) -> None:
    ann = await person(await node(), "Ann")
    assert await ann.why_not("create", settings={"suits": 3}) == "bad_settings"
    assert await ann.why_not("create", code="SS1-S9-AAAAAAA") == "bad_code"
    await ann.create(" ss1-s4-aaaaaaa ")
    assert ann.told[-1]["settings"]["suits"] == 4


async def test_only_the_host_starts_and_somebody_must_be_ready(node: StartNode, party: Gather) -> None:
    ann, bo = await party(await node(), "Ann", "Bo")
    assert await bo.why_not("start_countdown") == "not_host"
    answer = await ann.ask("start_countdown")
    assert (answer["code"], answer["temporary"]) == ("nobody_ready", True)
    assert await bo.why_not("configure", settings={}) == "not_host"


async def test_during_a_race_nothing_is_configured_and_nobody_gets_ready(
    node: StartNode, race: Gather
) -> None:
    ann, bo = await race(await node(), "Ann", "Bo")
    assert await ann.why_not("configure", settings={}) == "race_running"
    assert await ann.why_not("start_countdown") == "race_running"
    assert await bo.why_not("ready") == "race_running"
    assert await bo.why_not("get_record", race=1) == "no_record"


async def test_the_first_ready_after_a_race_opens_the_lobby(node: StartNode, race: Gather) -> None:
    """Events come before the `done` of the request that brings them about."""
    ann, bo = await race(await node(), "Ann", "Bo")
    await ann.act("forfeit")
    await bo.act("forfeit")
    await bo.expect("race_ended")
    begun = len(bo.told)
    await bo.ready()
    assert [message["type"] for message in bo.told[begun:]] == ["lobby_opened", "ready_changed", "done"]
    numbers = [message["seq"] for message in bo.told[begun:-1]]
    assert numbers == sorted(numbers)


async def test_who_is_kicked_hears_it_and_cannot_come_back(node: StartNode, party: Gather) -> None:
    ann, bo = await party(await node(), "Ann", "Bo")
    assert await ann.why_not("kick", player=ann.player) == "cannot_target_self"
    await ann.do("kick", player=bo.player)
    assert (await bo.expect("member_left"))["reason"] == "kicked"
    assert await bo.why_not("join", room=ann.room) == "kicked"


async def test_a_host_who_is_away_hands_over_to_who_came_first_and_gets_it_back(
    node: StartNode, party: Gather
) -> None:
    """After five seconds in the document, a moment here; the owner is host again on return, lock or not."""
    ann, bo, cy = await party(await node(rules=Rules(host_grace_ms=60)), "Ann", "Bo", "Cy")
    ann.vanish()
    await cy.expect("host_changed", player=bo.player)
    await bo.do("lock")
    back = await ann.back()
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
        assert len(racer.heard("notice")) == 1


async def test_there_is_no_warning_that_would_come_at_the_start(node: StartNode, race: Gather) -> None:
    """A race of a minute begins without one: nobody needs to be told."""
    ann, bo = await race(await node(), "Ann", "Bo", time_limit_s=60)
    await ann.moves(STEPS[:5])
    await bo.win()
    assert ann.heard("notice") + bo.heard("notice") == []


async def test_a_room_that_nobody_is_in_is_kept_so_long_after_its_last_event(
    node: StartNode, party: Gather, person: Connect
) -> None:
    """24 hours in the document; a blink here."""
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
    assert await cy.why_not("join", room=ann.room) == "no_such_room"


async def test_until_then_everybody_can_come_back_to_it(
    node: StartNode, party: Gather, person: Connect
) -> None:
    """It is looked at again when the 24 hours are over, not before."""
    here, there = await node(), await node()
    ann, bo = await party(here, "Ann", "Bo")
    for each in (bo, ann):
        await each.do("leave")
    last = there.journal.now_ms()
    await here.stop()
    await look_at(there, ann.room)
    day = 24 * 3_600_000
    agenda, slack = keys.rooms_agenda(), 5000
    assert await there.store.due(agenda, last + day - slack, 10) == []
    assert await there.store.due(agenda, last + day + slack, 10) == [ann.room]
    cy = await person(there, "Cy")
    view = await cy.join(ann.room)
    assert [(each["name"], view["host"] == each["player"]) for each in view["members"]] == [("Cy", True)]


async def look_at(where: Node, room: str) -> None:
    """Let a node look at a room as if its time had come."""
    await where.store.schedule(keys.rooms_agenda(), room, 0)
    await where.rooms.sweep()


# The store.


async def test_while_the_store_is_away_what_changes_something_waits_and_what_reads_is_told(
    own_server: EmbeddedRedis, node: StartNode, race: Gather, ledger: Ledger
) -> None:
    """The notices `store_unavailable` and `store_available`; nothing is lost, and nothing is twice."""
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
    assert await stranger.why_not("hello", name="Ann", **known) == "store_unavailable"
    await stranger.send(type="hello", ref=901, name="Eve")
    assert ann.heard("chat_message") == []
    own_server.revive()
    for racer in (ann, bo):
        await racer.expect("notice", code="store_available")
    assert (await ann.answer(4))["moves"] == 4
    assert (await ann.answered(900))["type"] == "done"
    assert (await stranger.answered(901))["type"] == "welcome"
    assert await stranger.why_not("join", room="BBBBB") == "no_such_room"
    assert [line["event"] for line in ledger.errors] == []
    await stranger.close()


# Numbers.


async def test_a_repeated_action_gets_the_same_answer(node: StartNode, race: Gather) -> None:
    """On this connection and on the next; nothing happens twice."""
    ann, _ = await race(await node(), "Ann", "Bo")
    answers = []
    for _ in range(2):
        await ann.send(**FIRST)
        answers.append(await ann.answer(1))
    back = await ann.back()
    await back.send(**FIRST)
    answers.append(await back.answer(1))
    assert answers == [answers[0]] * 3
    assert (await back.ask("get_game"))["game"]["moves"] == 1


async def test_an_action_of_another_race_is_answered_for_that_race(node: StartNode, race: Gather) -> None:
    """What was accepted has the same answer; the rest is `wrong_race`, and the running game stays."""
    ann, bo = await race(await node(), "Ann", "Bo")
    await ann.send(**FIRST)
    first = await ann.answer(1)
    for racer in (ann, bo):
        await racer.act("forfeit")
    for racer in (ann, bo):
        await racer.expect("race_ended")
        await racer.ready()
    await ann.start()
    for racer in (ann, bo):
        assert (await racer.racing())["race"] == 2
    await ann.send(**FIRST, race=1)
    assert await ann.answer(1, race=1) == first
    for number, n in ((1, 3), (1, 1), (3, 1)):
        await ann.send(type="undo", race=number, n=n)
        refused = await ann.answer(n, race=number)
        assert (refused["code"], refused["expected"]) == ("wrong_race", 0)
    game = await ann.ask("get_game")
    assert (game["race"], game["game"]["n"]) == (2, 0)


async def test_an_error_repeats_what_identifies_its_message(node: StartNode, race: Gather) -> None:
    """As far as it can be read: the type, the reference, and of an action its race and number."""
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


async def test_other_numbers_than_the_next_are_refused(node: StartNode, race: Gather) -> None:
    ann, _ = await race(await node(), "Ann", "Bo")
    await ann.moves(STEPS[:1])
    for n, code in ((1, "number_taken"), (5, "wrong_number")):
        await ann.send(type="undo", n=n)
        refused = await ann.expect("refused")
        assert (refused["n"], refused["code"], refused["expected"]) == (n, code, 2)


async def test_behind_a_refused_action_all_numbers_are_wrong(node: StartNode, race: Gather) -> None:
    """They were thought out for another board."""
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


async def test_a_number_under_way_has_one_answer_and_another_action_with_it_is_refused(
    node: StartNode, race: Gather
) -> None:
    """The same action, sent twice before its answer, is answered once."""
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
    await ann.quiet()
    assert len(ann.heard("accepted", "refused")) == 2


async def test_a_forfeit_is_told_before_it_is_accepted_and_undo_takes_it_back(
    node: StartNode, race: Gather
) -> None:
    ann, _ = await race(await node(rules=UNHURRIED), "Ann", "Bo")
    begun = len(ann.told)
    assert (await ann.act("forfeit"))["state"] == "forfeited"
    kinds = [message["type"] for message in ann.told[begun:] if message["type"] != "standings"]
    assert kinds == ["racer_forfeited", "accepted"]
    assert (await ann.act("move", **STEPS[0]))["code"] == "forfeited"
    returned = await ann.act("undo")
    assert returned.keys().isdisjoint({"state", "from", "to", "cards", "run"})
    assert ann.heard("racer_forfeit_undone")


async def test_who_forfeits_is_ranked_and_the_boards_are_open_afterwards(
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


# Watching.


async def test_who_watches_sees_the_race_but_no_boards_and_cannot_act(
    node: StartNode, race: Gather, person: Connect
) -> None:
    where = await node()
    ann, bo = await race(where, "Ann", "Bo")
    eve = await person(where, "Eve")
    view = await eve.join(ann.room, spectate=True)
    assert view["current_race"]["columns"] == ann.heard("race_started")[0]["columns"]
    assert "game" not in view
    refused = await eve.act("move", **STEPS[0])
    assert (refused["code"], refused["expected"]) == ("not_racing", 0)
    assert await eve.why_not("get_game") == "no_game"
    for each in (eve, bo):
        assert await each.why_not("get_board", player=ann.player) == "boards_hidden"


# Resuming.


async def test_who_comes_back_in_time_gets_what_was_missed_in_order(node: StartNode, race: Gather) -> None:
    """`resumed` with one's own game, then the events after `seen`, up to its `seq`."""
    ann, bo = await race(await node(), "Ann", "Bo")
    await ann.moves(STEPS[:1])
    seen = ann.seen
    ann.vanish()
    await bo.expect("member_disconnected", player=ann.player)
    await bo.do("chat", text="wait for Ann")
    back = await ann.back(seen=seen)
    await back.expect("member_reconnected", player=ann.player)
    told = [message for message in back.told if message["type"] not in ("standings", "welcome")]
    assert [message["type"] for message in told] == [
        "resumed",
        "member_disconnected",
        "chat_message",
        "member_reconnected",
    ]
    assert [message["seq"] for message in told] == [seen + 3, seen + 1, seen + 2, seen + 3]
    assert told[0]["game"]["n"] == 1


async def test_a_number_that_no_event_has_yet_gets_the_whole_room(node: StartNode, race: Gather) -> None:
    ann, _ = await race(await node(), "Ann", "Bo")
    await ann.moves(STEPS[:1])
    view = await ann.join(ann.room, seen=999_999)
    assert (view["type"], view["game"]["n"], view["current_race"]["race"]) == ("room", 1, 1)


async def test_the_newest_connection_wins_and_the_older_is_closed_with_4002(
    node: StartNode, party: Gather
) -> None:
    (ann,) = await party(await node(), "Ann")
    await ann.back()
    assert (await ann.expect("notice"))["code"] == "replaced"
    assert (await ann.closed())[0] == 4002


async def test_a_wrong_token_touches_neither_seat_nor_connection(node: StartNode, party: Gather) -> None:
    ann, bo = await party(await node(), "Ann", "Bo")
    thief = await Client(ann.url, "Ann").open()
    await thief.send(type="hello", ref=1, name="Ann", player=ann.player, token=bo.token)
    assert (await thief.closed())[0] == 4003
    await ann.quiet()
    await bo.quiet()
    assert bo.heard("member_disconnected", "notice") == []

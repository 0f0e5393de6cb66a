"""A room on a node: members return and get what they missed, races start and end."""

import asyncio

import pytest
from racetest import (
    CODE,
    Client,
    Connect,
    Gate,
    GatedStore,
    Gather,
    Ledger,
    StartNode,
    hold_game,
    solution,
    until,
    url_of,
)

from server.core.rules import Rules
from server.node import Node
from server.rooms.recent_events import REPLAYED_EVENTS
from server.store import keys
from server.store.port import Append, Commit

NEVER = 3_600_000

# Coming back.


async def coming_back(where: Node, racer: Client) -> tuple[Client, Gate]:
    """Let a racer return with a new connection, up to the read of the game, which is held."""
    gate = await hold_game(where, racer)
    back = await racer.new_connection().open()
    await back.hello()
    await back.send(type="join", ref=9, room=racer.room, seen=racer.seen)
    await gate.reached()
    return back, gate


async def test_a_member_who_returns_gets_every_missed_event_once_and_in_order(
    node: StartNode, party: Gather
) -> None:
    """With `seen`, the events from there on are replayed; then the new ones follow without a seam."""
    ada, ben = await party(await node(), "Ada", "Ben")
    await ben.sync()
    ben.abort()
    await ada.expect("member_disconnected")
    for text in ("one", "two", "three"):
        await ada.do("chat", text=text)
    back = await ben.reconnect(seen=ben.seen)
    await ada.do("chat", text="four")
    await back.expect("chat_message", text="four")
    assert [message["text"] for message in back.messages("chat_message")] == ["one", "two", "three", "four"]
    numbers = [message["seq"] for message in back.received if message["type"] not in ("resumed", "welcome")]
    numbers = [number for number in numbers if number]
    assert numbers == list(range(ben.seen + 1, ben.seen + 1 + len(numbers)))
    assert back.messages("room") == []


async def test_an_event_during_the_return_is_not_lost(node: StartNode, race: Gather) -> None:
    """What happens while the racer's game is read belongs to the missed events."""
    where = await node()
    ada, ben = await race(where, "Ada", "Ben")
    await ben.sync()
    back, gate = await coming_back(where, ben)
    await ada.do("chat", text="now")
    gate.open()
    await back.expect("resumed", ref=9)
    await ada.do("chat", text="then")
    await back.expect("chat_message", text="then")
    assert [message["text"] for message in back.messages("chat_message")] == ["now", "then"]


async def test_a_start_during_the_return_is_not_missed(node: StartNode, party: Gather) -> None:
    """A member who returns when a race starts receives the start, and can race."""
    where = await node()
    ada, ben = await party(where, "Ada", "Ben")
    await ada.ready()
    await ben.ready()
    await ben.sync()
    back = await ben.new_connection().open()
    await back.hello()
    await back.send(type="join", ref=9, room=ben.room, seen=ben.seen)
    await ada.start()
    await ada.racing()
    await back.expect("resumed", ref=9)
    await back.racing()
    await back.moves(solution()[:1])


async def test_a_member_who_is_too_far_behind_gets_a_snapshot(node: StartNode, party: Gather) -> None:
    """All or nothing: more missed events than are replayed come as one snapshot."""
    ada, ben = await party(await node(), "Ada", "Ben")
    seen = ben.seen
    for number in range(REPLAYED_EVENTS + 1):
        await ada.send(type="chat", text=str(number))
    await ada.expect("chat_message", text=str(REPLAYED_EVENTS))
    back = await ben.reconnect(seen=seen)
    assert [message["type"] for message in back.received] == ["welcome", "room"]
    assert back.received[-1]["seq"] == ada.seen


@pytest.mark.parametrize("seen", [1_000_000, 2**31 - 1])
async def test_a_seen_that_never_was_gets_a_snapshot(node: StartNode, party: Gather, seen: int) -> None:
    """A client cannot have seen what has not happened; it gets the room as it is."""
    _, ben = await party(await node(), "Ada", "Ben")
    back = await ben.reconnect(seen=seen)
    assert [message["type"] for message in back.received] == ["welcome", "room"]


async def test_a_racer_who_returns_continues_the_game(node: StartNode, race: Gather) -> None:
    """The game comes with the return, moves under way at the break included."""
    ada, ben = await race(await node(), "Ada", "Ben")
    await ada.moves(solution()[:10])
    for number, step in enumerate(solution()[10:20], start=11):
        await ada.send(type="move", n=number, **step)
    back = await ada.reconnect()
    assert await ada.closed() == (4002, "You connected from elsewhere. The newest connection wins.")
    assert back.n == 20
    await back.win()
    await ben.expect("racer_won", player=ada.player)


async def test_the_newest_connection_wins(node: StartNode, party: Gather) -> None:
    """The older one gets a notice and is closed; the member never looks disconnected to the others."""
    ada, ben = await party(await node(), "Ada", "Ben")
    back = await ben.reconnect()
    assert await ben.closed() == (4002, "You connected from elsewhere. The newest connection wins.")
    assert ben.received[-1] == {
        "type": "notice",
        "code": "replaced",
        "text": "You connected from elsewhere. This connection ends.",
    }
    await back.do("chat", text="here I am")
    await ada.expect("chat_message", text="here I am")
    assert ada.messages("member_disconnected", "member_reconnected", "member_left") == []


async def test_a_connection_that_has_ended_does_not_replace_a_newer_one_at_another_node(
    node: StartNode, party: Gather
) -> None:
    """It asked for its place before, but its node was slower: the newer one would be told to stay away."""
    here, there = await node(), await node()
    _, ben = await party(here, "Ada", "Ben")
    broken = await ben.new_connection(url_of(there)).open()
    await broken.hello()
    gate = GatedStore.of(there).commits
    gate.close("{room:")
    await broken.send(type="join", ref=9, room=ben.room)
    await gate.reached()
    broken.abort()
    await until(lambda: not there.sessions.sessions)
    newer = await ben.reconnect()
    await newer.do("chat", text="here I am")
    gate.open()
    room = await there.rooms.find(ben.room)
    assert room is not None
    await until(lambda: room.log.idle and not room.membership.busy)
    assert room.room.members[ben.player].node == here.id
    await newer.do("chat", text="still here")


async def test_a_wrong_token_affects_nobody(node: StartNode, party: Gather) -> None:
    """The token is checked before any seat or timer is looked at: the real one notices nothing."""
    ada, ben = await party(await node(), "Ada", "Ben")
    thief = ben.new_connection()
    thief.token = ada.token
    await thief.open()
    await thief.send(type="hello", ref=1, name="Ben", player=ben.player, token=ada.token)
    await thief.send(type="join", ref=2, room=ben.room)
    assert await thief.closed() == (4003, "The player id and the token do not match.")
    assert [(message["type"], message["code"]) for message in thief.received] == [("error", "bad_token")]
    await ben.do("chat", text="still here")
    await ada.expect("chat_message", text="still here")
    assert ada.messages("member_disconnected", "member_reconnected", "member_left") == []


# Being gone.


async def test_an_owner_who_disconnects_before_the_room_is_open_is_disconnected(
    node: StartNode, person: Connect
) -> None:
    """A room whose owner broke off before it was open has no ghost in it."""
    where = await node()
    ada, ben = await person(where, "Ada"), await person(where, "Ben")
    gate = GatedStore.of(where).commits
    gate.close("{room:")
    await ada.send(type="create", ref=9)
    await gate.reached()
    ada.abort()
    await until(lambda: len(where.sessions.sessions) == 1)
    gate.open()
    await until(lambda: where.counters.rooms_opened == 1)
    (code,) = (log.removeprefix("{room:").removesuffix("}:log") for log in gate.held)
    view = await ben.join(code)
    if next(each for each in view["members"] if each["name"] == "Ada")["connected"]:
        await ben.expect("member_disconnected", player=ada.player)


async def test_a_member_who_disconnects_during_the_join_is_disconnected(
    node: StartNode, party: Gather, person: Connect
) -> None:
    """The same for somebody who broke off before the join was remembered."""
    where = await node()
    (ada,) = await party(where, "Ada")
    ben = await person(where, "Ben")
    gate = GatedStore.of(where).commits
    gate.close("{room:")
    await ben.send(type="join", ref=9, room=ada.room)
    await gate.reached()
    ben.abort()
    await until(lambda: len(where.sessions.sessions) == 1)
    gate.open()
    await ada.expect("member_joined")
    await ada.expect("member_disconnected", player=ben.player)


async def test_a_member_who_is_kicked_during_the_return_is_not_in_the_room(
    node: StartNode, race: Gather
) -> None:
    """The return is refused, and the connection is free to go elsewhere."""
    where = await node()
    ada, ben = await race(where, "Ada", "Ben")
    await ben.sync()
    back, gate = await coming_back(where, ben)
    await ada.do("kick", player=ben.player)
    gate.open()
    assert (await back.expect("error", ref=9))["code"] == "kicked"
    await back.create(CODE)


async def test_the_race_does_not_wait_for_an_absent_racer(node: StartNode, race: Gather) -> None:
    """When the others are done, the race waits for somebody away only a while; the game counts as it is."""
    rules = Rules(absent_ms=100, idle_ms=NEVER, forfeit_undo_ms=0)
    ada, ben = await race(await node(rules=rules), "Ada", "Ben")
    await ben.moves(solution()[:5])
    ben.abort()
    await ada.expect("member_disconnected")
    await ada.win()
    results = (await ada.expect("race_ended"))["results"]
    assert [(row["name"], row["state"], row["moves"]) for row in results] == [
        ("Ada", "won", len(solution())),
        ("Ben", "unfinished", 5),
    ]


async def test_the_race_waits_for_a_racer_who_returns_in_time(node: StartNode, race: Gather) -> None:
    """An absence is forgiven; the race goes on until the racer is done."""
    rules = Rules(absent_ms=60_000, idle_ms=NEVER)
    ada, ben = await race(await node(rules=rules), "Ada", "Ben")
    ben.abort()
    await ada.expect("member_disconnected")
    await ada.win()
    back = await ben.reconnect()
    await back.win()
    results = (await ada.expect("race_ended"))["results"]
    assert [(row["name"], row["state"]) for row in results] == [("Ada", "won"), ("Ben", "won")]


async def test_the_race_does_not_wait_for_an_idle_racer(node: StartNode, race: Gather) -> None:
    """Somebody who is connected and does nothing is not waited for either."""
    ada, ben = await race(await node(rules=Rules(idle_ms=1_000, absent_ms=NEVER)), "Ada", "Ben")
    await ben.moves(solution()[:1])
    await ada.win()
    results = (await ada.expect("race_ended"))["results"]
    assert [(row["name"], row["state"]) for row in results] == [("Ada", "won"), ("Ben", "unfinished")]


async def test_the_race_does_not_wait_for_a_racer_who_leaves(node: StartNode, race: Gather) -> None:
    """Who gives up the seat is ranked by what was done."""
    ada, ben = await race(await node(), "Ada", "Ben")
    await ben.moves(solution()[:3])
    await ben.do("leave")
    await ada.win()
    results = (await ada.expect("race_ended"))["results"]
    assert [(row["name"], row["state"], row["moves"]) for row in results] == [
        ("Ada", "won", len(solution())),
        ("Ben", "unfinished", 3),
    ]


async def test_a_racer_who_left_and_joins_at_another_node_continues_there(
    node: StartNode, race: Gather
) -> None:
    """The way in does not matter: the game is what the log says."""
    here, there = await node(), await node()
    ada, ben = await race(here, "Ada", "Ben")
    elsewhere = url_of(there)
    ben_there = await ben.reconnect(elsewhere)
    await ada.moves(solution()[:5])
    await ada.do("leave")
    ada_there = await ada.reconnect(elsewhere)
    await ada_there.moves(solution()[5:10])
    await ada_there.do("leave")
    await ben_there.expect("member_left", player=ada.player, reason="left")
    ada_here = await ada.reconnect()
    assert ada_here.n == 10
    await ada_here.moves(solution()[10:15])


# Start and end.


async def test_of_two_starts_one_counts(node: StartNode, party: Gather) -> None:
    """The second is refused, and there is one countdown and one race."""
    ada, ben = await party(await node(), "Ada", "Ben", countdown_s=1)
    await ada.ready()
    await ada.send(type="start_countdown", ref=101)
    assert await ada.error_code("start_countdown") == "countdown_running"
    await ada.expect("done", ref=101)
    await ada.racing()
    assert await ada.error_code("start_countdown") == "race_running"
    await ada.win()
    await ben.expect("race_ended")
    assert len(ben.messages("countdown_started")) == len(ben.messages("race_started")) == 1


async def test_everybody_ready_at_once_starts_one_race(node: StartNode, party: Gather) -> None:
    """However the last ones' messages meet, nobody is left out and nothing starts twice."""
    racers = await party(await node(), *"ABCDEFGH", start_mode="all_ready")
    await asyncio.gather(*(racer.ready() for racer in racers))
    started = await asyncio.gather(*(racer.racing() for racer in racers))
    assert {tuple(each["racers"]) for each in started} == {tuple(racer.player for racer in racers)}
    assert [len(racer.messages("countdown_started", "race_started")) for racer in racers] == [2] * 8


async def test_a_join_during_the_start_is_before_or_after_it(
    node: StartNode, party: Gather, person: Connect
) -> None:
    """Who joins and is ready in time races; who is not, watches: everybody sees the same of it."""
    where = await node()
    (ada,) = await party(where, "Ada")
    await ada.ready()
    late = [await person(where, f"Late{number}") for number in range(6)]

    async def rush(racer: Client) -> None:
        await racer.join(ada.room)
        answer = await racer.ask("ready")
        assert answer["type"] == "done" or answer["code"] == "race_running"

    await asyncio.gather(
        *(rush(racer) for racer in late[:3]), ada.start(), *(rush(racer) for racer in late[3:])
    )
    racers = (await ada.racing())["racers"]
    assert racers[0] == ada.player
    for racer in late:
        racer.code, racer.n = CODE, 0
        answer = await racer.act("move", **solution()[0])
        assert answer["type"] == ("accepted" if racer.player in racers else "refused")


async def test_ready_during_the_countdown_still_counts(
    node: StartNode, party: Gather, person: Connect
) -> None:
    """A countdown is there for the last ones to get ready, and for those who come in."""
    where = await node()
    ada, ben = await party(where, "Ada", "Ben", countdown_s=1)
    await ada.ready()
    await ada.start()
    await ben.ready()
    eve = await person(where, "Eve")
    view = await eve.join(ada.room)
    assert view["phase"] == "countdown"
    assert 0 < view["starts_in_ms"] <= 1000
    await eve.ready()
    assert (await ada.racing())["racers"] == [ada.player, ben.player, eve.player]


async def test_the_host_cancels_the_countdown(node: StartNode, party: Gather) -> None:
    """Everybody who was ready still is; a new start starts one race."""
    ada, ben = await party(await node(), "Ada", "Ben", countdown_s=1)
    await ada.ready()
    await ben.ready()
    await ada.start()
    await ada.do("cancel_countdown")
    await ben.expect("countdown_cancelled", reason="by_host")
    assert await ada.error_code("cancel_countdown") == "no_countdown"
    await ada.do("configure", settings={"countdown_s": 0}, code=CODE)
    await ada.start()
    assert (await ben.racing())["racers"] == [ada.player, ben.player]
    await ada.racing()
    await asyncio.gather(ada.win(), ben.win())
    await ben.expect("race_ended")
    assert len(ben.messages("race_started")) == 1


async def test_settings_cannot_change_during_countdown_and_race(
    node: StartNode, race: Gather, party: Gather
) -> None:
    """Nobody's race changes under them."""
    where = await node()
    (ada,) = await party(where, "Ada", countdown_s=60)
    await ada.ready()
    await ada.start()
    assert await ada.error_code("configure", settings={}) == "countdown_running"
    (ben,) = await race(where, "Ben")
    assert await ben.error_code("configure", settings={}) == "race_running"


async def test_a_start_needs_somebody_who_is_ready(node: StartNode, party: Gather) -> None:
    """And if nobody is any more when the countdown ends, there is no race."""
    (ada,) = await party(await node(), "Ada", countdown_s=1)
    assert await ada.error_code("start_countdown") == "nobody_ready"
    await ada.ready()
    await ada.start()
    await ada.do("ready", ready=False)
    await ada.expect("countdown_cancelled", reason="nobody_ready")
    assert ada.messages("race_started") == []


async def test_the_race_ends_at_its_time_limit(node: StartNode, race: Gather) -> None:
    """Nobody has to be done; moves that come later are refused."""
    ada, ben = await race(await node(), "Ada", "Ben", time_limit_s=1)
    await ben.moves(solution()[:2])
    over = await ada.expect("race_ended")
    assert [(row["name"], row["rank"], row["state"]) for row in over["results"]] == [
        ("Ben", 1, "unfinished"),
        ("Ada", 2, "unfinished"),
    ]
    assert (await ben.act("move", **solution()[2]))["code"] == "wrong_race"


async def test_racers_are_warned_before_the_time_limit(node: StartNode, race: Gather) -> None:
    """A minute before the end there is a notice with what is left."""
    ada, ben = await race(await node(), "Ada", "Ben", time_limit_s=61)
    for racer in (ada, ben):
        notice = await racer.expect("notice", code="time_warning")
        assert 59_000 < notice["remaining_ms"] <= 60_000


async def test_progress_of_other_nodes_is_read_again_after_a_bug(
    node: StartNode, race: Gather, ledger: Ledger
) -> None:
    """A log that could not be read once does not keep a node from all later looks."""
    here, there = await node(), await node()
    _, ben = await race(here, "Ada", "Ben")
    ben = await ben.reconnect(url_of(there))
    log = keys.game_log(ben.room, 1, ben.player)
    await here.store.commit([Commit((Append(log, 0, (b"?",)),))])
    here.rooms.read_again()
    await until(lambda: ledger.errors)
    ledger.lines.clear()
    await here.store.commit([Commit((Append(log, 1, (), ttl_s=0),))])
    reads = GatedStore.of(here).reads
    reads.close(log)
    here.rooms.read_again()
    await reads.reached()
    reads.open()


async def test_a_race_without_connected_racers_ends(node: StartNode, race: Gather) -> None:
    """Everybody's connection broke: the race ends after the absence that is forgiven."""
    where = await node(rules=Rules(absent_ms=100))
    ada, ben = await race(where, "Ada", "Ben")
    await ada.moves(solution()[:3])
    ada.abort()
    ben.abort()
    await until(lambda: where.counters.races_ended == 1)
    back = await ada.reconnect()
    assert back.received[-1]["phase"] == "results"
    assert [row["name"] for row in back.received[-1]["results"]] == ["Ada", "Ben"]

"""A node among others on one store, while the store comes and goes, and when the node itself goes."""

import json
import os
import signal

import pytest
from racetest import CODE, Client, Connect, Gather, Ledger, StartNode, fetch, rows_of, solution, until, url_of

from protocol.docs import asyncapi
from protocol.limits import PLAYERS_BURST
from server.core.rules import Rules
from server.node import Node
from server.store import keys
from server.store.embedded import EmbeddedRedis
from server.store.redis.client import RedisClient

STEPS = solution()
PASSWORD = "open sesame"  # noqa: S105 - no secret of ours


async def two_racers(here: Node, there: Node, person: Connect) -> list[Client]:
    """Let Ada race at one node and Ben at another, in one room."""
    ada, ben = await person(here, "Ada"), await person(there, "Ben", encoding="json")
    await ben.join(await ada.create(CODE))
    for racer in (ada, ben):
        await racer.ready()
    await ada.start()
    for racer in (ada, ben):
        await racer.racing()
    return [ada, ben]


async def test_members_of_one_room_race_at_different_nodes(node: StartNode, person: Connect) -> None:
    """Events, finishes and results are the same wherever somebody is connected."""
    ada, ben = await two_racers(await node(), await node(), person)
    await ben.do("chat", text="from over there")
    assert (await ada.expect("chat_message"))["text"] == "from over there"
    await ben.win()
    won = await ada.expect("racer_won")
    assert won["player"] == ben.player
    await ada.win()
    over = [await racer.expect("race_ended") for racer in (ada, ben)]
    assert over[0] == over[1]
    assert [(row["name"], row["rank"]) for row in over[0]["results"]] == [("Ben", 1), ("Ada", 2)]
    kinds = ("member_joined", "ready_changed", "race_started", "chat_message", "racer_won", "race_ended")
    seen = [[message["seq"] for message in racer.messages(*kinds)] for racer in (ada, ben)]
    assert seen[0][1:] == seen[1]  # Ben was not there when he was announced
    assert all(numbers == sorted(set(numbers)) for numbers in seen)


async def test_two_nodes_write_one_room_at_once(node: StartNode, person: Connect) -> None:
    """Both nodes write the room at once: every request has its answer, and one race starts."""
    here, there = await node(), await node()
    ada, ben = await person(here, "Ada"), await person(there, "Ben")
    await ben.join(await ada.create(CODE, start_mode="all_ready"))
    for racer in (ada, ben):
        for number in range(5):
            await racer.send(type="chat", ref=100 + number, text=f"{racer.name} {number}")
        await racer.send(type="ready", ref=110)
    for racer in (ada, ben):
        assert [(await racer.answered(ref))["type"] for ref in (*range(100, 105), 110)] == ["done"] * 6
        await racer.racing()
    lines = [[message["text"] for message in racer.messages("chat_message")] for racer in (ada, ben)]
    assert lines[0] == lines[1]
    assert sorted(lines[0]) == sorted(f"{name} {number}" for name in ("Ada", "Ben") for number in range(5))
    assert [len(racer.messages("countdown_started", "race_started")) for racer in (ada, ben)] == [2, 2]


async def test_subscribers_of_a_leaderboard_get_races_of_other_nodes(
    node: StartNode, race: Gather, person: Connect
) -> None:
    """Wherever the race was, the change is announced everywhere."""
    here = await node()
    there = await node()
    eve = await person(here, "Eve")
    await eve.ask("subscribe_leaderboard", code=CODE)
    (ada,) = await race(there, "Ada")
    won = await ada.win()
    boards = await eve.expect("leaderboard")
    assert [(row["name"], row["value"]) for row in rows_of(boards, "time")] == [("Ada", won["at_ms"])]


async def test_a_countdown_continues_without_the_node_that_started_it(
    node: StartNode, person: Connect
) -> None:
    """The node that was to draw the deal dies: another draws it, a little later, and the race starts."""
    here, there = await node(), await node(rules=Rules(draw_grace_ms=1))
    ada, ben = await person(here, "Ada"), await person(there, "Ben")
    await ben.join(await ada.create(countdown_s=1, winnable=False))
    await ada.ready()
    await ben.ready()
    await ada.start()
    await ben.expect("countdown_started")
    await here.aclose()
    assert (await ben.racing())["racers"] == [ada.player, ben.player]
    back = await ada.reconnect(url_of(there))
    assert back.n == 0


async def test_moves_wait_while_the_store_is_unavailable_and_none_is_lost(
    own_server: EmbeddedRedis, node: StartNode, race: Gather, ledger: Ledger
) -> None:
    """Sockets stay, clients get a notice, `/readyz` says no; when it is back all continues in order."""
    where = await node(url=own_server.url)
    ada, ben = await race(where, "Ada", "Ben")
    await ada.moves(STEPS[:5])
    assert await fetch(f"{url_of(where, 'http')}/readyz") == (200, "ready\n")
    os.kill(own_server.pid, signal.SIGKILL)
    await until(lambda: not own_server.running)
    for number, step in enumerate(STEPS[5:15], start=6):
        await ada.send(type="move", n=number, **step)
    for racer in (ada, ben):
        await racer.expect("notice", code="store_unavailable")
    status, reason = await fetch(f"{url_of(where, 'http')}/readyz")
    assert status == 503
    assert reason.startswith("not ready: the store is unavailable: ")
    assert await fetch(f"{url_of(where, 'http')}/healthz") == (200, "alive\n")
    assert await ben.error_code("get_record", race=1) == "store_unavailable"
    own_server.revive()
    answers = [await ada.answer(number) for number in range(6, 16)]
    assert [answer["type"] for answer in answers] == ["accepted"] * 10
    await ben.expect("notice", code="store_available")
    assert (await ada.ask("get_game"))["game"]["n"] == 15
    await until(lambda: where.not_ready() is None)
    await ada.moves(STEPS[15:])
    await ben.win()
    results = (await ben.expect("race_ended"))["results"]
    assert [(row["name"], row["moves"]) for row in results] == [("Ada", len(STEPS)), ("Ben", len(STEPS))]
    assert len(ledger.of("store unavailable")) == len(ledger.of("store available")) == 1


async def test_a_store_that_refuses_for_a_while_is_waited_for(
    own_server: EmbeddedRedis, node: StartNode, race: Gather
) -> None:
    """Out of memory: nothing is lost, nothing dies of it, and it goes on when there is room again."""
    where = await node(url=own_server.url)
    ada, ben = await race(where, "Ada", "Ben")
    command = RedisClient(own_server.url, 5.0)
    await command.execute("CONFIG", "SET", "maxmemory", "1")
    await ada.send(type="move", n=1, **STEPS[0])
    await ben.expect("notice", code="store_unavailable")
    assert "out of memory" in str(where.not_ready())
    eve = await Client(url_of(where), "Eve").open()
    await eve.send(type="hello", ref=1, name="Eve")
    await command.execute("CONFIG", "SET", "maxmemory", "0")
    await ada.answer(1)
    assert (await eve.answered(1))["type"] == "welcome"
    await ada.win()
    await ben.win()
    await ada.expect("race_ended")
    await eve.close()
    await command.aclose()


async def test_a_node_that_stops_asks_its_clients_to_reconnect(
    node: StartNode, race: Gather, person: Connect
) -> None:
    """A notice, 1012, and no ghosts: at the next node all are away until they return, and race on."""
    here = await node()
    there = await node()
    ada, ben = await race(here, "Ada", "Ben")
    await ada.moves(STEPS[:7])
    await here.stop()
    for racer in (ada, ben):
        assert await racer.closed() == (
            1012,
            "The server is restarting. Wait for a random time, then connect again.",
        )
        notice = racer.received[-1]
        assert notice["code"] == "restarting"
        assert 0 <= notice["retry_in_ms"] <= 3_000
    eve = await person(there, "Eve")
    view = await eve.join(ada.room)
    assert [(each["name"], each["connected"]) for each in view["members"]] == [
        ("Ada", False),
        ("Ben", False),
        ("Eve", True),
    ]
    ada, ben = await ada.reconnect(url_of(there)), await ben.reconnect(url_of(there))
    assert ada.n == 7
    await ada.win()
    await ben.win()
    await eve.expect("race_ended")


async def test_a_race_that_nobody_returns_to_is_ended_by_another_node(
    node: StartNode, race: Gather, ledger: Ledger
) -> None:
    """Every race ends: another node finds it on the schedule and takes it over."""
    here = await node()
    ada, ben = await race(here, "Ada", "Ben")
    await ada.moves(STEPS[:3])
    await here.stop()
    there = await node(rules=Rules(absent_ms=50))
    await there.store.schedule(keys.rooms_schedule(), ada.room, 0)
    await there.rooms.sweep()
    await until(lambda: ledger.of("race ended"))
    back = await ben.reconnect(url_of(there))
    view = back.received[-1]
    assert view["phase"] == "results"
    assert [(row["name"], row["state"]) for row in view["results"]] == [
        ("Ada", "unfinished"),
        ("Ben", "unfinished"),
    ]


@pytest.mark.parametrize(
    ("options", "burst"),
    [({}, PLAYERS_BURST), ({"players_per_hour": 6_000.0}, 2_000), ({"connections_per_address": 300}, 300)],
)
async def test_all_connections_of_an_address_may_be_new_players(
    node: StartNode, options: dict[str, float], burst: float
) -> None:
    """A host who lets a big school in says so once."""
    assert (await node(**options)).sessions.limits.players_burst == burst


async def test_programs_can_read_the_limits_that_the_host_has_set(node: StartNode) -> None:
    """A client that paces itself by them is never too fast; the others are those of the protocol."""
    where = await node(messages_per_second=7.0, message_burst=9, rooms_per_hour=90.0, players_per_hour=900.0)
    _, body = await fetch(f"{url_of(where, 'http')}/.well-known/simonrace")
    assert json.loads(body)["limits"] == asyncapi.facts()["limits"] | {
        "messages_per_second": 7.0,
        "message_burst": 9,
        "rooms_per_hour": 90.0,
        "rooms_burst": 30.0,
        "players_per_hour": 900.0,
        "players_burst": 300.0,
    }


async def test_nothing_secret_is_logged(node: StartNode, person: Connect, ledger: Ledger) -> None:
    """One line a race; no token, no password, no line of chat."""
    where = await node()
    ada = await person(where, "Ada")
    await ada.create(CODE, password=PASSWORD)
    await ada.do("chat", text="between us")
    await ada.ready()
    await ada.start()
    await ada.racing()
    won = await ada.win()
    await until(lambda: ledger.of("race ended"))
    assert ledger.of("race ended") == [
        {
            "room": ada.room,
            "race": 1,
            "code": CODE,
            "racers": 1,
            "won": 1,
            "best_ms": won["at_ms"],
            "actions": len(STEPS),
        }
    ]
    everything = str(ledger.lines)
    for secret in (ada.token, PASSWORD, "between us"):
        assert secret not in everything

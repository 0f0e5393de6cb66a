"""Races of dead nodes whose players do not return: another node ends them."""

import pytest
from racetest import Connect, GatedStore, Gather, StartNode, solution, until

from protocol.parts import Phase
from server.core.rules import Rules

RULES = Rules(host_grace_ms=100, absent_ms=100, idle_ms=3_600_000, forfeit_undo_ms=0)


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten heartbeats and renewals to fractions of a second."""
    monkeypatch.setattr("server.services.cluster.BEAT_S", 0.05)
    monkeypatch.setattr("server.services.cluster.LIFE_MS", 500)
    monkeypatch.setattr("server.rooms.registry.RENEWAL_MS", 500)
    monkeypatch.setattr("server.rooms.registry.SWEEP_S", 0.05)


async def test_a_race_of_a_dead_node_ends(node: StartNode, race: Gather, person: Connect) -> None:
    """Nobody returns. The results have each game as it was stored, and reach the leaderboards."""
    here, there = await node(rules=RULES), await node(rules=RULES)
    ada, ben = await race(here, "Ada", "Ben")
    await ada.win()
    await ben.moves(solution(ada.code)[:7])
    GatedStore.of(here).commits.close()  # what it would still write is not written
    await here.aclose()
    await until(lambda: there.counters.races_ended == 1)
    watcher = await person(there, "Watcher")
    room = await watcher.join(ada.room, spectate=True)
    assert room["phase"] == Phase.RESULTS
    assert [(row["name"], row["state"], row["moves"]) for row in room["results"]] == [
        ("Ada", "won", len(solution(ada.code))),
        ("Ben", "unfinished", 7),
    ]
    assert [person["connected"] for person in room["members"]] == [False, False, True]
    board = await watcher.ask("subscribe_leaderboard", code=ada.code)
    while not board["leaderboards"][0]["rows"]:
        board = await watcher.expect("leaderboard")
    assert [row["player"] for row in board["leaderboards"][0]["rows"]] == [ada.player]


async def test_members_of_a_dead_node_are_disconnected(
    node: StartNode, party: Gather, person: Connect
) -> None:
    here, there = await node(rules=RULES), await node(rules=RULES)
    ada, ben = await party(here, "Ada", "Ben")
    cyd = await person(there, "Cyd")
    await cyd.join(ada.room)
    GatedStore.of(here).commits.close()
    await here.aclose()
    for gone in (ada, ben):
        await cyd.expect("member_disconnected", player=gone.player)
    await cyd.expect("host_changed", player=cyd.player)


async def test_no_node_is_dead_after_the_store_was_unavailable(
    node: StartNode, party: Gather, person: Connect
) -> None:
    """All heartbeats have expired then, also those of running nodes."""
    here, there = await node(rules=RULES), await node(rules=RULES)
    ada, _ = await party(here, "Ada", "Ben")
    cyd = await person(there, "Cyd")
    await cyd.join(ada.room)
    for each in (here, there):
        await each.store.heartbeat(each.id, 1)
        each._cluster._beaten_at -= 60
    assert await there._cluster.dead([here.id]) is None
    await cyd.sync()
    await ada.do("chat", text="we all are here")
    await cyd.expect("chat_message", text="we all are here")
    assert cyd.messages("member_disconnected") == []

"""The end of a race against what happens in the same instant."""

from racetest import GatedStore, Gather, StartNode, solution

from server.core.rules import Rules


async def test_a_racer_who_returns_in_the_last_instant_goes_on(node: StartNode, race: Gather) -> None:
    """The race was about to end without the absent one, who is back before it did: it does not end."""
    where = await node(rules=Rules(absent_ms=60, idle_ms=3_600_000))
    ada, ben = await race(where, "Ada", "Ben")
    await ada.win()
    gate = GatedStore.of(where).reads
    gate.close(f"race:1:{ben.player}")
    ben.vanish()
    await gate.reached()
    back = await ben.back()
    await back.moves(solution()[:3])
    gate.open()
    await back.win()
    results = (await ada.expect("race_over"))["results"]
    assert [(row["name"], row["state"]) for row in results] == [("Ada", "won"), ("Ben", "won")]


async def test_an_acknowledged_move_is_in_the_results(node: StartNode, race: Gather) -> None:
    """A log that grew while the race was being closed is read again."""
    where = await node(rules=Rules(forfeit_undo_ms=30, idle_ms=3_600_000))
    ada, ben = await race(where, "Ada", "Ben", time_limit=1)
    gate = GatedStore.of(where).reads
    commits = GatedStore.of(where).commits
    commits.close(f"race:1:{ben.player}")
    await ben.send(type="move", n=1, **solution()[0])
    await commits.reached()
    gate.close(f"race:1:{ben.player}")
    await gate.reached()  # the time is up, and the log was read without the move
    commits.open()
    assert (await ben.answer(1))["type"] == "accepted"
    gate.open()
    results = (await ada.expect("race_over"))["results"]
    assert {row["name"]: row["moves"] for row in results} == {"Ada": 0, "Ben": 1}


async def test_two_nodes_that_close_a_race_close_it_once(node: StartNode, race: Gather) -> None:
    """Both see that the time is up; one commit wins, everybody hears of one end."""
    here, there = await node(), await node()
    ada, ben = await race(here, "Ada", "Ben", time_limit=1)
    ben = await ben.back(f"ws://{there.address[0]}:{there.address[1]}")
    await ben.moves(solution()[:2])
    over = [await racer.expect("race_over") for racer in (ada, ben)]
    assert over[0] == over[1]
    await ada.do("say", text="and now?")
    await ben.expect("said")
    assert [len(racer.heard("race_over")) for racer in (ada, ben)] == [1, 1]
    assert here.counts.races_over + there.counts.races_over == 1

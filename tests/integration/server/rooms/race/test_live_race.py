"""The live standings, wherever the racers are connected."""

from racetest import Client, Gather, Message, StartNode, solution, url_of


async def row_of(watcher: Client, racer: Client, **fields: object) -> Message:
    """Wait for standings in which a racer stands like this."""
    while True:
        for row in (await watcher.expect("standings"))["rows"]:
            if row["player"] == racer.player and fields.items() <= row.items():
                return dict(row)


async def test_racers_at_other_nodes_are_in_the_standings(node: StartNode, race: Gather) -> None:
    """Each node tells the others how far its racers have come."""
    here, there = await node(), await node()
    ada, ben = await race(here, "Ada", "Ben")
    ben = await ben.reconnect(url_of(there))
    await ben.moves(solution()[:20])
    row = await row_of(ada, ben, moves=20)
    assert row == await row_of(ben, ben, moves=20)
    won = await ben.win()
    row = await row_of(ada, ben, state="won")
    assert (row["rank"], row["at_ms"], row["score"], row["progress"]) == (1, won["at_ms"], won["score"], 48)


async def test_standings_are_of_this_race(node: StartNode, race: Gather) -> None:
    """A new race begins at the beginning for everybody."""
    (ada,) = await race(await node(), "Ada")
    await ada.win()
    await ada.expect("race_ended")
    await ada.ready()
    await ada.start()
    await ada.racing()
    standings = await ada.expect("standings", race=2)
    assert [(row["moves"], row["score"], row["runs"]) for row in standings["rows"]] == [(0, 500, 0)]

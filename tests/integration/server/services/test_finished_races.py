"""Finished races: leaderboards first, then one line in the log of the server, with numbers only."""

from racetest import CODE, Gather, Ledger, StartNode, solution, until


async def test_a_race_without_a_winner_has_no_best_time(
    node: StartNode, race: Gather, ledger: Ledger
) -> None:
    where = await node()
    ada, ben = await race(where, "Ada", "Ben")
    await ada.moves(solution()[:4])
    await ada.act("forfeit")
    await ben.act("forfeit")
    await ben.expect("race_ended")
    await until(lambda: ledger.of("race ended"))
    assert ledger.of("race ended") == [
        {
            "room": ada.room,
            "race": 1,
            "code": CODE,
            "racers": 2,
            "won": 0,
            "best_ms": None,
            "actions": 6,
        }
    ]
    boards = await where.sessions.leaderboards.read(CODE)
    assert boards.leaderboards[0].rows == []

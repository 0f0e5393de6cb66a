"""The example spectator."""

from typing import Any

from racetest import Gather, StartNode, solution


async def test_it_prints_changed_standings_and_the_results(node: StartNode, party: Gather, run: Any) -> None:
    """From the lobby to the end of the race; then it ends."""
    ada, ben = await party(await node(), "Ada", "Ben\u00e9")
    wanda = await run("spectator.py", ada.url, ada.room, "Wanda")
    assert await wanda.prints("room ") == f"room {ada.room}: 'Ada', 'Ben\u00e9', 'Wanda'\n"
    for racer in (ada, ben):
        await racer.ready()
    await ada.start()
    for racer in (ada, ben):
        await racer.racing()
    await wanda.prints("race 1, deal SS1-S1-AAAAABD")
    await ada.moves(solution()[:3])
    await wanda.prints("  1. 'Ada'                        497 points    3 moves 0 runs  playing")
    await ada.win()
    await ben.act("forfeit")
    await wanda.prints("results")
    assert await wanda.ends() == 0
    moves = len(solution())
    assert wanda.printed[-3:] == [
        f"  1. 'Ada'                        {900 - moves} points   {moves} moves 4 runs  won",
        "  2. 'Ben\u00e9'                       500 points    0 moves 0 runs  forfeited",
        "the race is over",
    ]

"""The final results of a race, from every racer's game."""

from collections.abc import Mapping

from engine.ranking import rank
from protocol.parts import RacerState, Ranking, Result
from server.core.play import Play
from server.core.room import Race


def results(race: Race, plays: Mapping[str, Play], ranking: Ranking) -> tuple[Result, ...]:
    """Return everybody's result, best first, equal ones in the order in which they came to the room."""
    racers = list(race.racers.values())
    placings = [plays[racer.player].placing for racer in racers]
    ranks = rank(placings, ranking.value)
    rows = []
    for racer, placing, place in zip(racers, placings, ranks, strict=True):
        state = plays[racer.player].state
        rows.append(
            Result(
                player=racer.player,
                name=racer.name,
                rank=place,
                state=RacerState.UNFINISHED if state is RacerState.PLAYING else state,
                score=placing.score,
                moves=placing.moves,
                runs=placing.runs,
                reached_ms=placing.reached_ms,
            )
        )
    return tuple(sorted(rows, key=lambda row: row.rank))

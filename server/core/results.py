"""The final results of a race, from every racer's game."""

from collections.abc import Collection, Mapping

from engine.ranking import Status, rank
from protocol.parts import RacerState, Ranking, Result
from server.core.play import Play
from server.core.room import Race


def results(
    race: Race, plays: Mapping[str, Play], ranking: Ranking, inactive: Collection[str]
) -> tuple[Result, ...]:
    """Return the racers' results, best first; equal ones in the order in which the racers entered the room.

    `inactive` are the racers who were absent or idle when the race ended: unless they have won, they are
    ranked with those who forfeited.
    """
    racers = list(race.racers.values())
    placings = [
        placing._replace(status=Status.OUT)
        if racer.player in inactive and placing.status is Status.UNFINISHED
        else placing
        for racer in racers
        for placing in (plays[racer.player].placing,)
    ]
    ranks = rank(placings, ranking.mode)
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
                inactive=placing.status is Status.OUT and state is not RacerState.FORFEITED,
            )
        )
    return tuple(sorted(rows, key=lambda row: row.rank))

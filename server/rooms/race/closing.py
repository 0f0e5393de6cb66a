"""End of a race: read every racer's log, close it, and commit the results.

A node may lack the latest actions of racers on other nodes, so the logs decide whether the race is over. Each
log that could still grow gets a last entry, `CLOSED`, on condition that it has not grown since it was read.
So every acknowledged move is in the results, and a move that comes too late is refused.
"""

import asyncio
from functools import partial
from typing import Final

from protocol.errors import ErrorCode
from protocol.parts import RacerState
from server.core.commands import EndRace
from server.core.play import CLOSED, Play, load
from server.core.racing import inactive_racers, is_over
from server.core.results import results
from server.core.room import Race, Room
from server.rooms.context import RoomContext
from server.rooms.race.live_race import LiveRace
from server.rooms.race.standings import progress_of
from server.rooms.retry import retry_while_unavailable
from server.rooms.room_log import Answer, RoomLog
from server.store.port import Append

RETRY_S: Final = 1.0
"""Pause before the next attempt when the store is unavailable."""


async def close_race(context: RoomContext, log: RoomLog, live: LiveRace) -> bool:
    """End a race that is over; return whether this node ended it.

    After a conflict the logs are read again: another node or a racer was faster.
    """
    while _is_running(log.committed_state, live.race):
        plays, appends = await _read_games(context, live)
        room, now, idle_since_ms = log.committed_state, context.now_ms(), live.idle_since_ms()
        if not is_over(room, live.race, now, context.rules, idle_since_ms):
            return False
        inactive = inactive_racers(room, live.race, now, context.rules, idle_since_ms)
        command = EndRace(live.number, results(live.race, plays, room.settings.ranking, inactive))
        attempt: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        log.submit_with(command, partial(_resolve, attempt), appends, partial(_resolve, attempt, []))
        answer = await attempt
        if answer is ErrorCode.STORE_UNAVAILABLE:
            await asyncio.sleep(RETRY_S)
        elif isinstance(answer, list) and answer:
            return True
    return False


def _is_running(room: Room, race: Race) -> bool:
    running = room.running_race
    ours = (race.number, race.started_at_ms)
    return running is not None and (running.number, running.started_at_ms) == ours


def _resolve(attempt: "asyncio.Future[Answer]", answer: Answer) -> None:
    if not attempt.done():  # it is cancelled when the server stops
        attempt.set_result(answer)


async def _read_games(context: RoomContext, live: LiveRace) -> tuple[dict[str, Play], tuple[Append, ...]]:
    """Read the racers' games, and return them with the entries that close those that could still grow."""
    plays: dict[str, Play] = {}
    appends: list[Append] = []
    for player, game in live.games.items():
        entries = await retry_while_unavailable(partial(context.store.read, game.log))
        play = plays[player] = load(live.deal, live.number, entries)
        game.standing.report(progress_of(player, play))
        if play.state is not RacerState.WON:
            appends.append(Append(game.log, len(entries), (CLOSED,)))
    return plays, tuple(appends)

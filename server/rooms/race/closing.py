"""The end of a race: everybody's log is read, closed, and turned into results, in one commit.

What a node knows of racers on other nodes may be old, so the logs tell whether the race is over.
Each log that could still grow gets a last entry, `CLOSED`, on condition that nobody has written to it since
it was read. So a move that is acknowledged is in the results, and one that came too late is refused.
"""

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final

from protocol.errors import ErrorCode
from protocol.parts import Phase, RacerState
from server.core.commands import EndRace
from server.core.play import CLOSED, Play, load
from server.core.racing import inactive_racers, is_over
from server.core.results import results
from server.core.room import Race
from server.rooms.race.standings import measured
from server.rooms.retry import patiently
from server.store import keys
from server.store.port import Append

if TYPE_CHECKING:
    from server.rooms.context import Context
    from server.rooms.race.live_race import Track
    from server.rooms.room_log import Answer, Desk


PAUSE_S: Final = 1.0
"""Pause before the next attempt when the store takes nothing more."""


async def close_race(context: "Context", desk: "Desk", track: "Track") -> bool:
    """Bring a race that is over to its end, however often other writers are faster; return whether we did."""
    while _runs(desk, track.race):
        plays, appends = await _read_all(context, track)
        room, now, idle_since_ms = desk.told, context.now_ms(), track.idle_since_ms()
        if not is_over(room, track.race, now, context.rules, idle_since_ms):
            return False
        inactive = inactive_racers(room, track.race, now, context.rules, idle_since_ms)
        close = EndRace(track.number, results(track.race, plays, room.settings.ranking, inactive))
        attempt: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        desk.submit(close, partial(_settle, attempt), appends, partial(_settle, attempt, []))
        answer = await attempt
        if answer is ErrorCode.STORE_UNAVAILABLE:
            await asyncio.sleep(PAUSE_S)
        elif isinstance(answer, list) and answer:
            return True
    return False


def _runs(desk: "Desk", race: Race) -> bool:
    room, ours = desk.told, (race.number, race.started_at_ms)
    running = room.race if room.phase is Phase.RACING else None
    return running is not None and (running.number, running.started_at_ms) == ours


def _settle(attempt: "asyncio.Future[Answer]", answer: "Answer") -> None:
    if not attempt.done():  # nobody waits any more when the server stops
        attempt.set_result(answer)


async def _read_all(context: "Context", track: "Track") -> tuple[dict[str, Play], tuple[Append, ...]]:
    """Read the racers' games, and return them with the entries that close those that could still grow."""
    plays: dict[str, Play] = {}
    appends: list[Append] = []
    for player in track.race.racers:
        log = keys.game_log(track.room, track.number, player)
        entries = await patiently(partial(context.store.read, log))
        play = plays[player] = load(track.deal, track.number, entries)
        track.seats[player].line.heard(measured(player, play))
        if play.state is not RacerState.WON:
            appends.append(Append(log, len(entries), (CLOSED,)))
    return plays, tuple(appends)

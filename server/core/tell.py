"""What people are told of a room: its events and its state, as messages of the protocol.

The passwords' hashes, the nodes and a deal that was named for a race to come are not for them.
"""

from functools import lru_cache
from typing import assert_never

from engine.code import GameCode
from engine.deal import deal
from protocol import from_server as say
from protocol.parts import Columns, GameView, Person, Phase, RaceView
from server.core import events as ev
from server.core.room import Member, Room


@lru_cache(maxsize=4096)
def columns_of(code: str) -> Columns:
    """Return the deal of a game code as it is sent; not to be changed."""
    return deal(GameCode.parse(code)).columns_text()


def person(member: Member) -> Person:
    """Return a member as everybody in the room may see them."""
    return Person(member.player, member.name, member.ready, member.watching, member.away_since is not None)


def snapshot(room: Room, player: str, now: int, game: GameView | None, ref: int) -> say.Room:
    """Return the whole room as `player` may see it."""
    race, counting = room.race, room.phase is Phase.COUNTDOWN
    return say.Room(
        ref=ref,
        seq=room.length,
        clock=now,
        room=room.code,
        you=player,
        host=room.host,
        owner=room.owner,
        phase=room.phase,
        settings=room.settings,
        locked=room.locked,
        has_password=room.password is not None,
        named_code=room.named_code is not None,
        races=room.races,
        people=[person(member) for member in room.members.values()],
        starts_in=max(0, room.starts_at - now) if counting else None,
        race=None
        if race is None or room.phase is not Phase.RACING
        else RaceView(
            race.number,
            race.code,
            columns_of(race.code),
            list(race.racers),
            max(0, now - race.started_at),
            race.time_limit_ms,
        ),
        game=game,
        results=list(race.results) if race is not None and race.results is not None else None,
    )


def event(happened: ev.Event, seq: int, now: int) -> say.RoomEvent | None:
    """Return what an event is on the wire, or None for one that nobody needs to know."""
    match happened:
        case ev.Opened():
            return None
        case ev.Joined(player=player, name=name, watching=watching):
            return say.PersonJoined(seq=seq, person=Person(player, name, False, watching, False))
        case ev.Left(player=player, reason=reason):
            return say.PersonLeft(seq=seq, player=player, reason=reason)
        case ev.WentAway(player=player):
            return say.PersonAway(seq=seq, player=player)
        case ev.CameBack(player=player):
            return say.PersonBack(seq=seq, player=player)
        case ev.ReadySet(player=player, ready=ready):
            return say.ReadyChanged(seq=seq, player=player, ready=ready)
        case ev.SettingsSet(settings=settings, code=code):
            return say.Configured(seq=seq, settings=settings, named_code=code is not None)
        case ev.LockSet(locked=locked):
            return say.LockChanged(seq=seq, locked=locked)
        case ev.HostSet(player=player):
            return say.HostChanged(seq=seq, player=player)
        case ev.Spoke(player=player, text=text):
            return say.Said(seq=seq, player=player, text=text)
        case ev.CountdownBegan(race=race, starts_at=starts_at):
            return say.CountdownStarted(seq=seq, race=race, starts_in=max(0, starts_at - now), clock=now)
        case ev.CountdownEnded(reason=reason):
            return say.CountdownStopped(seq=seq, reason=reason)
        case ev.LobbyReopened():
            return say.LobbyOpened(seq=seq)
        case ev.Started() | ev.Won() | ev.GaveUp() | ev.TookBack() | ev.Ended():
            return _race_event(happened, seq, now)
        case _:
            assert_never(happened)


def _race_event(
    happened: ev.Started | ev.Won | ev.GaveUp | ev.TookBack | ev.Ended, seq: int, now: int
) -> say.RoomEvent:
    match happened:
        case ev.Started(at=at, race=race, code=code, time_limit_ms=time_limit_ms, racers=racers):
            return say.RaceStarted(
                seq=seq,
                race=race,
                code=code,
                columns=columns_of(code),
                racers=[player for player, _ in racers],
                time_limit=time_limit_ms,
                elapsed=max(0, now - at),  # nodes know the clock to some milliseconds only
                clock=now,
            )
        case ev.Won(player=player, elapsed=elapsed, score=score, moves=moves):
            return say.RacerWon(seq=seq, player=player, elapsed=elapsed, score=score, moves=moves)
        case ev.GaveUp(player=player):
            return say.RacerForfeited(seq=seq, player=player)
        case ev.TookBack(player=player):
            return say.RacerReturned(seq=seq, player=player)
        case ev.Ended(race=race, code=code, results=results):
            return say.RaceOver(seq=seq, race=race, code=code, results=list(results))
        case _:
            assert_never(happened)

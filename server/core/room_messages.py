"""Events and state of a room as messages of the protocol.

Messages never contain the hash of a password, a node, or the code of a race that has not started.
"""

from functools import lru_cache
from typing import assert_never

from engine.code import GameCode
from engine.deal import deal
from protocol import from_server as say
from protocol.parts import Columns, GameView, Member, Phase, RaceView
from server.core import events as ev
from server.core import room as state
from server.core.room import Room


@lru_cache(maxsize=4096)
def columns_of(code: str) -> Columns:
    """Return the columns of a game code's deal; the caller must not change them."""
    return deal(GameCode.parse(code)).columns_text()


def member_view(member: state.Member) -> Member:
    """Return a member as an object of the protocol."""
    connected = member.disconnected_at_ms is None
    return Member(member.player, member.name, member.ready, member.spectator, connected)


def snapshot(room: Room, player: str, now: int, game: GameView | None, ref: int) -> say.Room:
    """Return the whole room as `player` can see it, `game` being their own game."""
    race, running = room.race, room.running_race
    counting = room.phase is Phase.COUNTDOWN
    return say.Room(
        ref=ref,
        seq=room.length,
        clock_ms=now,
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
        members=[member_view(member) for member in room.members.values()],
        starts_in_ms=max(0, room.starts_at_ms - now) if counting else None,
        current_race=None
        if running is None
        else RaceView(
            running.number,
            running.code,
            columns_of(running.code),
            list(running.racers),
            max(0, now - running.started_at_ms),
            running.time_limit_ms,
        ),
        game=game,
        results=list(race.results) if race is not None and race.results is not None else None,
    )


def message_of(event: ev.Event, seq: int, now: int) -> say.RoomEvent | None:
    """Return the message of an event, or None if members get none."""
    match event:
        case ev.RoomOpened():
            return None
        case ev.MemberJoined(player=player, name=name, spectator=spectator):
            return say.MemberJoined(seq=seq, member=Member(player, name, False, spectator, True))
        case ev.MemberLeft(player=player, reason=reason):
            return say.MemberLeft(seq=seq, player=player, reason=reason)
        case ev.MemberDisconnected(player=player):
            return say.MemberDisconnected(seq=seq, player=player)
        case ev.MemberReconnected(player=player):
            return say.MemberReconnected(seq=seq, player=player)
        case ev.ReadyChanged(player=player, ready=ready):
            return say.ReadyChanged(seq=seq, player=player, ready=ready)
        case ev.Configured(settings=settings, code=code):
            return say.Configured(seq=seq, settings=settings, named_code=code is not None)
        case ev.LockChanged(locked=locked):
            return say.LockChanged(seq=seq, locked=locked)
        case ev.HostChanged(player=player):
            return say.HostChanged(seq=seq, player=player)
        case ev.ChatMessage(player=player, text=text):
            return say.ChatMessage(seq=seq, player=player, text=text)
        case ev.CountdownStarted(race=race, starts_at_ms=starts_at_ms):
            return say.CountdownStarted(
                seq=seq, race=race, starts_in_ms=max(0, starts_at_ms - now), clock_ms=now
            )
        case ev.CountdownCancelled(reason=reason):
            return say.CountdownCancelled(seq=seq, reason=reason)
        case ev.LobbyOpened():
            return say.LobbyOpened(seq=seq)
        case (
            ev.RaceStarted() | ev.RacerWon() | ev.RacerForfeited() | ev.RacerForfeitUndone() | ev.RaceEnded()
        ):
            return _race_message_of(event, seq, now)
        case _:
            assert_never(event)


def _race_message_of(
    event: ev.RaceStarted | ev.RacerWon | ev.RacerForfeited | ev.RacerForfeitUndone | ev.RaceEnded,
    seq: int,
    now: int,
) -> say.RoomEvent:
    match event:
        case ev.RaceStarted(
            clock_ms=started_at_ms, race=race, code=code, time_limit_ms=time_limit_ms, racers=racers
        ):
            return say.RaceStarted(
                seq=seq,
                race=race,
                code=code,
                columns=columns_of(code),
                racers=[player for player, _ in racers],
                time_limit_ms=time_limit_ms,
                elapsed_ms=max(0, now - started_at_ms),  # the clocks of nodes differ by some milliseconds
                clock_ms=now,
            )
        case ev.RacerWon(player=player, at_ms=at_ms, score=score, moves=moves):
            return say.RacerWon(seq=seq, player=player, at_ms=at_ms, score=score, moves=moves)
        case ev.RacerForfeited(player=player):
            return say.RacerForfeited(seq=seq, player=player)
        case ev.RacerForfeitUndone(player=player):
            return say.RacerForfeitUndone(seq=seq, player=player)
        case ev.RaceEnded(race=race, code=code, results=results):
            return say.RaceEnded(seq=seq, race=race, code=code, results=list(results))
        case _:
            assert_never(event)

"""Decisions about the race: countdown, start, winners, forfeits, end."""

from protocol.errors import ErrorCode
from protocol.from_client import Configure
from protocol.parts import CancelReason, Phase, RacerState
from protocol.refusals import RefusalCode
from server.core import commands as cmd
from server.core import events as ev
from server.core.room import Race, Racer, Room
from server.core.rules import Rules


def countdown(room: Room, node: str, now: int) -> ev.CountdownStarted:
    """Return the event that starts the countdown of the room's settings."""
    return ev.CountdownStarted(now, room.races + 1, now + room.settings.countdown_s * 1000, node)


def start(room: Room, ask: cmd.MemberRequest, now: int) -> list[ev.Event] | ErrorCode:
    """The host starts the countdown. A second start is refused and changes nothing."""
    if room.phase is Phase.COUNTDOWN:
        return ErrorCode.COUNTDOWN_RUNNING
    if room.phase is Phase.RACING:
        return ErrorCode.RACE_RUNNING
    if not any(member.ready for member in room.present()):
        return ErrorCode.NOBODY_READY
    return [countdown(room, ask.node, now)]


def cancel(room: Room, now: int) -> list[ev.Event] | ErrorCode:
    """The host stops the countdown; everybody who was ready still is."""
    if room.phase is not Phase.COUNTDOWN:
        return ErrorCode.NO_COUNTDOWN
    return [ev.CountdownCancelled(now, CancelReason.BY_HOST)]


def configure(room: Room, request: Configure, code: str | None, now: int) -> list[ev.Event] | ErrorCode:
    """The host replaces the settings, between races only; after a race that reopens the lobby."""
    if room.phase is Phase.COUNTDOWN:
        return ErrorCode.COUNTDOWN_RUNNING
    if room.phase is Phase.RACING:
        return ErrorCode.RACE_RUNNING
    events: list[ev.Event] = [ev.LobbyOpened(now)] if room.phase is Phase.RESULTS else []
    return [*events, ev.Configured(now, request.settings, code)]


def begin(room: Room, command: cmd.StartRace, now: int, rules: Rules) -> list[ev.Event]:
    """The countdown is over: all who are ready race, in the order in which they came.

    Somebody who lost the connection a moment ago and was ready has a seat in the race like all others; not
    so somebody who is away so long that nobody would wait for them.
    """
    if room.phase is not Phase.COUNTDOWN or now < room.starts_at_ms:
        return []
    racers = tuple(
        (each.player, each.name)
        for each in room.members.values()
        if each.ready and (each.disconnected_at_ms is None or now - each.disconnected_at_ms < rules.absent_ms)
    )
    if not racers:
        return [ev.CountdownCancelled(now, CancelReason.NOBODY_READY)]
    return [ev.RaceStarted(now, room.races + 1, command.code, room.settings.time_limit_s * 1000, racers)]


def progress(
    room: Room, command: cmd.Win | cmd.Forfeit | cmd.UndoForfeit, now: int, rules: Rules
) -> list[ev.Event] | RefusalCode:
    """A racer wins, forfeits or takes a forfeit back; refused when the race is over, or is not theirs.

    In a room that is used up a forfeit stays: to and fro would never come to an end.
    """
    race = room.race
    if race is None or race.number != command.race or room.phase is not Phase.RACING:
        return RefusalCode.NOT_RACING
    racer = race.racers.get(command.player)
    match command:
        case _ if racer is None:
            return RefusalCode.NOT_RACING
        case cmd.Win() if racer.state is RacerState.PLAYING:
            return [ev.RacerWon(now, command.player, command.at_ms, command.score, command.moves)]
        case cmd.Forfeit() if racer.state is RacerState.PLAYING:
            return [ev.RacerForfeited(now, command.player)]
        case cmd.UndoForfeit() if racer.state is RacerState.FORFEITED and room.length < rules.room_events:
            return [ev.RacerForfeitUndone(now, command.player)]
        case _:
            return RefusalCode.NOT_RACING


def close(room: Room, command: cmd.EndRace, now: int) -> list[ev.Event]:
    """The race is over; a second end of the same race changes nothing."""
    race = room.race
    if race is None or race.number != command.race or room.phase is not Phase.RACING:
        return []
    return [ev.RaceEnded(now, command.race, race.code, command.results)]


def is_over(room: Room, race: Race, now: int, rules: Rules, idle_since_ms: dict[str, int]) -> bool:
    """Return whether nothing is left to wait for.

    Over is a race at its time limit, or when each racer has won, has forfeited beyond recall, is away too
    long or has done nothing too long; `idle_since` tells the last deed of those who play on this node.
    """
    return now >= race.ends_at_ms or now >= over_at(room, race, rules, idle_since_ms)


def over_at(room: Room, race: Race, rules: Rules, idle_since_ms: dict[str, int]) -> int:
    """Return when the last racer stops holding the race if nobody does anything more.

    Who has no seat in the room any more holds nobody, not even to take a forfeit back.
    """
    last = race.started_at_ms
    for racer in race.racers.values():
        if racer.state is RacerState.FORFEITED and racer.player in room.members:
            last = max(last, racer.forfeited_at_ms + rules.forfeit_undo_ms)
        elif racer.state is RacerState.PLAYING:
            last = max(last, _inactive_at(room, race, racer, rules, idle_since_ms))
    return last


def inactive_racers(
    room: Room, race: Race, now: int, rules: Rules, idle_since_ms: dict[str, int]
) -> frozenset[str]:
    """Return the racers who still play but are absent or idle now, or have left the room.

    A race that has reached its time limit ended at that moment, however much later a node gets to it.
    """
    ended_at = min(now, race.ends_at_ms)
    return frozenset(
        racer.player
        for racer in race.racers.values()
        if racer.state is RacerState.PLAYING
        and _inactive_at(room, race, racer, rules, idle_since_ms) <= ended_at
    )


def _inactive_at(room: Room, race: Race, racer: Racer, rules: Rules, idle_since_ms: dict[str, int]) -> int:
    """Return when a racer who plays becomes absent or idle if they do nothing more."""
    member = room.members.get(racer.player)
    if member is None:
        return race.started_at_ms
    idle_at = idle_since_ms.get(racer.player, race.started_at_ms) + rules.idle_ms
    if member.disconnected_at_ms is None:
        return idle_at
    return min(idle_at, max(member.disconnected_at_ms, race.started_at_ms) + rules.absent_ms)

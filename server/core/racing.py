"""Decisions about races: countdown, start, wins, forfeits, end."""

from protocol.errors import ErrorCode
from protocol.from_client import Configure
from protocol.parts import CancelReason, RacerState
from protocol.refusals import RefusalCode
from server.core import commands as cmd
from server.core import events as ev
from server.core.phases import may_open_lobby
from server.core.room import Race, Racer, Room
from server.core.rules import Rules


def new_countdown(room: Room, node: str, now: int) -> ev.CountdownStarted:
    """Return the event that starts a countdown of the length in the settings; `node` draws the deal."""
    return ev.CountdownStarted(now, room.races + 1, now + room.settings.countdown_s * 1000, node)


def start_countdown(room: Room, asked: cmd.MemberRequest, now: int) -> list[ev.Event] | ErrorCode:
    """Start the countdown if at least one connected member is ready."""
    if not any(member.ready for member in room.connected()):
        return ErrorCode.NOBODY_READY
    return [new_countdown(room, asked.node, now)]


def cancel_countdown(now: int) -> list[ev.Event]:
    """Cancel the countdown; members stay ready."""
    return [ev.CountdownCancelled(now, CancelReason.BY_HOST)]


def configure(room: Room, request: Configure, code: str | None, now: int) -> list[ev.Event]:
    """Replace the settings; after a race this opens the lobby."""
    events: list[ev.Event] = [ev.LobbyOpened(now)] if may_open_lobby(room.phase) else []
    return [*events, ev.Configured(now, request.settings, code)]


def start_race(room: Room, command: cmd.StartRace, now: int, rules: Rules) -> list[ev.Event]:
    """Start the race at the end of the countdown, or cancel the countdown if nobody can race.

    The racers are the members who are ready, in the order in which they joined. A member who lost the
    connection less than `absent_ms` ago races too.
    """
    if now < room.starts_at_ms:
        return []
    racers = tuple(
        (each.player, each.name)
        for each in room.members.values()
        if each.ready and (each.disconnected_at_ms is None or now - each.disconnected_at_ms < rules.absent_ms)
    )
    if not racers:
        return [ev.CountdownCancelled(now, CancelReason.NOBODY_READY)]
    return [ev.RaceStarted(now, room.races + 1, command.code, room.settings.time_limit_s * 1000, racers)]


def record_outcome(
    room: Room, command: cmd.Win | cmd.Forfeit | cmd.UndoForfeit, now: int, rules: Rules
) -> list[ev.Event] | RefusalCode:
    """Record a racer's win, forfeit or undone forfeit, if it belongs to the running race.

    In a room whose log is full a forfeit cannot be undone: racers could repeat the two without end.
    """
    race = room.running_race
    if race is None or race.number != command.race:
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


def end_race(room: Room, command: cmd.EndRace, now: int) -> list[ev.Event]:
    """End the race of this number; if another race is running, nothing happens."""
    race = room.running_race
    if race is None or race.number != command.race:
        return []
    return [ev.RaceEnded(now, command.race, race.code, command.results)]


def is_over(room: Room, race: Race, now: int, rules: Rules, idle_since_ms: dict[str, int]) -> bool:
    """Return whether a race is over: at its time limit, or when no racer can change the results any more.

    `idle_since_ms` has the time of the last action of each racer that is known here.
    """
    return now >= race.ends_at_ms or now >= all_done_at_ms(room, race, rules, idle_since_ms)


def all_done_at_ms(room: Room, race: Race, rules: Rules, idle_since_ms: dict[str, int]) -> int:
    """Return when every racer will be done if none of them acts again, regardless of the time limit.

    A racer is done after a win, after the time to undo a forfeit, when absent or idle, or after leaving.
    """
    last = race.started_at_ms
    for racer in race.racers.values():
        if racer.state is RacerState.FORFEITED and racer.player in room.members:
            last = max(last, racer.forfeited_at_ms + rules.forfeit_undo_ms)
        elif racer.state is RacerState.PLAYING:
            last = max(last, _inactive_at_ms(room, race, racer, rules, idle_since_ms))
    return last


def inactive_racers(
    room: Room, race: Race, now: int, rules: Rules, idle_since_ms: dict[str, int]
) -> frozenset[str]:
    """Return the racers who are still playing, but absent or idle, or have left the room.

    A race that reached its time limit is judged at that time, even if a node ends it later.
    """
    ended_at = min(now, race.ends_at_ms)
    return frozenset(
        racer.player
        for racer in race.racers.values()
        if racer.state is RacerState.PLAYING
        and _inactive_at_ms(room, race, racer, rules, idle_since_ms) <= ended_at
    )


def _inactive_at_ms(room: Room, race: Race, racer: Racer, rules: Rules, idle_since_ms: dict[str, int]) -> int:
    """Return when a racer becomes absent or idle if the racer does not act again."""
    member = room.members.get(racer.player)
    if member is None:
        return race.started_at_ms
    idle_at = idle_since_ms.get(racer.player, race.started_at_ms) + rules.idle_ms
    if member.disconnected_at_ms is None:
        return idle_at
    return min(idle_at, max(member.disconnected_at_ms, race.started_at_ms) + rules.absent_ms)

"""The next deadline of a room."""

from collections.abc import Mapping

from protocol.parts import Phase
from server.core.members import countdown_due_at_ms
from server.core.racing import all_done_at_ms
from server.core.room import Room
from server.core.rules import Rules


def next_due(
    room: Room, rules: Rules, node: str, idle_since_ms: Mapping[str, int], warning_at: int | None
) -> int | None:
    """Return the time of the room's next deadline, on the clock that all servers share, or None."""
    times: list[int] = []
    race = room.running_race
    if room.phase is Phase.COUNTDOWN:
        grace = 0 if room.drawing_node == node else rules.draw_grace_ms
        times.append(room.starts_at_ms + grace)
    elif race is not None:
        times.append(min(race.ends_at_ms, all_done_at_ms(room, race, rules, dict(idle_since_ms))))
        if warning_at is not None:
            times.append(warning_at)
    starts = countdown_due_at_ms(room, rules)
    if starts is not None:
        times.append(starts)
    host = room.members.get(room.host)
    if host is not None and host.disconnected_at_ms is not None and room.connected():
        times.append(host.disconnected_at_ms + rules.host_grace_ms)
    racers = race.racers if race is not None else {}
    times.extend(
        member.disconnected_at_ms + rules.seat_ms
        for member in room.members.values()
        if member.disconnected_at_ms is not None and member.player not in racers
    )
    return min(times, default=None)

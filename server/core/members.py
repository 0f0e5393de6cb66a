"""Decisions about people: who comes, goes, is away, is ready, is host."""

from collections.abc import Collection

from protocol.errors import ErrorCode
from protocol.from_client import Kick, Ready
from protocol.parts import LeaveReason, Phase, StartMode
from server.core import commands as cmd
from server.core import events as ev
from server.core.names import tell_apart
from server.core.racing import countdown
from server.core.room import Member, Room
from server.core.rules import Rules

Decision = list[ev.Event] | ErrorCode


def open_room(command: cmd.OpenRoom, now: int) -> Decision:
    """The owner opens the room and is in it."""
    return [
        ev.RoomOpened(now, command.player, command.settings, command.password, command.code),
        ev.MemberJoined(now, command.player, command.name, command.node, False),
    ]


def enter(room: Room, command: cmd.JoinRoom, now: int, rules: Rules) -> Decision:
    """Somebody comes in, or back. A seat is kept whatever the lock, the password or the number of people.

    A room that is used up takes nobody new; its people may come back, but not for ever.

    Neither lock nor password keeps the owner out, so that a room never lies locked with nobody to open it.
    """
    player = command.player
    if player in room.kicked:
        return ErrorCode.KICKED
    member = room.members.get(player)
    if member is not None:
        return _come_back(room, member, command.node, now, rules)
    if player != room.owner:
        if command.password != room.password and room.password is not None:
            return ErrorCode.WRONG_PASSWORD
        if room.locked:
            return ErrorCode.ROOM_LOCKED
    if room.length >= rules.room_events:
        return ErrorCode.ROOM_LOG_FULL
    if len(room.members) >= room.settings.max_members:
        return ErrorCode.ROOM_FULL
    name = tell_apart(command.name, [each.name for each in room.members.values()])
    joined = ev.MemberJoined(now, player, name, command.node, command.spectate)
    return [joined, *_host_by_coming(room, player, now, rules)]


def come_back(room: Room, command: cmd.Reconnect, now: int, rules: Rules) -> Decision:
    """Somebody is there who was taken for gone; a newer connection elsewhere makes that void."""
    member = room.members.get(command.player)
    if member is None or member.disconnected_at_ms is None:
        return []
    return _come_back(room, member, command.node, now, rules)


def _come_back(room: Room, member: Member, node: str, now: int, rules: Rules) -> Decision:
    player = member.player
    if member.disconnected_at_ms is None and member.node == node:
        return []
    if room.length >= 2 * rules.room_events:
        return ErrorCode.ROOM_LOG_FULL
    came = [ev.MemberReconnected(now, player, node), *_host_by_coming(room, player, now, rules)]
    return came + _all_ready(room, now, rules, back=player)


def _host_by_coming(room: Room, player: str, now: int, rules: Rules) -> list[ev.Event]:
    """The owner is host again at once; others only where nobody is there who could be."""
    alone = not room.present() and _host_is_gone(room, now, rules)
    return [ev.HostChanged(now, player)] if player != room.host and (player == room.owner or alone) else []


def _host_is_gone(room: Room, now: int, rules: Rules) -> bool:
    host = room.members.get(room.host)
    return host is None or (
        host.disconnected_at_ms is not None and now - host.disconnected_at_ms >= rules.host_grace_ms
    )


def drop(room: Room, command: cmd.Disconnect, now: int) -> Decision:
    """A connection ended; it counts only if the member has not connected elsewhere since."""
    member = room.members.get(command.player)
    if member is None or member.disconnected_at_ms is not None or member.node != command.node:
        return []
    return [ev.MemberDisconnected(now, command.player)]


def drop_nodes(room: Room, command: cmd.DisconnectNodes, now: int) -> Decision:
    """Nodes died: everybody whom they held is away."""
    return [
        ev.MemberDisconnected(now, member.player) for member in room.present() if member.node in command.nodes
    ]


def depart(room: Room, command: cmd.LeaveRoom, now: int, rules: Rules) -> Decision:
    """Somebody leaves for good; a host who leaves hands over at once."""
    if command.player not in room.members:
        return ErrorCode.NOT_IN_ROOM
    return _gone(room, command.player, LeaveReason.LEFT, now, rules)


def kick(room: Room, host: str, request: Kick, now: int, rules: Rules) -> Decision:
    """The host removes somebody, who cannot come back to this room; only its owner can."""
    if request.player == host:
        return ErrorCode.CANNOT_TARGET_SELF
    if request.player not in room.members:
        return ErrorCode.NO_SUCH_MEMBER
    return _gone(room, request.player, LeaveReason.KICKED, now, rules)


def ready(room: Room, ask: cmd.MemberRequest, request: Ready, now: int) -> Decision:
    """Somebody is ready, or not. The first who is ready after a race reopens the lobby.

    During the countdown it still counts for this race. Where everybody ready starts, the last one who is
    present starts the countdown; it takes two.
    """
    member = room.members[ask.player]
    if room.phase is Phase.RACING:
        return ErrorCode.RACE_RUNNING
    if member.ready == request.ready:
        return []
    events: list[ev.Event] = []
    if room.phase is Phase.RESULTS and request.ready:
        events.append(ev.LobbyOpened(now))
    events.append(ev.ReadyChanged(now, ask.player, request.ready))
    lobby = room.phase in (Phase.LOBBY, Phase.RESULTS)
    if request.ready and lobby and room.settings.start_mode is StartMode.ALL_READY:
        waiting = [each for each in room.present() if each.player != ask.player and not each.spectator]
        if waiting and all(each.ready for each in waiting):
            events.append(countdown(room, ask.node, now))
    return events


def tick(room: Room, now: int, rules: Rules) -> list[ev.Event]:
    """Hand over from a host who is away, give up seats that nobody came back to, wait for them no more."""
    events: list[ev.Event] = []
    present = room.present()
    if present and _host_is_gone(room, now, rules):
        events.append(ev.HostChanged(now, present[0].player))
    lost = [each.player for each in room.members.values() if seat_ends(room, each, rules, now)]
    events += [ev.MemberLeft(now, player, LeaveReason.EXPIRED) for player in lost]
    return events + _all_ready(room, now, rules, gone=lost)


def starts_itself_at(room: Room, rules: Rules, *, gone: Collection[str] = (), back: str = "") -> int | None:
    """Return when waiting alone starts a countdown: where everybody ready starts, and all who wait are.

    It takes two. Who watches is not waited for; who is away and not ready, only as long as a host is.
    `gone` and `back` are people who leave and come back at this moment.
    """
    if room.settings.start_mode is not StartMode.ALL_READY or room.phase is not Phase.LOBBY or room.held:
        return None
    at, starters = 0, 0
    for member in room.members.values():
        if member.player in gone:
            continue
        disconnected_at_ms = None if member.player == back else member.disconnected_at_ms
        if member.ready:
            starters += disconnected_at_ms is None
        elif member.spectator:
            continue
        elif disconnected_at_ms is None:
            return None
        else:
            at = max(at, disconnected_at_ms + rules.host_grace_ms)
    return at if starters >= 2 else None


def _all_ready(
    room: Room, now: int, rules: Rules, *, gone: Collection[str] = (), back: str = ""
) -> list[ev.Event]:
    at = starts_itself_at(room, rules, gone=gone, back=back)
    if at is None or now < at:
        return []
    others = (each for each in room.present() if each.player not in gone and each.player != back)
    return [countdown(room, next(each.node for each in others if each.ready), now)]


def seat_ends(room: Room, member: Member, rules: Rules, now: int) -> bool:
    """Return whether a member has been away too long; a racer of a running race never has."""
    racing_now = room.phase is Phase.RACING and room.race is not None and member.player in room.race.racers
    return (
        not racing_now
        and member.disconnected_at_ms is not None
        and now - member.disconnected_at_ms >= rules.seat_ms
    )


def _gone(room: Room, player: str, reason: LeaveReason, now: int, rules: Rules) -> list[ev.Event]:
    events: list[ev.Event] = [ev.MemberLeft(now, player, reason)]
    heir = next((each for each in room.present() if each.player != player), None)
    if player == room.host and heir is not None:
        events.append(ev.HostChanged(now, heir.player))
    return events + _all_ready(room, now, rules, gone=(player,))

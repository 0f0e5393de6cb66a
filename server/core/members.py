"""Decisions about members: join, leave, kick, lost connections, the host, who is ready."""

from collections.abc import Collection

from protocol.errors import ErrorCode
from protocol.from_client import Kick, Ready
from protocol.parts import LeaveReason, StartMode
from server.core import commands as cmd
from server.core import events as ev
from server.core.names import unique_name
from server.core.phases import may_open_lobby, may_start_countdown
from server.core.racing import new_countdown
from server.core.room import Member, Room
from server.core.rules import Rules

Decision = list[ev.Event] | ErrorCode


def open_room(command: cmd.OpenRoom, now: int) -> Decision:
    """Open the room, with the owner as its first member."""
    return [
        ev.RoomOpened(now, command.player, command.settings, command.password, command.code),
        ev.MemberJoined(now, command.player, command.name, command.node, False),
    ]


def join(room: Room, command: cmd.JoinRoom, now: int, rules: Rules) -> Decision:
    """Add a new member, or reconnect a member.

    The lock, the password and `max_members` do not apply to a member, who has a seat. The lock and the
    password do not apply to the owner either, so that a locked room always has somebody who can unlock it. A
    room whose log is full takes no new members; its members can reconnect until the log is twice as long.
    """
    player = command.player
    if player in room.kicked:
        return ErrorCode.KICKED
    member = room.members.get(player)
    if member is not None:
        return _reconnect(room, member, command.node, now, rules)
    if player != room.owner:
        if command.password != room.password and room.password is not None:
            return ErrorCode.WRONG_PASSWORD
        if room.locked:
            return ErrorCode.ROOM_LOCKED
    if room.length >= rules.room_events:
        return ErrorCode.ROOM_LOG_FULL
    if len(room.members) >= room.settings.max_members:
        return ErrorCode.ROOM_FULL
    name = unique_name(command.name, [each.name for each in room.members.values()])
    joined = ev.MemberJoined(now, player, name, command.node, command.spectate)
    return [joined, *_host_on_arrival(room, player, now, rules)]


def reconnect(room: Room, command: cmd.Reconnect, now: int, rules: Rules) -> Decision:
    """Mark a member as connected, unless a newer connection on another node has done so."""
    member = room.members.get(command.player)
    if member is None or member.disconnected_at_ms is None:
        return []
    return _reconnect(room, member, command.node, now, rules)


def _reconnect(room: Room, member: Member, node: str, now: int, rules: Rules) -> Decision:
    player = member.player
    if member.disconnected_at_ms is None and member.node == node:
        return []
    if room.length >= 2 * rules.room_events:
        return ErrorCode.ROOM_LOG_FULL
    events = [ev.MemberReconnected(now, player, node), *_host_on_arrival(room, player, now, rules)]
    return events + _start_if_all_ready(room, now, rules, reconnected=player)


def _host_on_arrival(room: Room, player: str, now: int, rules: Rules) -> list[ev.Event]:
    """Make an arriving member host if it is the owner, or if nobody is connected and the host is gone."""
    alone = not room.connected() and _host_is_gone(room, now, rules)
    return [ev.HostChanged(now, player)] if player != room.host and (player == room.owner or alone) else []


def _host_is_gone(room: Room, now: int, rules: Rules) -> bool:
    host = room.members.get(room.host)
    return host is None or (
        host.disconnected_at_ms is not None and now - host.disconnected_at_ms >= rules.host_grace_ms
    )


def disconnect(room: Room, command: cmd.Disconnect, now: int) -> Decision:
    """Mark a member as disconnected, unless the member has connected to another node since."""
    member = room.members.get(command.player)
    if member is None or member.disconnected_at_ms is not None or member.node != command.node:
        return []
    return [ev.MemberDisconnected(now, command.player)]


def disconnect_nodes(room: Room, command: cmd.DisconnectNodes, now: int) -> Decision:
    """Mark every member whose connection a dead node held as disconnected."""
    return [
        ev.MemberDisconnected(now, member.player)
        for member in room.connected()
        if member.node in command.nodes
    ]


def leave(room: Room, command: cmd.LeaveRoom, now: int, rules: Rules) -> Decision:
    """Remove a member who gives up the seat; if it is the host, another member becomes host."""
    if command.player not in room.members:
        return ErrorCode.NOT_IN_ROOM
    return _remove(room, command.player, LeaveReason.LEFT, now, rules)


def kick(room: Room, host: str, request: Kick, now: int, rules: Rules) -> Decision:
    """Remove another member, who cannot join this room again unless it is the owner."""
    if request.player == host:
        return ErrorCode.CANNOT_TARGET_SELF
    if request.player not in room.members:
        return ErrorCode.NO_SUCH_MEMBER
    return _remove(room, request.player, LeaveReason.KICKED, now, rules)


def set_ready(room: Room, asked: cmd.MemberRequest, request: Ready, now: int) -> Decision:
    """Mark a member as ready or not ready. The first member who gets ready after a race opens the lobby.

    A change during a countdown applies to the race that is about to start. With `start_mode` `all_ready`, the
    last connected member who gets ready starts the countdown, if at least two are ready. Disconnected members
    are not waited for here, unlike in `countdown_due_at_ms`.
    """
    member = room.members[asked.player]
    if member.ready == request.ready:
        return []
    events: list[ev.Event] = []
    if request.ready and may_open_lobby(room.phase):
        events.append(ev.LobbyOpened(now))
    events.append(ev.ReadyChanged(now, asked.player, request.ready))
    all_ready_starts = room.settings.start_mode is StartMode.ALL_READY and may_start_countdown(room.phase)
    if request.ready and all_ready_starts:
        others = [each for each in room.connected() if each.player != asked.player and not each.spectator]
        if others and all(each.ready for each in others):
            events.append(new_countdown(room, asked.node, now))
    return events


def apply_time_rules(room: Room, now: int, rules: Rules) -> list[ev.Event]:
    """Replace a disconnected host, expire seats, and start a countdown that is due."""
    events: list[ev.Event] = []
    connected = room.connected()
    if connected and _host_is_gone(room, now, rules):
        events.append(ev.HostChanged(now, connected[0].player))
    expired = [each.player for each in room.members.values() if _seat_has_expired(room, each, rules, now)]
    events += [ev.MemberLeft(now, player, LeaveReason.EXPIRED) for player in expired]
    return events + _start_if_all_ready(room, now, rules, removed=expired)


def countdown_due_at_ms(
    room: Room, rules: Rules, *, removed: Collection[str] = (), reconnected: str = ""
) -> int | None:
    """Return when `all_ready` starts a countdown without another request, or None if it does not.

    At least two connected members must be ready, and every other connected member must be ready or a
    spectator. A member who is disconnected and not ready delays the countdown for `host_grace_ms`. `removed`
    and `reconnected` are members whose event is part of the same decision, so `room` does not have it yet.
    """
    starts = room.settings.start_mode is StartMode.ALL_READY and may_start_countdown(room.phase)
    if not starts or room.held:
        return None
    at_ms, ready = 0, 0
    for member in room.members.values():
        if member.player in removed:
            continue
        disconnected_at_ms = None if member.player == reconnected else member.disconnected_at_ms
        if member.ready:
            ready += disconnected_at_ms is None
        elif member.spectator:
            continue
        elif disconnected_at_ms is None:
            return None
        else:
            at_ms = max(at_ms, disconnected_at_ms + rules.host_grace_ms)
    return at_ms if ready >= 2 else None


def _start_if_all_ready(
    room: Room, now: int, rules: Rules, *, removed: Collection[str] = (), reconnected: str = ""
) -> list[ev.Event]:
    at_ms = countdown_due_at_ms(room, rules, removed=removed, reconnected=reconnected)
    if at_ms is None or now < at_ms:
        return []
    # The node that draws the deal must hold a racer before and after these events.
    others = (each for each in room.connected() if each.player not in removed and each.player != reconnected)
    return [new_countdown(room, next(each.node for each in others if each.ready), now)]


def _seat_has_expired(room: Room, member: Member, rules: Rules, now: int) -> bool:
    """Return whether a member was disconnected for too long; racers keep the seat until the race ends."""
    race = room.running_race
    return (
        (race is None or member.player not in race.racers)
        and member.disconnected_at_ms is not None
        and now - member.disconnected_at_ms >= rules.seat_ms
    )


def _remove(room: Room, player: str, reason: LeaveReason, now: int, rules: Rules) -> list[ev.Event]:
    events: list[ev.Event] = [ev.MemberLeft(now, player, reason)]
    heir = next((each for each in room.connected() if each.player != player), None)
    if player == room.host and heir is not None:
        events.append(ev.HostChanged(now, heir.player))
    return events + _start_if_all_ready(room, now, rules, removed=(player,))

"""Decisions of a room: pure functions `(room, command, now) -> events or refusal`.

Nothing here changes the room. The events are appended to its log first, and then folded by
`server.core.room.fold`. Decisions about members are in `members`, about races in `racing`; what each phase of
the room allows is in `phases`. This module dispatches to them.
"""

from typing import Final, assert_never

from protocol import from_client as ask
from protocol.errors import ErrorCode
from protocol.refusals import RefusalCode
from server.core import commands as cmd
from server.core import events as ev
from server.core import members, phases, racing
from server.core.names import chat_line
from server.core.room import Room, check_transitions
from server.core.rules import Rules

Decision = list[ev.Event] | ErrorCode | RefusalCode

_ALLOWED_WHEN_FULL: Final = (ask.Kick, ask.CancelCountdown)
"""Requests that are allowed although the log is full: none of them can be repeated without end."""

_BY_ANY_MEMBER: Final = (ask.Ready, ask.Chat)
"""Requests that need not come from the host."""


def decide(room: Room, command: cmd.Command, now: int, rules: Rules) -> Decision:
    """Return the events that a command causes, perhaps none, or why it is refused.

    Raises IllegalTransition if the events cannot happen in the room's phase, which is a bug.
    """
    decision = _decide(room, command, now, rules)
    if isinstance(decision, list):
        check_transitions(room, decision)
    return decision


def _decide(room: Room, command: cmd.Command, now: int, rules: Rules) -> Decision:
    refused = phases.command_refusal(room.phase, command)
    if refused is not None:
        return [] if refused is phases.Ignored.IGNORED else refused
    match command:
        case cmd.OpenRoom():
            return members.open_room(command, now)
        case cmd.JoinRoom():
            return members.join(room, command, now, rules)
        case cmd.Reconnect():
            return members.reconnect(room, command, now, rules)
        case cmd.Disconnect():
            return members.disconnect(room, command, now)
        case cmd.DisconnectNodes():
            return members.disconnect_nodes(room, command, now)
        case cmd.LeaveRoom():
            return members.leave(room, command, now, rules)
        case cmd.MemberRequest():
            return _decide_request(room, command, now, rules)
        case cmd.Tick():
            return members.apply_time_rules(room, now, rules)
        case cmd.StartRace():
            return racing.start_race(room, command, now, rules)
        case cmd.Win() | cmd.Forfeit() | cmd.UndoForfeit():
            return racing.record_outcome(room, command, now, rules)
        case cmd.EndRace():
            return racing.end_race(room, command, now)
        case _:
            assert_never(command)


def _decide_request(room: Room, asked: cmd.MemberRequest, now: int, rules: Rules) -> Decision:
    request = asked.request
    if asked.player not in room.members:
        return ErrorCode.NOT_IN_ROOM
    if room.length >= rules.room_events and not isinstance(request, _ALLOWED_WHEN_FULL):
        return ErrorCode.ROOM_LOG_FULL
    if asked.player != room.host and not isinstance(request, _BY_ANY_MEMBER):
        return ErrorCode.NOT_HOST
    error = phases.request_error(room.phase, request)
    if error is not None:
        return error
    match request:
        case ask.Ready():
            return members.set_ready(room, asked, request, now)
        case ask.Chat():
            return _chat(room, asked.player, chat_line(request.text), now, rules)
        case ask.Lock():
            return [ev.LockChanged(now, request.locked)] if request.locked != room.locked else []
        case ask.Kick():
            return members.kick(room, asked.player, request, now, rules)
        case ask.StartCountdown():
            return racing.start_countdown(room, asked, now)
        case ask.CancelCountdown():
            return racing.cancel_countdown(now)
        case ask.Configure():
            return racing.configure(room, request, asked.code, now)
        case _:
            assert_never(request)


def _chat(room: Room, player: str, text: str, now: int, rules: Rules) -> Decision:
    if not text:
        return []
    if room.chat_characters >= rules.room_chat:
        return ErrorCode.CHAT_LIMIT_REACHED
    return [ev.ChatMessage(now, player, text)]

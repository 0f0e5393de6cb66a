"""What may happen in a room: pure decisions `(room, command, now) -> events or refusal`.

Nothing here changes the room; the events are remembered first and folded by `server.core.room.fold`.
People's coming and going is in `people`, the race's life in `racing`; this file is the one dispatch.
"""

from typing import Final, assert_never

from protocol import from_client as ask
from protocol.errors import ErrorCode
from protocol.refusals import RefusalCode
from server.core import commands as cmd
from server.core import events as ev
from server.core import members, racing
from server.core.names import line
from server.core.room import Room
from server.core.rules import Rules

Decision = list[ev.Event] | ErrorCode | RefusalCode

_ALWAYS: Final = (ask.Kick, ask.CancelCountdown)
"""What may be asked of a room that is used up: each can happen a few times at most, and then no more."""


def decide(room: Room, command: cmd.Command, now: int, rules: Rules) -> Decision:
    """Return the events that a command brings about, perhaps none, or why it is refused."""
    match command:
        case cmd.OpenRoom():
            return members.open_room(command, now)
        case cmd.JoinRoom():
            return members.enter(room, command, now, rules)
        case cmd.Reconnect():
            return members.come_back(room, command, now, rules)
        case cmd.Disconnect():
            return members.drop(room, command, now)
        case cmd.DisconnectNodes():
            return members.drop_nodes(room, command, now)
        case cmd.LeaveRoom():
            return members.depart(room, command, now, rules)
        case cmd.MemberRequest():
            return _ask(room, command, now, rules)
        case cmd.Tick():
            return members.tick(room, now, rules)
        case cmd.StartRace():
            return racing.begin(room, command, now, rules)
        case cmd.Win() | cmd.Forfeit() | cmd.UndoForfeit():
            return racing.progress(room, command, now, rules)
        case cmd.EndRace():
            return racing.close(room, command, now)
        case _:
            assert_never(command)


def _ask(room: Room, asked: cmd.MemberRequest, now: int, rules: Rules) -> Decision:
    if asked.player not in room.members:
        return ErrorCode.NOT_IN_ROOM
    request = asked.request
    match request:
        case _ if room.length >= rules.room_events and not isinstance(request, _ALWAYS):
            return ErrorCode.ROOM_LOG_FULL
        case ask.Ready():
            return members.ready(room, asked, request, now)
        case ask.Chat():
            return _say(room, asked.player, line(request.text), now, rules)
        case _ if asked.player != room.host:
            return ErrorCode.NOT_HOST
        case ask.Lock():
            return [ev.LockChanged(now, request.locked)] if request.locked != room.locked else []
        case ask.Kick():
            return members.kick(room, asked.player, request, now, rules)
        case ask.StartCountdown():
            return racing.start(room, asked, now)
        case ask.CancelCountdown():
            return racing.cancel(room, now)
        case ask.Configure():
            return racing.configure(room, request, asked.code, now)
        case _:
            assert_never(request)


def _say(room: Room, player: str, said: str, now: int, rules: Rules) -> Decision:
    if not said:
        return []
    return (
        ErrorCode.CHAT_LIMIT_REACHED if room.said >= rules.room_chat else [ev.ChatMessage(now, player, said)]
    )

"""Membership: which connections of this node are attached to a room; attach, detach, resume."""

import asyncio
from collections.abc import Callable
from typing import Final

from protocol import from_server as say
from protocol.errors import ErrorCode
from server.core import commands as cmd
from server.core import tell
from server.core.room import Room
from server.rooms.context import RoomContext
from server.rooms.ports import MembershipRoom
from server.rooms.room_log import Answer, RoomLog
from server.rooms.subscriber import Subscriber

Attached = Callable[[ErrorCode | None], None]
"""Called with None once a connection is attached, or with the reason why it is not."""

_RETRY_S: Final = 1.0
"""Pause before a change that the store did not accept is submitted again."""


class Membership:
    """Attaches connections to a room on this node. Of several connections of one player the newest wins.

    `subscribers` are the attached connections by player.
    """

    def __init__(self, context: RoomContext, log: RoomLog, room: MembershipRoom) -> None:
        self.subscribers: dict[str, Subscriber] = {}
        self._context = context
        self._log = log
        self._room = room
        self._arrivals = 0  # connections that have come so far; numbers them in order of arrival
        self._arriving: dict[str, list[Subscriber]] = {}  # connections that are about to be attached
        self._arrival_of: dict[Subscriber, int] = {}  # number of each connection, arriving or attached

    @property
    def busy(self) -> bool:
        """Whether a connection is about to be attached."""
        return bool(self._arriving)

    @property
    def _state(self) -> Room:
        return self._log.committed_state

    def join(
        self, subscriber: Subscriber, command: cmd.JoinRoom, seen: int | None, ref: int, done: Attached
    ) -> None:
        """Let a player in or back in; once that is committed, send the room or the events after `seen`."""

        def joined(answer: Answer) -> None:
            if isinstance(answer, ErrorCode):
                self._arrived(command.player, subscriber)
                done(answer)
            else:
                self._context.spawn(self._attach_when_ready(subscriber, command.player, seen, ref, done))

        self._arrive(command.player, subscriber)
        # A connection that has ended meanwhile must not replace a newer one at another node.
        self._log.submit(command, joined, confirm=True, withdrawn=lambda: subscriber.gone)

    def attach(self, subscriber: Subscriber, player: str, ref: int, done: Attached) -> None:
        """Attach the connection of a player who has just become a member, and send the whole room."""
        self._arrive(player, subscriber)
        self._context.spawn(self._attach_when_ready(subscriber, player, None, ref, done))

    def disconnected(self, player: str, subscriber: Subscriber) -> None:
        """Detach a connection that ended; nothing happens if its player has a newer one."""
        if self.subscribers.get(player) is subscriber:
            self._detach(player)
            if player not in self._arriving:
                self._mark_disconnected(player)

    def left(self, player: str) -> None:
        """Detach a player who has no seat any more."""
        subscriber = self._detach(player)
        if subscriber is not None:
            subscriber.left()

    def replaced(self, player: str) -> None:
        """Detach a player who connected to another node."""
        subscriber = self._detach(player)
        if subscriber is not None:
            subscriber.replaced()

    def disconnect_all(self) -> None:
        """End every connection here; clients connect again, perhaps to another node, and get the room."""
        for subscriber in tuple(self.subscribers.values()):
            subscriber.failed()

    def mark_ghosts_disconnected(self) -> None:
        """Mark as disconnected the members that the room lists on this node but that have no connection."""
        for member in self._state.present():
            here = member.player in self.subscribers or member.player in self._arriving
            if member.node == self._context.node and not here:
                self._mark_disconnected(member.player)

    def mark_connected(self, player: str) -> None:
        """Mark a player as connected whom the room lists as disconnected."""

        def retry_if_unavailable(answer: Answer) -> None:
            if answer is ErrorCode.STORE_UNAVAILABLE and player in self.subscribers:
                asyncio.get_running_loop().call_later(_RETRY_S, self.mark_connected, player)

        self._log.submit(cmd.Reconnect(player, self._context.node), retry_if_unavailable)

    def _mark_disconnected(self, player: str) -> None:
        def retry_if_unavailable(answer: Answer) -> None:
            gone = player not in self.subscribers and not self._room.unloaded
            if answer is ErrorCode.STORE_UNAVAILABLE and gone:
                asyncio.get_running_loop().call_later(_RETRY_S, self._mark_disconnected, player)

        self._log.submit(cmd.Disconnect(player, self._context.node), retry_if_unavailable)

    async def _attach_when_ready(
        self, subscriber: Subscriber, player: str, seen: int | None, ref: int, done: Attached
    ) -> None:
        try:
            running = await self._room.game_of(player)  # nothing is awaited from here on
            refusal = self._attach(subscriber, player, seen, ref, None if running is None else running[1])
        except Exception:
            subscriber.failed()  # the log cannot be read; without a close the client would wait for ever
            raise
        finally:
            self._arrived(player, subscriber)
        done(refusal)

    def _attach(
        self, subscriber: Subscriber, player: str, seen: int | None, ref: int, game: say.GameView | None
    ) -> ErrorCode | None:
        room, now = self._state, self._context.now_ms()
        member = room.members.get(player)
        if member is None:
            return ErrorCode.KICKED if player in room.kicked else ErrorCode.NOT_IN_ROOM
        if member.node != self._context.node or self._is_outdated(player, subscriber):
            subscriber.replaced()
            return ErrorCode.NOT_IN_ROOM
        old = self.subscribers.get(player)
        if old is not None and old is not subscriber:
            self._detach(player)
            old.replaced()
        missed = None if seen is None else self._log.events_after(seen)
        if missed is None:
            self._context.counters.resumes["snapshot"] += 1
            subscriber.send(tell.snapshot(room, player, now, game, ref))
        else:
            self._context.counters.resumes["events"] += 1
            subscriber.send(say.Resumed(ref=ref, seq=room.length, clock_ms=now, game=game))
            for seq, event in enumerate(missed, start=room.length - len(missed) + 1):
                message = tell.event(event, seq, now)
                if message is not None:
                    subscriber.send(message)
        self.subscribers[player] = subscriber
        self._room.request_standings()
        if member.disconnected_at_ms is not None:
            self.mark_connected(player)
        return None

    def _is_outdated(self, player: str, subscriber: Subscriber) -> bool:
        """Return whether the player has a connection here that came later, attached or not."""
        rivals = [*self._arriving[player]]
        attached = self.subscribers.get(player)
        if attached is not None:
            rivals.append(attached)
        return self._arrival_of[subscriber] < max(self._arrival_of[each] for each in rivals)

    def _arrive(self, player: str, subscriber: Subscriber) -> None:
        """Number a connection: the order of arrival decides which one is the newest."""
        self._arrivals += 1
        self._arrival_of[subscriber] = self._arrivals
        self._arriving.setdefault(player, []).append(subscriber)

    def _arrived(self, player: str, subscriber: Subscriber) -> None:
        """Take a connection off the arriving ones: it is attached now, or was refused."""
        arriving = self._arriving[player]
        arriving.remove(subscriber)
        if not arriving:
            del self._arriving[player]
        if self.subscribers.get(player) is not subscriber and subscriber not in arriving:
            self._arrival_of.pop(subscriber, None)
        if not arriving and player not in self.subscribers:
            self._mark_disconnected(player)  # in case an older connection ended meanwhile

    def _detach(self, player: str) -> Subscriber | None:
        subscriber = self.subscribers.pop(player, None)
        if subscriber is not None and subscriber not in self._arriving.get(player, ()):
            self._arrival_of.pop(subscriber, None)
        return subscriber

"""Membership: which connections of this node are attached to a room; attach, detach, resume."""

import asyncio
from collections.abc import Callable
from typing import Final, NamedTuple

from protocol import from_server as say
from protocol.errors import ErrorCode
from protocol.from_server import FromServer
from protocol.parts import GameView
from server.core import commands as cmd
from server.core import room_messages
from server.core.room import Room
from server.rooms.context import RoomContext
from server.rooms.ports import MembershipRoom
from server.rooms.room_log import Answer, RoomLog
from server.rooms.subscriber import Subscriber


class Arrival(NamedTuple):
    """A connection of a player that is about to be attached to the room.

    `answer` sends the answer to the request: `room` or `resumed`. `done` is called after it with None, or
    without it with the reason why the connection was not attached.
    """

    subscriber: Subscriber
    player: str
    ref: int
    answer: Callable[[FromServer], None]
    done: Callable[[ErrorCode | None], None]
    seen: int | None = None


_RETRY_S: Final = 1.0
"""Pause before a change that the store did not accept is submitted again."""


class Membership:
    """Attaches connections to a room on this node. A player's newest connection replaces the older one.

    `subscribers` are the attached connections by player.
    """

    def __init__(self, context: RoomContext, log: RoomLog, room: MembershipRoom) -> None:
        self.subscribers: dict[str, Subscriber] = {}
        self._context = context
        self._log = log
        self._room = room
        self._arrivals = 0  # connections that have arrived so far
        self._arriving: dict[str, list[Subscriber]] = {}  # connections that are about to be attached
        self._arrival_numbers: dict[Subscriber, int] = {}  # of each arriving or attached connection

    @property
    def busy(self) -> bool:
        """Whether a connection is about to be attached."""
        return bool(self._arriving)

    @property
    def _state(self) -> Room:
        return self._log.committed_state

    def join(self, arrival: Arrival, command: cmd.JoinRoom) -> None:
        """Submit a player's join or return, and attach the connection once it is committed."""

        def joined(outcome: Answer) -> None:
            if isinstance(outcome, ErrorCode):
                self._arrived(arrival)
                arrival.done(outcome)
            else:
                self._context.spawn(self._attach_when_ready(arrival))

        self._arrive(arrival)
        # A connection that has ended meanwhile must not replace a newer one at another node.
        self._log.submit(command, joined, confirm=True, withdrawn=lambda: arrival.subscriber.gone)

    def attach(self, arrival: Arrival) -> None:
        """Attach the connection of a player who has just become a member."""
        self._arrive(arrival)
        self._context.spawn(self._attach_when_ready(arrival))

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
        for member in self._state.connected():
            here = member.player in self.subscribers or member.player in self._arriving
            if member.node == self._context.node and not here:
                self._mark_disconnected(member.player)

    def mark_connected(self, player: str) -> None:
        """Mark a player as connected whom the room lists as disconnected, if still attached here."""
        if player not in self.subscribers:
            return

        def retry_if_unavailable(answer: Answer) -> None:
            if answer is ErrorCode.STORE_UNAVAILABLE:
                asyncio.get_running_loop().call_later(_RETRY_S, self.mark_connected, player)

        self._log.submit(cmd.Reconnect(player, self._context.node), retry_if_unavailable)

    def _mark_disconnected(self, player: str) -> None:
        """Mark a player as disconnected, unless a connection has come meanwhile."""
        if player in self.subscribers or player in self._arriving or self._room.unloaded:
            return

        def retry_if_unavailable(answer: Answer) -> None:
            if answer is ErrorCode.STORE_UNAVAILABLE:
                asyncio.get_running_loop().call_later(_RETRY_S, self._mark_disconnected, player)

        self._log.submit(cmd.Disconnect(player, self._context.node), retry_if_unavailable)

    async def _attach_when_ready(self, arrival: Arrival) -> None:
        try:
            running = await self._room.game_of(arrival.player)  # nothing is awaited from here on
            refusal = self._refusal(arrival)
            if refusal is None:
                self._attach(arrival, None if running is None else running[1])
        except Exception:
            arrival.subscriber.failed()  # the log cannot be read; the client must not wait for an answer
            raise
        finally:
            self._arrived(arrival)
        arrival.done(refusal)

    def _refusal(self, arrival: Arrival) -> ErrorCode | None:
        """Return why a connection may not be attached, or None; an outdated one is ended."""
        room = self._state
        member = room.members.get(arrival.player)
        if member is None:
            return ErrorCode.KICKED if arrival.player in room.kicked else ErrorCode.NOT_IN_ROOM
        if member.node != self._context.node or self._is_outdated(arrival):
            arrival.subscriber.replaced()
            return ErrorCode.NOT_IN_ROOM
        return None

    def _attach(self, arrival: Arrival, game: GameView | None) -> None:
        room, now, player = self._state, self._context.now_ms(), arrival.player
        subscriber, old = arrival.subscriber, self.subscribers.get(player)
        if old is not None and old is not subscriber:
            self._detach(player)
            old.replaced()
        missed = None if arrival.seen is None else self._log.events_after(arrival.seen)
        if missed is None:
            self._context.counters.resumes["snapshot"] += 1
            arrival.answer(room_messages.snapshot(room, player, now, game, arrival.ref))
        else:
            self._context.counters.resumes["events"] += 1
            arrival.answer(say.Resumed(ref=arrival.ref, seq=room.length, clock_ms=now, game=game))
            for seq, event in enumerate(missed, start=room.length - len(missed) + 1):
                message = room_messages.message_of(event, seq, now)
                if message is not None:
                    subscriber.send(message)
        self.subscribers[player] = subscriber
        self._room.request_standings()
        if room.members[player].disconnected_at_ms is not None:
            self.mark_connected(player)

    def _is_outdated(self, arrival: Arrival) -> bool:
        """Return whether the player has a connection here that came later, attached or not.

        The order in which connections came decides, not the order in which they are attached.
        """
        rivals = list(self._arriving[arrival.player])
        attached = self.subscribers.get(arrival.player)
        if attached is not None:
            rivals.append(attached)
        number = self._arrival_numbers[arrival.subscriber]
        return number < max(self._arrival_numbers[each] for each in rivals)

    def _arrive(self, arrival: Arrival) -> None:
        """Number a connection in order of arrival; one that is here already keeps its number."""
        self._arrivals += 1
        self._arrival_numbers.setdefault(arrival.subscriber, self._arrivals)
        self._arriving.setdefault(arrival.player, []).append(arrival.subscriber)

    def _arrived(self, arrival: Arrival) -> None:
        """Remove a connection from the arriving ones: it is attached now, or was refused."""
        player, subscriber = arrival.player, arrival.subscriber
        arriving = self._arriving[player]
        arriving.remove(subscriber)
        if not arriving:
            del self._arriving[player]
        if self.subscribers.get(player) is not subscriber and subscriber not in arriving:
            del self._arrival_numbers[subscriber]
        if not arriving and player not in self.subscribers:
            self._mark_disconnected(player)  # in case an older connection ended meanwhile

    def _detach(self, player: str) -> Subscriber | None:
        subscriber = self.subscribers.pop(player, None)
        if subscriber is not None and subscriber not in self._arriving.get(player, ()):
            self._arrival_numbers.pop(subscriber, None)
        return subscriber

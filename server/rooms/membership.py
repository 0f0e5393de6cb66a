"""The door of a room on this node: who comes in, comes back, is cut off, and what they are given."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from protocol import from_server as say
from protocol.errors import ErrorCode
from server.core import commands as cmd
from server.core import tell
from server.rooms.context import Context, Ear
from server.rooms.room_log import Answer

if TYPE_CHECKING:
    from server.rooms.live_room import LiveRoom

Entered = Callable[[ErrorCode | None], None]

_AGAIN_S: Final = 1.0
"""Pause before the room is told again of somebody's coming or going that it could not remember."""


class Door:
    """Brings connections to their room. Of several connections of one player the newest wins."""

    def __init__(self, context: Context, live: "LiveRoom") -> None:
        self._context = context
        self._live = live
        self._coming: dict[str, list[Ear]] = {}

    @property
    def busy(self) -> bool:
        """Whether somebody is about to be in."""
        return bool(self._coming)

    def enter(self, ear: Ear, enter: cmd.JoinRoom, seen: int | None, ref: int, done: Entered) -> None:
        """Let somebody in or back in; when that is remembered, they get the room, or what they missed."""

        def entered(answer: Answer) -> None:
            if isinstance(answer, ErrorCode):
                self._came(enter.player, ear)
                done(answer)
            else:
                self._context.spawn(self._let_in(ear, enter.player, seen, ref, done))

        def again() -> None:
            """Another node was faster: who is gone by now must not replace a newer connection there."""
            if ear.gone:
                entered(ErrorCode.NOT_IN_ROOM)
            else:
                submit()

        def submit() -> None:
            self._live.desk.submit(enter, entered, (), again, sure=True, void=lambda: ear.gone)

        self._coming.setdefault(enter.player, []).append(ear)
        submit()

    def attach(self, ear: Ear, player: str, ref: int, done: Entered) -> None:
        """Give a new member here the whole room, and from then on every event; then call `done` with None.

        Or with a reason, for somebody who has lost the seat meanwhile.
        """
        self._coming.setdefault(player, []).append(ear)
        self._context.spawn(self._let_in(ear, player, None, ref, done))

    def drop(self, player: str, ear: Ear) -> None:
        """A connection ended; nothing happens if its player has a newer one, or is about to have it."""
        ears = self._live.ears
        if ears.get(player) is ear:
            del ears[player]
            if player not in self._coming:
                self._drop(player)

    def drop_ghosts(self) -> None:
        """Let those be away whom the room takes for connected here, and who are not."""
        for member in self._live.room.present():
            here = member.player in self._live.ears or member.player in self._coming
            if member.node == self._context.node and not here:
                self._drop(member.player)

    def mark_back(self, player: str) -> None:
        """Tell the room that somebody is here whom it takes for gone."""

        def again_if_away(answer: Answer) -> None:
            if answer is ErrorCode.STORE_UNAVAILABLE and player in self._live.ears:
                asyncio.get_running_loop().call_later(_AGAIN_S, self.mark_back, player)

        self._live.desk.submit(cmd.Reconnect(player, self._context.node), again_if_away)

    def _drop(self, player: str) -> None:
        def again_if_away(answer: Answer) -> None:
            away = answer is ErrorCode.STORE_UNAVAILABLE and player not in self._live.ears
            if away and not self._live.unloaded:
                asyncio.get_running_loop().call_later(_AGAIN_S, self._drop, player)

        self._live.desk.submit(cmd.Disconnect(player, self._context.node), again_if_away)

    async def _let_in(self, ear: Ear, player: str, seen: int | None, ref: int, done: Entered) -> None:
        try:
            refusal = await self._attach(ear, player, seen, ref)
        except Exception:
            ear.failed()  # a log that cannot be read: say so, or the client would wait for ever
            raise
        finally:
            self._came(player, ear)
        done(refusal)

    async def _attach(self, ear: Ear, player: str, seen: int | None, ref: int) -> ErrorCode | None:
        running = await self._live.game_of(player)  # and nothing is waited for from here on
        game = None if running is None else running[1]
        live, room, now = self._live, self._live.room, self._context.now_ms()
        member = room.members.get(player)
        if member is None:
            return ErrorCode.KICKED if player in room.kicked else ErrorCode.NOT_IN_ROOM
        if member.node != self._context.node or self._coming[player][-1] is not ear:
            ear.replaced()
            return ErrorCode.NOT_IN_ROOM
        old = live.ears.get(player)
        if old is not None and old is not ear:
            old.replaced()
        missed = None if seen is None else live.desk.events_after(seen)
        if missed is None:
            self._context.counts.resumes["snapshot"] += 1
            ear.tell(tell.snapshot(room, player, now, game, ref))
        else:
            self._context.counts.resumes["events"] += 1
            ear.tell(say.Resumed(ref=ref, seq=room.length, clock_ms=now, game=game))
            for seq, event in enumerate(missed, start=room.length - len(missed) + 1):
                message = tell.event(event, seq, now)
                if message is not None:
                    ear.tell(message)
        live.ears[player] = ear
        live.standings_wanted()
        if member.disconnected_at_ms is not None:
            self.mark_back(player)
        return None

    def _came(self, player: str, ear: Ear) -> None:
        """Somebody who was about to be here is, or has been refused."""
        coming = self._coming[player]
        coming.remove(ear)
        if not coming:
            del self._coming[player]
            if player not in self._live.ears:
                self._drop(player)  # if an older connection ended meanwhile

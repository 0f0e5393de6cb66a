"""The client under test, from one connection to the next: let in, cut off, and taken up again."""

from typing import Final

from conformance.errors import UnmetError
from conformance.of_client.fake_room import HOST, ROOM, TOKEN, clock_ms
from conformance.of_client.fake_server import NEWS, Listener
from conformance.wire import Guest
from protocol import from_client as say
from protocol import from_server as msg
from protocol.backoff import CAP_SECONDS
from protocol.version import VERSION

TOLERANCE_S: Final = 1.0
"""Seconds that a client may be later than it should be: computers are busy."""

BACK_WITHIN_S: Final = CAP_SECONDS + 5.0


class Examinee:
    """Who came last, with the `hello` and the `join` that were said then. Its methods raise UnmetError."""

    def __init__(self, stage: Listener) -> None:
        self.stage = stage
        self.guest: Guest | None = None
        self.hello = say.Hello(name="")
        self.join: say.FromClient | None = None

    async def arrives(self, patience: float, wanted: str) -> None:
        """Wait so many seconds until it is connected."""
        self.guest = await self.stage.next_guest(patience, wanted)

    async def greets(self) -> None:
        """Wait for its `hello`; before that it may `ping`."""
        while isinstance(message := await self.stage.hear("`hello`"), say.Ping):
            await self.stage.tell(*self.stage.pretence.answer(message))
        if not isinstance(message, say.Hello):
            raise UnmetError("`hello`", str(message))
        self.hello = message

    async def welcome(self, *, new: bool) -> None:
        """Answer the `hello`, and send a message of a type that there is not."""
        pretence = self.stage.pretence
        pretence.name = self.hello.name
        await self.stage.tell(
            msg.Welcome(
                ref=self.hello.ref,
                protocol=VERSION,
                server="simon-race-referee/1",
                player=pretence.player,
                token=TOKEN if new else None,
                name=pretence.name,
                clock_ms=clock_ms(),
            )
        )
        await self.stage.tell_raw(NEWS)

    def require_token(self) -> None:
        """Require that its `hello` was that of the person whom it was told to be."""
        if (self.hello.player, self.hello.token) != (self.stage.pretence.player, TOKEN):
            came = f"{self.hello.player}, {self.hello.token}"
            raise UnmetError("`player` and `token` of the first `welcome`", came)

    async def lose(self) -> None:
        """Cut the connection; something happens meanwhile."""
        self.stage.cut()
        missed = msg.ChatMessage(seq=0, player=HOST.player, text="You have missed this line.")
        self.stage.pretence.happens(missed)

    async def returns(self, since: float, longest: float) -> None:
        """Wait until it is connected again, after at most so many seconds, and asks for its room."""
        self.guest = await self.stage.next_guest(BACK_WITHIN_S, "a new connection")
        waited = self.guest.at - since
        if waited > longest + TOLERANCE_S:
            raise UnmetError(f"a new connection after at most {longest:g} seconds", f"{waited:.1f} seconds")
        await self.greets()
        await self.welcome(new=False)
        self.join = await self.stage.next_request("`join`", say.Join, say.Create)

    def require_place(self) -> None:
        """Require that it asked for the room that it was in, from the last `seq` on."""
        join, seen = self.join, self.stage.sent_seq
        if not isinstance(join, say.Join) or join.room.upper() != ROOM or join.seen != seen:
            raise UnmetError(f"`join` with room {ROOM} and seen {seen}", str(join))

    async def resume(self) -> None:
        """Answer the `join`: what was missed, and an event of an unknown type among it."""
        pretence, join = self.stage.pretence, self.join
        if not isinstance(join, say.Join) or join.seen is None:
            await self.show_room()
            return
        game = pretence.view()
        await self.stage.tell(msg.Resumed(ref=join.ref, seq=pretence.seq, clock_ms=clock_ms(), game=game))
        await self.stage.tell_raw({"type": "fireworks", "seq": join.seen})
        await self.stage.tell(*pretence.after(join.seen))

    async def show_room(self) -> None:
        """Answer the `join` with all that there is, whatever is known already."""
        ref = self.join.ref if isinstance(self.join, say.Join | say.Create) else 0
        await self.stage.tell(self.stage.pretence.room(ref))

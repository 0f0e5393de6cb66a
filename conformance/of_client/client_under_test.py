"""The client under test over its connections."""

from typing import Final

from conformance.errors import CheckFailedError
from conformance.of_client.fake_room import HOST, ROOM, TOKEN, clock_ms
from conformance.of_client.fake_server import UNKNOWN_MESSAGE, FakeServer
from conformance.wire import IncomingConnection
from protocol import from_client, from_server
from protocol.backoff import CAP_SECONDS
from protocol.version import VERSION

TOLERANCE_S: Final = 1.0
"""Seconds by which a client can be late on a busy computer."""

BACK_WITHIN_S: Final = CAP_SECONDS + 5.0


class ClientUnderTest:
    """The client under test: its connection, `hello` and `join`. The methods raise CheckFailedError."""

    def __init__(self, server: FakeServer) -> None:
        self.server = server
        self.connection: IncomingConnection | None = None
        self.hello = from_client.Hello(name="")
        self.join: from_client.FromClient | None = None

    async def wait_for_connection(self, timeout_s: float, wanted: str) -> None:
        """Wait until it connects."""
        self.connection = await self.server.next_connection(timeout_s, wanted)

    async def expect_hello(self) -> None:
        """Wait for its `hello`. A `ping` can come before it."""
        while isinstance(message := await self.server.receive("`hello`"), from_client.Ping):
            await self.server.send(*self.server.room.answer(message))
        if not isinstance(message, from_client.Hello):
            raise CheckFailedError("`hello`", str(message))
        self.hello = message

    async def send_welcome(self, *, new: bool) -> None:
        """Answer the `hello`, then send a message of an unknown type."""
        room = self.server.room
        room.name = self.hello.name
        await self.server.send(
            from_server.Welcome(
                ref=self.hello.ref,
                protocol=VERSION,
                server="simon-race-referee/1",
                player=room.player,
                token=TOKEN if new else None,
                name=room.name,
                clock_ms=clock_ms(),
            )
        )
        await self.server.send_raw(UNKNOWN_MESSAGE)

    def require_token(self) -> None:
        """Require that its `hello` has the `player` and `token` that it got."""
        if (self.hello.player, self.hello.token) != (self.server.room.player, TOKEN):
            actual = f"{self.hello.player}, {self.hello.token}"
            raise CheckFailedError("`player` and `token` of the first `welcome`", actual)

    async def cut_connection(self) -> None:
        """Cut the connection. The client misses one event."""
        self.server.cut()
        missed = from_server.ChatMessage(seq=0, player=HOST.player, text="You missed this line.")
        self.server.room.append_event(missed)

    async def expect_return(self, since: float, longest: float, timeout_s: float = BACK_WITHIN_S) -> None:
        """Wait until it connects again, at most `longest` seconds after `since`, and asks for its room."""
        self.connection = await self.server.next_connection(timeout_s, "a new connection")
        waited = self.connection.at - since
        if waited > longest + TOLERANCE_S:
            raise CheckFailedError(
                f"a new connection after at most {longest:g} seconds", f"{waited:.1f} seconds"
            )
        await self.expect_hello()
        await self.send_welcome(new=False)
        self.join = await self.server.next_request("`join`", from_client.Join, from_client.Create)

    async def recover(self) -> None:
        """Cut the connection, and bring the client into a running race by a snapshot of the room.

        Later checks can run from there. Raises CheckFailedError if the client does not connect again.
        """
        if self.connection is None:
            raise CheckFailedError("a client", "none has connected")
        server, room = self.server, self.server.room
        server.cut()
        wanted = "your client to connect again, after a failed check (start it again if it has ended)"
        await self.wait_for_connection(server.timeout_s, wanted)
        await self.expect_hello()
        await self.send_welcome(new=self.hello.token != TOKEN)
        self.join = await server.next_request("`join`", from_client.Join, from_client.Create)
        if not room.racing:
            list(room.start_race())
        elif not room.takes_part:
            room.start_next_race()
        await self.send_room()

    def require_seen(self) -> None:
        """Require that its `join` has its room and the last `seq` that was sent."""
        join, seen = self.join, self.server.sent_seq
        if not isinstance(join, from_client.Join) or join.room.upper() != ROOM or join.seen != seen:
            raise CheckFailedError(f"`join` with room {ROOM} and seen {seen}", str(join))

    async def answer_join(self) -> None:
        """Answer the `join` with the missed events and an event of an unknown type."""
        room, join = self.server.room, self.join
        if not isinstance(join, from_client.Join) or join.seen is None:
            await self.send_room()
            return
        game = room.view()
        await self.server.send(
            from_server.Resumed(ref=join.ref, seq=room.seq, clock_ms=clock_ms(), game=game)
        )
        await self.server.send_raw({"type": "fireworks", "seq": join.seen})
        await self.server.send(*room.events_after(join.seen))

    async def send_room(self) -> None:
        """Answer the `join` with a snapshot of the room."""
        ref = self.join.ref if isinstance(self.join, from_client.Join | from_client.Create) else 0
        await self.server.send(self.server.room.snapshot(ref))

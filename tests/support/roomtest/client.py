"""Clients of sessions in memory: what a client sends goes into its session, what it receives is kept."""

from typing import Any

from racetest import CODE

from protocol import from_client as ask
from protocol import from_server as say
from protocol.codec import JSON_CODEC
from protocol.from_client import FromClient
from protocol.from_server import FromServer
from protocol.limits import (
    PASSWORD_TRIES,
    PASSWORD_TRIES_PER_MINUTE,
    PLAYERS_BURST,
    PLAYERS_PER_HOUR,
    ROOMS_BURST,
    ROOMS_PER_HOUR,
)
from protocol.parts import Settings
from roomtest.loop import advance, idle, loop_time
from roomtest.node import RoomNode
from roomtest.subscriber import FakeConnection
from server.core.token_bucket import Quota
from server.services.identity import Identities
from server.services.leaderboards import Leaderboards
from server.services.records import Records
from server.sessions.context import SessionContext, SessionLimits
from server.sessions.session import Session

FORGET_S = 90 * 86_400


def session_context(node: RoomNode, limits: SessionLimits | None = None) -> SessionContext:
    """Return what the sessions of a node share, as its composition root makes it."""
    records = Records(node.store)
    return SessionContext(
        node.context.node,
        "simon-race/test",
        node.rooms,
        Identities(node.store, node.journal, FORGET_S),
        Leaderboards(node.store, records, lambda _: None, FORGET_S),
        records,
        limits or SessionLimits(messages_per_second=1e6, message_burst=1000),
        node.now_ms,
        loop_time,
        node.tasks.spawn,
        Quota(ROOMS_PER_HOUR / 3600, ROOMS_BURST),
        Quota(PLAYERS_PER_HOUR / 3600, PLAYERS_BURST),
        Quota(PASSWORD_TRIES_PER_MINUTE / 60, PASSWORD_TRIES),
        node.log,
    )


class FakeClient:
    """A client and its session on a node."""

    def __init__(self, context: SessionContext, name: str = "Ada", **connection: Any) -> None:
        self.context = context
        self.name = name
        self.connection = FakeConnection(**connection)
        self.session = Session(context, self.connection)
        self.welcome: say.Welcome | None = None
        self._ref = 100

    @property
    def received(self) -> list[FromServer]:
        """All messages, in order."""
        return self.connection.received

    @property
    def closed(self) -> int | None:
        """The close code, if the server has closed the connection."""
        return self.connection.close_code

    def messages(self, *types: type) -> list[Any]:
        """Return the messages of these types."""
        return [message for message in self.received if isinstance(message, types)]

    def answers(self) -> list[tuple[int, str]]:
        """Return reference and type, or error code, of each answer to a request."""
        answers: list[Any] = [message for message in self.received if getattr(message, "ref", 0)]
        return [
            (each.ref, str(each.code) if isinstance(each, say.Error) else type(each).__name__)
            for each in answers
        ]

    def send(self, *messages: FromClient) -> None:
        """Send messages, each as one frame."""
        for message in messages:
            self.session.received(JSON_CODEC.encode(message).decode())

    def send_text(self, *texts: str) -> None:
        """Send frames that may be no messages."""
        for text in texts:
            self.session.received(text)

    def end(self) -> None:
        """Let the connection end."""
        self.session.closed(1006, "")

    async def hello(self) -> say.Welcome:
        """Identify as somebody new, or as the same player as before."""
        known = self.welcome
        self.send(
            ask.Hello(
                ref=1,
                name=self.name,
                player=known.player if known else None,
                token=known.token if known else None,
            )
        )
        await idle()
        (welcome,) = self.messages(say.Welcome)
        self.welcome = welcome if known is None else known
        assert isinstance(welcome, say.Welcome)
        return welcome

    def new_connection(self) -> "FakeClient":
        """Return another connection of the same player."""
        other = FakeClient(self.context, self.name)
        other.welcome = self.welcome
        return other

    async def ask(self, request: FromClient) -> FromServer:
        """Send a request and return its answer."""
        before = len(self.received)
        self.send(request)
        await idle()
        ref = getattr(request, "ref", 0)
        (answer,) = [message for message in self.received[before:] if getattr(message, "ref", 0) == ref]
        return answer

    async def create(self, **settings: Any) -> say.Room:
        """Open a room without a countdown, on the deal of `CODE`."""
        room = await self.ask(
            ask.Create(ref=2, settings=Settings(**{"countdown_s": 0, **settings}), code=CODE)
        )
        assert isinstance(room, say.Room)
        return room

    async def join(self, room: str, seen: int | None = None) -> FromServer:
        """Enter a room, or return to it."""
        return await self.ask(ask.Join(ref=3, room=room, seen=seen))


async def racing(context: SessionContext, *names: str, **settings: Any) -> list[FakeClient]:
    """Return clients that race in one room, which the first of them has opened."""
    clients = [FakeClient(context, name) for name in names]
    for client in clients:
        await client.hello()
    room = await clients[0].create(**settings)
    for client in clients[1:]:
        await client.join(room.room)
    for client in clients:
        client.send(ask.Ready(ref=4))
    clients[0].send(ask.StartCountdown(ref=5))
    await advance(0.1)
    for client in clients:
        assert client.messages(say.RaceStarted)
    return clients

"""Connections over real sockets, to servers that each do one thing."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from http import HTTPStatus

import pytest
from websockets.asyncio.server import Server as Listening
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from client_cli.core.addresses import Server
from client_cli.core.commands import MoveCards
from client_cli.core.connection_end import REPLACED, ConnectionEnd
from client_cli.core.conversation import Conversation
from client_cli.net.connection import Connection, UnreachableError
from protocol import from_client, from_server
from protocol.close_codes import CloseCode
from protocol.codec import CODECS, JSON_CODEC, MSGPACK_CODEC, Codec
from protocol.from_server import FromServer
from protocol.version import SUBPROTOCOLS

Behave = Callable[["Visit"], Awaitable[None]]


class Visit:
    """One connection on the server's side."""

    def __init__(self, socket: ServerConnection, number: int) -> None:
        self.socket, self.number = socket, number
        self.codec = CODECS[socket.subprotocol or ""]

    async def hears(self) -> from_client.FromClient:
        return self.codec.from_client(await self.socket.recv())

    async def says(self, *messages: FromServer) -> None:
        for message in messages:
            await self.socket.send(self.codec.encode(message), text=not self.codec.binary)

    async def welcomes(self) -> from_client.FromClient:
        """Answer hello; return the next message."""
        assert isinstance(await self.hears(), from_client.Hello)
        await self.says(from_server.Welcome(protocol=1, server="x", player="ada", name="Ada", clock_ms=0))
        return await self.hears()


class Memory:
    """A listener that records what happens."""

    def __init__(self) -> None:
        self.events: list[FromServer | str] = []

    def message_received(self, message: FromServer) -> None:
        self.events.append(message)

    def connection_lost(self, why: str) -> None:
        self.events.append(f"lost: {why}")

    def connection_restored(self) -> None:
        self.events.append("back")


Serve = Callable[[Behave], Awaitable[Server]]


@pytest.fixture
async def server() -> AsyncIterator[Serve]:
    """Start a server that treats its connections, numbered from 1, as a function says."""
    started: list[Listening] = []
    visits = 0

    async def start(behave: Behave) -> Server:
        async def visit(socket: ServerConnection) -> None:
            nonlocal visits
            visits += 1
            await behave(Visit(socket, visits))

        protocols = [Subprotocol(each) for each in SUBPROTOCOLS]
        listening = await serve(visit, "127.0.0.1", 0, subprotocols=protocols)
        started.append(listening)
        return Server(f"ws://127.0.0.1:{next(iter(listening.sockets)).getsockname()[1]}")

    yield start
    for listening in started:
        listening.close()
        await listening.wait_closed()


async def talk(server: Server, codec: Codec = MSGPACK_CODEC) -> tuple[ConnectionEnd, Memory, Conversation]:
    conversation, memory = Conversation("Ada", from_client.Join(room="KTQMX")), Memory()
    async with asyncio.timeout(20):
        return await Connection(server, conversation, memory, codec).run(), memory, conversation


@pytest.mark.parametrize("codec", [MSGPACK_CODEC, JSON_CODEC])
async def test_both_encodings_carry_the_conversation(
    server: Serve, room: from_server.Room, codec: Codec
) -> None:
    async def behave(visit: Visit) -> None:
        assert visit.codec is codec
        assert visit.socket.request is not None
        assert visit.socket.request.path == "/ws"
        assert visit.socket.protocol.extensions == []
        assert await visit.welcomes() == from_client.Join(ref=1, room="KTQMX")
        await visit.says(room)
        await visit.socket.close(CloseCode.REPLACED)

    verdict, memory, _ = await talk(await server(behave), codec)
    assert verdict == ConnectionEnd(False, REPLACED)
    assert memory.events[-1] == room


async def test_a_lost_connection_is_reported_until_the_room_is_entered_again(
    server: Serve, room: from_server.Room
) -> None:
    """A new connection counts only once the room is resumed."""

    async def behave(visit: Visit) -> None:
        request = await visit.welcomes()
        if visit.number == 1:
            await visit.says(room)
            visit.socket.transport.abort()
        else:
            assert request == from_client.Join(ref=2, room="KTQMX", seen=3)
            await visit.says(from_server.Resumed(ref=2, seq=3, clock_ms=1))
            await visit.socket.close(CloseCode.NORMAL)

    verdict, memory, _ = await talk(await server(behave))
    assert not verdict.reconnect
    losses = [each for each in memory.events if isinstance(each, str | from_server.Resumed)]
    assert losses == ["lost: The connection was lost.", "back", from_server.Resumed(ref=2, seq=3, clock_ms=1)]


@pytest.mark.parametrize("code", [CloseCode.GOING_AWAY, CloseCode.INTERNAL, CloseCode.RESTART])
async def test_a_close_code_can_ask_for_a_new_connection(
    server: Serve, room: from_server.Room, code: CloseCode
) -> None:
    async def behave(visit: Visit) -> None:
        await visit.welcomes()
        await visit.says(room)
        await visit.socket.close(code if visit.number < 3 else CloseCode.REPLACED)

    verdict, memory, _ = await talk(await server(behave))
    told = "The server restarts." if code is CloseCode.RESTART else code.sentence
    assert verdict.sentence == REPLACED
    assert [each for each in memory.events if isinstance(each, str)] == [f"lost: {told}", "back"] * 2


async def test_a_temporary_refusal_leads_to_a_new_connection(server: Serve, room: from_server.Room) -> None:
    async def behave(visit: Visit) -> None:
        await visit.welcomes()
        if visit.number == 1:
            await visit.says(from_server.Error(ref=1, code="draining", text="Later.", temporary=True))
            await visit.socket.wait_closed()
        else:
            await visit.says(room)
            await visit.socket.close(CloseCode.NORMAL)

    _, memory, conversation = await talk(await server(behave))
    assert memory.events.count("back") == 1
    assert conversation.model.room == "KTQMX"


async def test_unknown_messages_of_a_newer_server_are_ignored(server: Serve, room: from_server.Room) -> None:
    async def behave(visit: Visit) -> None:
        await visit.welcomes()
        await visit.socket.send(b'{"type": "fireworks", "colour": "gold"}', text=True)
        await visit.says(room)
        await visit.socket.close(CloseCode.NORMAL)

    _, memory, _ = await talk(await server(behave), JSON_CODEC)
    assert memory.events[-1] == room


async def test_an_unreadable_message_ends_the_connection(server: Serve) -> None:
    async def behave(visit: Visit) -> None:
        await visit.socket.send(b"\xc1\xc1")
        await visit.socket.wait_closed()

    with pytest.raises(UnreachableError, match="a message that this client cannot read"):
        await talk(await server(behave))


async def test_an_unknown_host_is_reported() -> None:
    with pytest.raises(UnreachableError, match=r"Cannot find the host of ws://nowhere\.invalid:7466 \("):
        await talk(Server("ws://nowhere.invalid:7466"))


@pytest.mark.parametrize("status", [HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE])
async def test_a_full_server_is_not_a_missing_server(status: HTTPStatus) -> None:
    """The first connection fails at once; a later one is tried again."""

    def full(socket: ServerConnection, _: Request) -> Response:
        return socket.respond(status, "")

    async def never(_: ServerConnection) -> None:
        raise AssertionError("nobody comes in")

    async with serve(never, "127.0.0.1", 0, process_request=full) as listening:
        where = Server.parse(f"ws://127.0.0.1:{listening.sockets[0].getsockname()[1]}")
        with pytest.raises(
            UnreachableError, match=r"accepts no connection now \(HTTP status [0-9]+\)\. Try again later\.$"
        ):
            await talk(where)


async def test_the_wait_for_a_new_connection_can_be_cancelled(server: Serve, room: from_server.Room) -> None:
    closed = asyncio.Event()

    async def behave(visit: Visit) -> None:
        await visit.welcomes()
        await visit.says(room, from_server.Notice(code="restarting", text="Wait.", retry_in_ms=3_600_000))
        await visit.socket.close(CloseCode.RESTART)
        closed.set()

    running = asyncio.create_task(talk(await server(behave)))
    async with asyncio.timeout(20):
        await closed.wait()
    running.cancel()
    assert isinstance((await asyncio.gather(running, return_exceptions=True))[0], asyncio.CancelledError)


async def test_a_server_of_another_version_is_reported() -> None:
    """The major version is part of the subprotocol; without a common one the handshake is refused."""
    newer = [Subprotocol("simonrace.v2.msgpack")]
    async with serve(lambda _: asyncio.sleep(0), "127.0.0.1", 0, subprotocols=newer) as listening:
        port = next(iter(listening.sockets)).getsockname()[1]
        with pytest.raises(UnreachableError, match="uses another version of the protocol"):
            await talk(Server(f"ws://127.0.0.1:{port}"))


async def test_an_action_is_sent_again_when_a_busy_server_says(
    server: Serve, room: from_server.Room, race_started: from_server.RaceStarted
) -> None:
    heard: list[tuple[from_client.FromClient, float]] = []

    async def behave(visit: Visit) -> None:
        await visit.welcomes()
        await visit.says(room, race_started)
        heard.append((await visit.hears(), time.monotonic()))
        await visit.says(
            from_server.Refused(race=1, n=1, expected=1, code="busy", text="Later.", retry_in_ms=300)
        )
        heard.append((await visit.hears(), time.monotonic()))
        await visit.socket.close(CloseCode.REPLACED)

    conversation = Conversation("Ada", from_client.Join(room="KTQMX"), keep_early_actions=True)
    conversation.submit_action(MoveCards(0, 1, 1))
    async with asyncio.timeout(20):
        await Connection(await server(behave), conversation, Memory()).run()
    (move, first), (again, second) = heard
    assert move == again == from_client.Move(race=1, n=1, source=0, target=1, cards=1)
    assert second - first >= 0.29

"""Raw WebSockets, outgoing and incoming."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from conformance.wire import (
    CannotConnectError,
    ConnectionClosedError,
    HandshakeRefusedError,
    IncomingConnection,
    Listener,
    OutgoingConnection,
    now,
)

Pair = Callable[..., Awaitable[tuple[OutgoingConnection, IncomingConnection]]]


@pytest.fixture
async def connections() -> asyncio.Queue[IncomingConnection]:
    return asyncio.Queue()


@pytest.fixture
async def listener(connections: asyncio.Queue[IncomingConnection]) -> AsyncIterator[Listener]:
    listener = await Listener.open("localhost", 0, ["a", "b"], connections.put)
    yield listener
    await listener.close()


@pytest.fixture
async def pair(listener: Listener, connections: asyncio.Queue[IncomingConnection]) -> Pair:
    async def connect(*subprotocols: str) -> tuple[OutgoingConnection, IncomingConnection]:
        outgoing = await OutgoingConnection.open(f"ws://localhost:{listener.port}", *subprotocols)
        return outgoing, await connections.get()

    return connect


async def test_text_and_bytes_arrive_as_they_are(pair: Pair) -> None:
    outgoing, incoming = await pair("b")
    await outgoing.send("text")
    await outgoing.send(b"bytes")
    assert (await incoming.receive(), await incoming.receive()) == ("text", b"bytes")
    assert outgoing.subprotocol == incoming.subprotocol == "b"
    assert outgoing.extensions is None


async def test_the_other_end_gets_the_close_code(pair: Pair) -> None:
    outgoing, incoming = await pair("a")
    await incoming.close(4002, "newer")
    for attempt in (outgoing.receive(), outgoing.send("late")):
        with pytest.raises(ConnectionClosedError) as closed:
            await attempt
        assert (closed.value.code, closed.value.reason) == (4002, "newer")


async def test_a_connection_without_a_close_frame_ends_with_1006(pair: Pair) -> None:
    outgoing, incoming = await pair("a")
    outgoing.cut()
    with pytest.raises(ConnectionClosedError) as closed:
        await incoming.receive()
    assert closed.value.code == 1006


async def test_a_listener_that_refuses_answers_503_and_keeps_the_time(listener: Listener, pair: Pair) -> None:
    listener.refuse_connections()
    before = now()
    with pytest.raises(HandshakeRefusedError) as refused:
        await pair("a")
    assert refused.value.status == 503
    assert before <= await listener.next_refused_attempt() <= now()
    listener.accept_connections()
    _, incoming = await pair("a")
    assert before <= incoming.at <= now()


async def test_a_failed_connection_is_one_sentence() -> None:
    with pytest.raises(CannotConnectError, match=r"^Cannot connect to ws://localhost:1: "):
        await OutgoingConnection.open("ws://localhost:1", "a")

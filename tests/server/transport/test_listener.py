import asyncio
import logging
from typing import Any

import pytest
import websockets
from websockets.exceptions import ConnectionClosed
from websockets.frames import Close

from server.transport import TransportLimits, TransportStats, serve, text_frame

Start = Any
"""Type of the fixture that starts listeners, see conftest.py."""


async def test_a_drain_closes_all_connections_and_ends_when_they_have_answered(start: Start) -> None:
    server = await start(limits={"close_seconds": 60, "connections_per_address": 1000})
    clients = [await server.connect_raw() for _ in range(50)]
    closes = asyncio.gather(*(client.answer_close() for client in clients))
    async with asyncio.timeout(10):
        await server.listener.drain(1012, "restart", within=30)

    assert await closes == [(1012, "restart")] * 50
    assert [handler.closes for handler in server.handlers] == [[(1012, "restart")]] * 50
    assert (server.stats.open, server.stats.close_timeouts) == (0, 0)


async def test_clients_that_answer_a_drain_are_closed_while_others_do_not_answer(start: Start) -> None:
    server = await start(limits={"close_seconds": 60, "connections_per_address": 1000})
    clients = [await server.connect_raw() for _ in range(200)]
    await server.connect_raw()
    closes = asyncio.gather(*(client.answer_close() for client in clients))
    drain = asyncio.create_task(server.listener.drain(1012, "restart", within=60))
    assert await closes == [(1012, "restart")] * 200
    await server.until(lambda: server.stats.open == 1)

    assert not drain.done()
    assert [handler.closes for handler in server.handlers] == [[(1012, "restart")]] * 200 + [[]]
    await server.listener.aclose()
    await drain


async def test_a_drain_aborts_the_connections_that_are_open_at_its_end(start: Start) -> None:
    """One client never reads, one reads and never answers, one has sent no request."""
    server = await start(limits={"close_seconds": 60})
    await server.connect_raw(small_buffers=True)
    stuck = server.handlers[0].connection
    await server.connect_raw()
    silent = await server.connect_tcp()
    await server.until(lambda: server.stats.handshakes == 1)
    while not stuck.outbox_bytes:
        stuck.send(text_frame(b"x" * 60_000))
        await asyncio.sleep(0)
    started = asyncio.get_running_loop().time()
    async with asyncio.timeout(10):  # the clock stands still: no other deadline ends these connections
        await server.listener.drain(1012, "restart", within=0.2)
    elapsed = asyncio.get_running_loop().time() - started

    assert elapsed > 0.15
    assert [handler.closes for handler in server.handlers] == [[(1012, "restart")]] * 2
    assert await silent.read_to_end() == b""
    assert (server.stats.open, server.stats.handshakes, server.stats.close_timeouts) == (0, 0, 0)


async def test_a_closed_port_accepts_no_client_and_keeps_open_connections(start: Start) -> None:
    server = await start()
    async with server.connect() as client:
        server.listener.stop_accepting()
        with pytest.raises(OSError, match=r"."):
            await server.connect()
        await client.send("still here")
        assert await client.recv() == "still here"


async def test_closing_the_listener_aborts_connections_and_may_be_repeated(start: Start) -> None:
    server = await start()
    async with server.connect() as client:
        await server.listener.aclose()
        await server.listener.aclose()
        with pytest.raises(ConnectionClosed):
            await client.recv()

    assert server.handlers[0].closes == [(1006, "aborted by the server")]


async def test_the_address_has_the_port_chosen_by_the_system(start: Start) -> None:
    server = await start()
    host, port = server.listener.address

    assert host == "127.0.0.1"
    assert 0 < port < 65536


async def test_a_port_in_use_raises_oserror(start: Start) -> None:
    server = await start()
    with pytest.raises(OSError, match="in use"):
        await start(port=server.listener.address[1])


async def test_several_processes_may_share_a_port(start: Start) -> None:
    first = await start(reuse_port=True)
    second = await start(reuse_port=True, port=first.listener.address[1])

    assert second.listener.address == first.listener.address


async def test_an_exception_of_the_application_is_logged_without_on_error(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def accept(_: object) -> Any:
        raise RuntimeError("accept failed")

    listener = await serve(
        accept,
        host="127.0.0.1",
        port=0,
        limits=TransportLimits(),
        stats=TransportStats(),
        http=lambda _, __: None,
        subprotocols=(),
        origins=None,
    )
    async with websockets.connect(f"ws://127.0.0.1:{listener.address[1]}/") as client:
        with pytest.raises(ConnectionClosed) as end:
            await client.recv()
    await listener.aclose()

    assert end.value.rcvd == Close(1011, "internal error")
    assert [
        (record.name, record.levelno) for record in caplog.records if record.levelno >= logging.ERROR
    ] == [("server.transport", logging.ERROR)]
    assert "RuntimeError: accept failed" in caplog.text


async def test_a_failing_check_of_one_connection_does_not_stop_the_others(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection is aborted and the exception reported."""
    server = await start()
    broken, sound = await server.connect_raw(), await server.connect_raw()

    def fail(_: bytes) -> None:
        raise RuntimeError("ping failed")

    monkeypatch.setattr(server.handlers[0].connection._protocol, "send_ping", fail)
    server.clock.now += 21
    await server.sweep()  # may have begun between the two connections
    await server.sweep()

    assert await sound.frame() == (9, b"")
    assert await broken.read_to_end() == b""
    assert [str(error) for error in server.errors] == ["ping failed"]
    server.errors.clear()

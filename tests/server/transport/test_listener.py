import asyncio
import logging
from typing import Any

import pytest
import websockets
from websockets.exceptions import ConnectionClosed
from websockets.frames import Close

from server.transport import TransportLimits, TransportStats, serve, text_frame

Start = Any
"""The fixture that starts listeners; its class lives in conftest.py."""


async def test_a_drain_closes_everybody_and_waits_only_for_them(start: Start) -> None:
    """With clients that answer it is over long before its time."""
    server = await start(limits={"close_seconds": 60, "connections_per_address": 1000}, real_time=True)
    clients = [await server.connect_raw() for _ in range(50)]
    responses = asyncio.gather(*(client.answer_close() for client in clients))
    async with asyncio.timeout(10):
        await server.listener.drain(1012, "restart", within=30)

    assert await responses == [(1012, "restart")] * 50
    assert [handler.closes for handler in server.handlers] == [[(1012, "restart")]] * 50
    assert (server.stats.open, server.stats.close_timeouts) == (0, 0)


async def test_a_dead_client_does_not_delay_a_drain_beyond_its_time(start: Start) -> None:
    """One never reads, one reads and never answers, one never asked for anything; the rest end well."""
    server = await start(limits={"close_seconds": 60, "connections_per_address": 1000}, real_time=True)
    clients = [await server.connect_raw() for _ in range(200)]
    await server.connect_raw(small_buffers=True)
    dead = server.handlers[-1]
    await server.connect_raw()
    mute = server.handlers[-1]
    silent = await server.connect_tcp()
    while not dead.connection.outbox_bytes:
        dead.connection.send(text_frame(b"x" * 60_000))
        await asyncio.sleep(0)
    responses = asyncio.gather(*(client.answer_close() for client in clients))
    started = asyncio.get_running_loop().time()
    await server.listener.drain(1012, "restart", within=0.8)
    took = asyncio.get_running_loop().time() - started
    await responses

    # Not a matter of speed: it may not end before its time, nor wait for the 60 s of the close limit.
    assert 0.7 < took < 5
    assert [handler.closes for handler in server.handlers] == [[(1012, "restart")]] * 202
    assert (dead.closes, mute.closes) == ([(1012, "restart")], [(1012, "restart")])
    assert await silent.read_to_end() == b""
    assert (server.stats.open, server.stats.handshakes) == (0, 0)


async def test_a_closed_port_takes_nobody_in_and_keeps_who_is_there(start: Start) -> None:
    server = await start()
    async with server.connect() as client:
        server.listener.stop_accepting()
        with pytest.raises(OSError, match=r"."):
            await server.connect()
        await client.send("still here")
        assert await client.recv() == "still here"


async def test_closing_the_listener_aborts_who_is_left_and_may_be_repeated(start: Start) -> None:
    server = await start()
    async with server.connect() as client:
        await server.listener.aclose()
        await server.listener.aclose()
        with pytest.raises(ConnectionClosed):
            await client.recv()

    assert server.handlers[0].closes == [(1006, "aborted by the server")]


async def test_the_address_is_the_one_the_system_chose(start: Start) -> None:
    server = await start()
    host, port = server.listener.address

    assert host == "127.0.0.1"
    assert 0 < port < 65536


async def test_a_port_in_use_is_an_error_of_the_system(start: Start) -> None:
    server = await start()
    with pytest.raises(OSError, match="in use"):
        await start(port=server.listener.address[1])


async def test_several_processes_may_share_a_port(start: Start) -> None:
    first = await start(reuse_port=True)
    second = await start(reuse_port=True, port=first.listener.address[1])

    assert second.listener.address == first.listener.address


async def test_a_fault_of_the_application_is_logged_unless_somebody_asks_for_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def accept(_: object) -> Any:
        raise RuntimeError("nobody at home")

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
    assert "RuntimeError: nobody at home" in caplog.text


async def test_a_connection_that_cannot_be_looked_at_hides_no_other(start: Start) -> None:
    """It is given up, and the application hears why."""
    server = await start()
    broken, sound = await server.connect_raw(), await server.connect_raw()

    def refuse(_: bytes) -> None:
        raise RuntimeError("no ping today")

    server.handlers[0].connection._protocol.send_ping = refuse
    server.clock.now += 21

    assert await sound.frame() == (9, b"")
    assert await broken.read_to_end() == b""
    assert [str(error) for error in server.errors] == ["no ping today"]
    server.errors.clear()

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
    place = await start(limits={"close_seconds": 60, "connections_per_address": 1000}, real_time=True)
    clients = [await place.raw() for _ in range(50)]
    answers = asyncio.gather(*(client.closing() for client in clients))
    async with asyncio.timeout(10):
        await place.listener.drain(1012, "restart", within=30)

    assert await answers == [(1012, "restart")] * 50
    assert [handler.ends for handler in place.handlers] == [[(1012, "restart")]] * 50
    assert (place.stats.open, place.stats.close_timeouts) == (0, 0)


async def test_a_dead_client_does_not_delay_a_drain_beyond_its_time(start: Start) -> None:
    """One never reads, one reads and never answers, one never asked for anything; the rest end well."""
    place = await start(limits={"close_seconds": 60, "connections_per_address": 1000}, real_time=True)
    clients = [await place.raw() for _ in range(200)]
    await place.raw(small_buffers=True)
    dead = place.handlers[-1]
    await place.raw()
    mute = place.handlers[-1]
    silent = await place.tcp()
    while not dead.connection.outbox_bytes:
        dead.connection.send(text_frame(b"x" * 60_000))
        await asyncio.sleep(0)
    answers = asyncio.gather(*(client.closing() for client in clients))
    started = asyncio.get_running_loop().time()
    await place.listener.drain(1012, "restart", within=0.8)
    took = asyncio.get_running_loop().time() - started
    await answers

    # Not a matter of speed: it may not end before its time, nor wait for the 60 s of the close limit.
    assert 0.7 < took < 5
    assert [handler.ends for handler in place.handlers] == [[(1012, "restart")]] * 202
    assert (dead.ends, mute.ends) == ([(1012, "restart")], [(1012, "restart")])
    assert await silent.rest() == b""
    assert (place.stats.open, place.stats.handshakes) == (0, 0)


async def test_a_closed_port_takes_nobody_in_and_keeps_who_is_there(start: Start) -> None:
    place = await start()
    async with place.connect() as client:
        place.listener.stop_accepting()
        with pytest.raises(OSError, match=r"."):
            await place.connect()
        await client.send("still here")
        assert await client.recv() == "still here"


async def test_closing_the_listener_aborts_who_is_left_and_may_be_repeated(start: Start) -> None:
    place = await start()
    async with place.connect() as client:
        await place.listener.aclose()
        await place.listener.aclose()
        with pytest.raises(ConnectionClosed):
            await client.recv()

    assert place.handlers[0].ends == [(1006, "aborted by the server")]


async def test_the_address_is_the_one_the_system_chose(start: Start) -> None:
    place = await start()
    host, port = place.listener.address

    assert host == "127.0.0.1"
    assert 0 < port < 65536


async def test_a_port_in_use_is_an_error_of_the_system(start: Start) -> None:
    place = await start()
    with pytest.raises(OSError, match="in use"):
        await start(port=place.listener.address[1])


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
    place = await start()
    broken, sound = await place.raw(), await place.raw()

    def refuse(_: bytes) -> None:
        raise RuntimeError("no ping today")

    place.handlers[0].connection._protocol.send_ping = refuse
    place.clock.now += 21

    assert await sound.frame() == (9, b"")
    assert await broken.rest() == b""
    assert [str(error) for error in place.errors] == ["no ping today"]
    place.errors.clear()

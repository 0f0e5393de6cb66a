from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from server.transport import Refused
from server.transport.origin import refused_origin_text

Start = Any
"""Type of the fixture that starts listeners, see conftest.py."""


async def test_a_page_of_another_origin_is_refused(start: Start) -> None:
    """Pages of a listed origin and of the server's own host may connect. A refusal is reported once."""
    reported: list[tuple[str, str]] = []
    server = await start(on_refused_origin=lambda origin, host: reported.append((origin, host)))
    port = server.listener.address[1]
    for origin in ("https://friends.example", f"http://127.0.0.1:{port}"):
        async with server.connect(origin=origin):
            pass
    with pytest.raises(InvalidStatus):
        await server.connect(origin="https://evil.example")
    with pytest.raises(InvalidStatus) as refusal:
        await server.connect(origin="https://evil.example")
    host = f"127.0.0.1:{port}"
    text = refused_origin_text(["https://evil.example"], [host])
    assert refusal.value.response.status_code == 403
    assert refusal.value.response.body == f"{text}\n".encode()
    assert server.refused == {Refused.ORIGIN: 2}
    assert reported == [("https://evil.example", host)]


async def test_an_origin_that_is_no_text_is_refused_as_any_other(start: Start) -> None:
    server = await start()
    status, _, body = await server.request(
        b"GET /ws HTTP/1.1\r\nHost: us\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        b"Origin: https://\xff\xc3\r\n\r\n"
    )
    assert (status, body.startswith(b"Pages of the origin https://?? may not connect")) == (403, True)


async def test_connections_of_one_address_are_limited(start: Start) -> None:
    server = await start(limits={"connections_per_address": 2})
    async with server.connect():
        async with server.connect():
            with pytest.raises(InvalidStatus) as refusal:
                await server.connect()
        assert refusal.value.response.status_code == 429
        assert refusal.value.response.headers["Retry-After"] == "5"
        assert b"2 connections" in refusal.value.response.body
        await server.handlers[1].wait_closed()
        async with server.connect():
            pass
    assert server.refused == {Refused.TOO_MANY_OF_ADDRESS: 1}


async def test_an_address_that_opens_connections_too_fast_is_refused_for_a_while(
    start: Start,
) -> None:
    """Every handshake costs time, however short the connection. A burst of twice the limit is allowed."""
    server = await start(limits={"connections_per_address": 2})

    async def connect_and_close() -> tuple[int, str | None]:
        try:
            async with server.connect():
                pass
        except InvalidStatus as refusal:
            return refusal.response.status_code, refusal.response.headers["Retry-After"]
        await server.until(lambda: server.stats.open == 0)
        return 101, None

    accepted, refused = (101, None), (429, "5")
    assert [await connect_and_close() for _ in range(6)] == [accepted] * 4 + [refused] * 2
    server.clock.now += 5.0  # at one connection in 5 s
    assert [await connect_and_close() for _ in range(2)] == [accepted, refused]
    assert server.refused == {Refused.TOO_FAST_OF_ADDRESS: 3}


async def test_connections_are_limited_and_health_checks_are_still_answered(start: Start) -> None:
    server = await start(limits={"max_connections": 1})
    async with server.connect():
        with pytest.raises(InvalidStatus) as refusal:
            await server.connect()
        status, _, body = await server.request(b"GET /healthz HTTP/1.1\r\nHost: us\r\n\r\n")

    assert refusal.value.response.status_code == 503
    assert refusal.value.response.headers["Retry-After"] == "5"
    assert (status, body) == (200, b"ok, us\n")
    assert server.refused == {Refused.TOO_MANY: 1}


async def test_unfinished_handshakes_are_limited(start: Start) -> None:
    server = await start(limits={"max_handshakes": 2})
    clients = [await server.connect_tcp() for _ in range(3)]
    await server.until(lambda: server.stats.refused[Refused.TOO_MANY_HANDSHAKES])
    await server.until(lambda: server.stats.handshakes == 2)

    assert await clients[2].read_to_end() == b""


@pytest.mark.parametrize(("trusted", "accepted"), [([], 3), (["127.0.0.1"], 5)])
async def test_unfinished_handshakes_of_one_address_are_limited(
    start: Start, trusted: list[str], accepted: int
) -> None:
    """One address must not use up the limit for all. Many clients share the address of a trusted proxy."""
    limits = {"max_handshakes": 24, "connections_per_address": 2}
    server = await start(limits=limits, trusted_proxies=trusted)
    clients = [await server.connect_tcp() for _ in range(5)]
    await server.until(lambda: server.stats.handshakes == accepted)
    await server.until(lambda: server.stats.refused[Refused.TOO_MANY_HANDSHAKES] == 5 - accepted)
    assert [await client.read_to_end() for client in clients[accepted:]] == [b""] * (5 - accepted)

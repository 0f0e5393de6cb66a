from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Close

from server.transport import Refused

Start = Any
"""The fixture that starts listeners; its class lives in conftest.py."""


def refused(server: Any) -> dict[Refused, int]:
    """Only what was refused at all."""
    return {reason: count for reason, count in server.stats.refused.items() if count}


async def test_the_first_offered_subprotocol_that_we_speak_is_agreed_on(start: Start) -> None:
    server = await start()
    async with server.connect(subprotocols=["chess", "simonrace.json", "simonrace.msgpack"]) as client:
        assert client.subprotocol == "simonrace.json"
        await client.send("hello")
        assert await client.recv() == "hello"
        connection = server.handlers[0].connection
        assert (connection.subprotocol, connection.address) == ("simonrace.json", "127.0.0.1")
        assert "websockets" in connection.user_agent


async def test_a_client_without_a_subprotocol_is_welcome_to_text_and_binary(start: Start) -> None:
    server = await start()
    async with server.connect() as client:
        await client.send("text")
        await client.send(b"binary")
        assert [await client.recv(), await client.recv()] == ["text", b"binary"]
        assert server.handlers[0].connection.subprotocol is None


async def test_only_unknown_subprotocols_are_refused_with_the_known_ones(start: Start) -> None:
    server = await start()
    with pytest.raises(InvalidStatus) as refusal:
        await server.connect(subprotocols=["chess"])

    assert refusal.value.response.status_code == 400
    assert b"simonrace.msgpack, simonrace.json" in refusal.value.response.body
    assert refused(server) == {Refused.SUBPROTOCOL: 1}


async def test_a_page_of_a_foreign_origin_is_refused(start: Start) -> None:
    """A listed origin and one of our own host may connect; programs, without an origin, do anyway."""
    server = await start()
    port = server.listener.address[1]
    for origin in ("https://friends.example", f"http://127.0.0.1:{port}"):
        async with server.connect(origin=origin):
            pass
    with pytest.raises(InvalidStatus) as refusal:
        await server.connect(origin="https://evil.example")

    assert refusal.value.response.status_code == 403
    assert refusal.value.response.body == b"This server does not let pages of that origin connect.\n"
    assert refused(server) == {Refused.ORIGIN: 1}


async def test_too_many_connections_of_one_address_are_refused_until_one_ends(start: Start) -> None:
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
    assert refused(server) == {Refused.TOO_MANY_OF_ADDRESS: 1}


async def test_who_opens_connections_too_fast_is_refused_for_a_while(start: Start) -> None:
    """Each costs a handshake, however short it is. All that an address may have may come back at once."""
    server = await start(limits={"connections_per_address": 2})

    async def come_and_go() -> tuple[int, str | None]:
        try:
            async with server.connect():
                pass
        except InvalidStatus as refusal:
            return refusal.response.status_code, refusal.response.headers["Retry-After"]
        await server.until(lambda: server.stats.open == 0)
        return 101, None

    good, bad = (101, None), (429, "5")
    assert [await come_and_go() for _ in range(6)] == [good] * 4 + [bad] * 2
    server.clock.now += 5.0  # a fifth of one a second
    assert [await come_and_go() for _ in range(2)] == [good, bad]
    assert refused(server) == {Refused.TOO_FAST_OF_ADDRESS: 3}


async def test_too_many_connections_in_all_are_refused_while_health_is_still_answered(start: Start) -> None:
    server = await start(limits={"max_connections": 1})
    async with server.connect():
        with pytest.raises(InvalidStatus) as refusal:
            await server.connect()
        status, _, body = await server.request(b"GET /healthz HTTP/1.1\r\nHost: us\r\n\r\n")

    assert refusal.value.response.status_code == 503
    assert refusal.value.response.headers["Retry-After"] == "5"
    assert (status, body) == (200, b"fine, us\n")
    assert refused(server) == {Refused.TOO_MANY: 1}


async def test_behind_a_trusted_proxy_the_address_is_the_one_it_forwards(start: Start) -> None:
    server = await start(trusted_proxies=["127.0.0.0/8"])
    async with server.connect(additional_headers={"X-Forwarded-For": "1.2.3.4, 203.0.113.9"}):
        assert server.handlers[0].connection.address == "203.0.113.9"


@pytest.mark.parametrize(
    ("request_line", "status", "body"),
    [
        (b"GET /healthz HTTP/1.1", 200, b"fine, us\n"),
        (b"GET /healthz?verbose HTTP/1.0", 200, b"fine, us\n"),
        (b"HEAD /healthz HTTP/1.1", 200, b""),
        (b"GET /nothing HTTP/1.1", 404, b"There is nothing at this path.\n"),
        (b"GET / HTTP/1.1", 426, b"Here lives a WebSocket; plain HTTP cannot use it.\n"),
        (b"GET /ws HTTP/1.1", 426, b"Here lives a WebSocket; plain HTTP cannot use it.\n"),
        (b"DELETE /healthz HTTP/1.1", 405, b"Only GET and HEAD are answered here.\n"),
    ],
)
async def test_plain_http_is_answered_and_the_connection_closed(
    start: Start, request_line: bytes, status: int, body: bytes
) -> None:
    server = await start()
    got_status, headers, got_body = await server.request(request_line + b"\r\nHost: us\r\n\r\n")

    assert (got_status, got_body) == (status, body)
    assert "Connection: close" in headers


async def test_a_page_that_breaks_is_reported_to_us_and_answered_without_details(start: Start) -> None:
    server = await start()
    status, _, body = await server.request(b"GET /broken HTTP/1.1\r\nHost: us\r\n\r\n")

    assert (status, body) == (500, b"The server failed to answer; it is logged there.\n")
    assert [str(error) for error in server.errors] == ["the page is broken"]
    server.errors.clear()


@pytest.mark.parametrize(
    ("request_bytes", "status", "reason"),
    [
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400, Refused.BAD_REQUEST),
        (b"GET /ws HTTP/1.1\r\nno colon\r\n\r\n", 400, Refused.BAD_REQUEST),
        (b"POST /ws HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello", 400, Refused.BAD_REQUEST),
        (b"GET /" + b"x" * 9000, 431, Refused.HEADERS_TOO_LARGE),
        (b"GET / HTTP/1.1\r\nX: " + b"x" * 9000, 431, Refused.HEADERS_TOO_LARGE),
        (b"GET / HTTP/1.1\r\n" + b"X: x\r\n" * 200, 431, Refused.HEADERS_TOO_LARGE),
        (b"GET / HTTP/1.1\r\n" + (b"X: " + b"x" * 5000 + b"\r\n") * 100, 431, Refused.HEADERS_TOO_LARGE),
    ],
)
async def test_a_request_that_is_none_or_too_large_is_refused(
    start: Start, request_bytes: bytes, status: int, reason: Refused
) -> None:
    """The answer reaches a client that is still sending when it is refused."""
    server = await start()
    got_status, headers, _ = await server.request(request_bytes)

    assert got_status == status
    assert "Connection: close" in headers
    assert refused(server) == {reason: 1}


@pytest.mark.parametrize(
    ("old", "new", "status"),
    [
        (b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", b"Sec-WebSocket-Key: short", 400),
        (b"Sec-WebSocket-Version: 13", b"Sec-WebSocket-Version: 8", 400),
        (b"Connection: Upgrade", b"Connection: close", 426),
        (b"HTTP/1.1", b"HTTP/1.0", 505),
        (b"/ws", b"/elsewhere", 404),
        (b"GET", b"HEAD", 405),
    ],
)
async def test_a_faulty_upgrade_is_refused(
    start: Start, upgrade_request: bytes, old: bytes, new: bytes, status: int
) -> None:
    server = await start()
    got_status, headers, _ = await server.request(upgrade_request.replace(old, new))

    assert got_status == status
    assert "Connection: close" in headers
    assert server.handlers == []


@pytest.mark.parametrize("early", [b"\x88\x80\x00\x00\x00\x00", b"\x81\x80\x00\x00\x00\x00", b"garbage"])
async def test_frames_before_the_answer_are_refused(
    start: Start, upgrade_request: bytes, early: bytes
) -> None:
    server = await start()
    status, _, body = await server.request(upgrade_request + early)

    assert (status, body) == (400, b"Nothing may be sent before the handshake is answered.\n")


async def test_a_request_may_come_byte_by_byte(start: Start, upgrade_request: bytes) -> None:
    server = await start()
    client = await server.connect_tcp()
    for at in range(len(upgrade_request)):
        client.send(upgrade_request[at : at + 1])
        await client.writer.drain()
    assert (await client.reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")


async def test_a_client_that_takes_too_long_to_ask_is_dropped(start: Start) -> None:
    """Bytes that trickle in do not extend the time."""
    server = await start()
    client = await server.connect_tcp()
    await server.until(lambda: server.stats.handshakes == 1)
    server.clock.now += 4.9
    client.send(b"GET /ws HTTP/1.1\r\nX: slowly")
    await server.until(lambda: server.stats.bytes_in > 0)
    server.clock.now += 0.2

    assert await client.read_to_end() == b""
    assert refused(server) == {Refused.TIMED_OUT: 1}


async def test_a_client_that_does_not_hang_up_after_its_answer_is_dropped(start: Start) -> None:
    server = await start(limits={"close_seconds": 0.04})
    client = await server.connect_tcp()
    client.send(b"GET /healthz HTTP/1.1\r\nHost: us\r\n\r\nand more")
    assert (await client.reader.readuntil(b"fine, us\n")).startswith(b"HTTP/1.1 200 OK")
    assert server.stats.handshakes == 1
    server.clock.now += 0.05
    await server.until(lambda: server.stats.handshakes == 0)

    assert refused(server) == {}


async def test_too_many_silent_clients_are_not_even_listened_to(start: Start) -> None:
    server = await start(limits={"max_handshakes": 2})
    clients = [await server.connect_tcp() for _ in range(3)]
    await server.until(lambda: server.stats.refused[Refused.TOO_MANY_HANDSHAKES])
    await server.until(lambda: server.stats.handshakes == 2)

    assert await clients[2].read_to_end() == b""


@pytest.mark.parametrize(("trusted", "stay"), [([], 3), (["127.0.0.1"], 5)])
async def test_one_address_cannot_hold_all_handshakes(start: Start, trusted: list[str], stay: int) -> None:
    """Others would be let in no more. A trusted proxy is an address that many share."""
    limits = {"max_handshakes": 24, "connections_per_address": 2}
    server = await start(limits=limits, trusted_proxies=trusted)
    clients = [await server.connect_tcp() for _ in range(5)]
    await server.until(lambda: server.stats.handshakes == stay)
    await server.until(lambda: server.stats.refused[Refused.TOO_MANY_HANDSHAKES] == 5 - stay)
    assert [await client.read_to_end() for client in clients[stay:]] == [b""] * (5 - stay)


async def test_a_client_that_leaves_before_it_asked_is_forgotten(start: Start) -> None:
    server = await start()
    client = await server.connect_tcp()
    client.send(b"GET /ws HT")
    await server.until(lambda: server.stats.bytes_in > 0)
    client.reset()
    await server.until(lambda: server.stats.handshakes == 0)

    assert refused(server) == {}


async def test_inside_tls_everything_is_the_same(start: Start, certificate: tuple[Any, Any]) -> None:
    """TLS has no half close; the close handshake still comes to its end, from either side."""
    ours, theirs = certificate
    server = await start(ssl=ours)
    async with server.connect(ssl=theirs) as client:
        await client.send("hello")
        assert await client.recv() == "hello"
        await client.send("close me")
        with pytest.raises(ConnectionClosed) as end:
            await client.recv()
    async with server.connect(ssl=theirs):
        pass
    await server.until(
        lambda: [handler.closes for handler in server.handlers] == [[(4001, "as you wish")], [(1000, "")]]
    )

    assert end.value.rcvd == Close(4001, "as you wish")

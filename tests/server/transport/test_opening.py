from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Close

from server.transport import Refused

Start = Any
"""Type of the fixture that starts listeners, see conftest.py."""


async def test_the_first_supported_subprotocol_is_selected(start: Start) -> None:
    server = await start()
    async with server.connect(subprotocols=["chess", "simonrace.json", "simonrace.msgpack"]) as client:
        assert client.subprotocol == "simonrace.json"
        await client.send("hello")
        assert await client.recv() == "hello"
        connection = server.handlers[0].connection
        assert (connection.subprotocol, connection.address) == ("simonrace.json", "127.0.0.1")
        assert "websockets" in connection.user_agent


async def test_a_client_without_a_subprotocol_may_send_text_and_binary(start: Start) -> None:
    server = await start()
    async with server.connect() as client:
        await client.send("text")
        await client.send(b"binary")
        assert [await client.recv(), await client.recv()] == ["text", b"binary"]
        assert server.handlers[0].connection.subprotocol is None


async def test_unsupported_subprotocols_are_refused_with_the_supported_ones(start: Start) -> None:
    server = await start()
    with pytest.raises(InvalidStatus) as refusal:
        await server.connect(subprotocols=["chess"])

    assert refusal.value.response.status_code == 400
    assert b"simonrace.msgpack, simonrace.json" in refusal.value.response.body
    assert server.refused == {Refused.SUBPROTOCOL: 1}


async def test_behind_a_trusted_proxy_the_address_is_the_forwarded_one(start: Start) -> None:
    server = await start(trusted_proxies=["127.0.0.0/8"])
    async with server.connect(additional_headers={"X-Forwarded-For": "1.2.3.4, 203.0.113.9"}):
        assert server.handlers[0].connection.address == "203.0.113.9"


@pytest.mark.parametrize(
    ("request_line", "status", "body"),
    [
        (b"GET /healthz HTTP/1.1", 200, b"ok, us\n"),
        (b"GET /healthz?verbose HTTP/1.0", 200, b"ok, us\n"),
        (b"HEAD /healthz HTTP/1.1", 200, b""),
        (b"GET /nothing HTTP/1.1", 404, b"There is nothing at this path.\n"),
        (b"GET / HTTP/1.1", 426, b"This is a WebSocket endpoint; connect with a WebSocket client.\n"),
        (b"GET /ws HTTP/1.1", 426, b"This is a WebSocket endpoint; connect with a WebSocket client.\n"),
        (b"DELETE /healthz HTTP/1.1", 405, b"Only GET and HEAD are supported.\n"),
    ],
)
async def test_a_plain_http_request_is_answered_and_the_connection_closed(
    start: Start, request_line: bytes, status: int, body: bytes
) -> None:
    server = await start()
    got_status, headers, got_body = await server.request(request_line + b"\r\nHost: us\r\n\r\n")

    assert (got_status, got_body) == (status, body)
    assert "Connection: close" in headers


async def test_an_exception_of_the_http_handler_is_reported_and_hidden(
    start: Start,
) -> None:
    server = await start()
    status, _, body = await server.request(b"GET /broken HTTP/1.1\r\nHost: us\r\n\r\n")

    assert (status, body) == (500, b"The server failed to answer; the error is in its log.\n")
    assert [str(error) for error in server.errors] == ["the page failed"]
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
async def test_a_malformed_or_too_large_request_is_refused(
    start: Start, request_bytes: bytes, status: int, reason: Refused
) -> None:
    """The response reaches a client that is still sending."""
    server = await start()
    got_status, headers, _ = await server.request(request_bytes)

    assert got_status == status
    assert "Connection: close" in headers
    assert server.refused == {reason: 1}


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
async def test_an_invalid_upgrade_is_refused(
    start: Start, upgrade_request: bytes, old: bytes, new: bytes, status: int
) -> None:
    server = await start()
    got_status, headers, _ = await server.request(upgrade_request.replace(old, new))

    assert got_status == status
    assert "Connection: close" in headers
    assert server.handlers == []


@pytest.mark.parametrize("early", [b"\x88\x80\x00\x00\x00\x00", b"\x81\x80\x00\x00\x00\x00", b"garbage"])
async def test_frames_sent_before_the_handshake_is_answered_are_refused(
    start: Start, upgrade_request: bytes, early: bytes
) -> None:
    server = await start()
    status, _, body = await server.request(upgrade_request + early)

    assert (status, body) == (400, b"Nothing may be sent before the handshake is answered.\n")


async def test_a_request_may_be_received_byte_by_byte(start: Start, upgrade_request: bytes) -> None:
    server = await start()
    client = await server.connect_tcp()
    for at in range(len(upgrade_request)):
        client.send(upgrade_request[at : at + 1])
        await client.writer.drain()
    assert (await client.reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")


async def test_a_client_that_takes_too_long_to_send_its_request_is_aborted(start: Start) -> None:
    """Bytes received meanwhile do not extend the deadline."""
    server = await start()
    client = await server.connect_tcp()
    await server.until(lambda: server.stats.handshakes == 1)
    server.clock.now += 4.9
    client.send(b"GET /ws HTTP/1.1\r\nX: slowly")
    await server.until(lambda: server.stats.bytes_in > 0)
    server.clock.now += 0.2

    assert await client.read_to_end() == b""
    assert server.refused == {Refused.TIMED_OUT: 1}


async def test_a_client_that_stays_connected_after_the_response_is_aborted(start: Start) -> None:
    server = await start(limits={"close_seconds": 0.04})
    client = await server.connect_tcp()
    client.send(b"GET /healthz HTTP/1.1\r\nHost: us\r\n\r\nand more")
    assert (await client.reader.readuntil(b"ok, us\n")).startswith(b"HTTP/1.1 200 OK")
    assert server.stats.handshakes == 1
    server.clock.now += 0.05
    await server.until(lambda: server.stats.handshakes == 0)

    assert server.refused == {}


async def test_a_client_that_disconnects_before_its_request_is_unregistered(start: Start) -> None:
    server = await start()
    client = await server.connect_tcp()
    client.send(b"GET /ws HT")
    await server.until(lambda: server.stats.bytes_in > 0)
    client.reset()
    await server.until(lambda: server.stats.handshakes == 0)

    assert server.refused == {}


async def test_tls_connections_open_and_close_in_the_same_way(
    start: Start, certificate: tuple[Any, Any]
) -> None:
    """TLS cannot close one side only; the close handshake completes from either side nevertheless."""
    server_tls, client_tls = certificate
    server = await start(ssl=server_tls)
    async with server.connect(ssl=client_tls) as client:
        await client.send("hello")
        assert await client.recv() == "hello"
        await client.send("close me")
        with pytest.raises(ConnectionClosed) as end:
            await client.recv()
    async with server.connect(ssl=client_tls):
        pass
    await server.until(
        lambda: [handler.closes for handler in server.handlers] == [[(4001, "as requested")], [(1000, "")]]
    )

    assert end.value.rcvd == Close(4001, "as requested")

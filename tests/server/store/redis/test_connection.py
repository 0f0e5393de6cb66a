"""One connection: replies in order, errors with their cause, and no reply for another command."""

import asyncio
import os
import shutil
import signal
import ssl
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from racetest import until

from server.store.embedded import EmbeddedRedis
from server.store.port import StoreRefused, StoreUnavailable
from server.store.redis.client import RedisClient
from server.store.redis.connection import RedisConnection

FakeServer = Callable[[bytes], Awaitable[str]]
Connect = Callable[..., RedisConnection]


@pytest.fixture
async def connect() -> AsyncIterator[Connect]:
    """Create connections that are closed after the test."""
    made: list[RedisConnection] = []

    def make(url: str, timeout: float = 2.0) -> RedisConnection:
        made.append(RedisClient(url, timeout).connection())
        return made[-1]

    yield make
    for connection in made:
        await connection.aclose()


async def test_commands_are_answered_in_order_and_values_are_any_bytes(
    redis_server: EmbeddedRedis, connect: Connect
) -> None:
    connection = connect(redis_server.url)
    assert await connection.execute("ECHO", b"\r\n\0\xff") == b"\r\n\0\xff"
    assert await connection.execute("ECHO", 7) == b"7"
    assert await connection.execute_packed(b"*1\r\n$4\r\nPING\r\n") == b"PONG"
    big = bytes(3_000_000)
    assert await connection.execute("ECHO", big) == big


async def test_an_error_reply_does_not_close_the_connection(
    redis_server: EmbeddedRedis, connect: Connect
) -> None:
    connection = connect(redis_server.url)
    name = await connection.execute("CLIENT", "ID")
    with pytest.raises(StoreRefused, match="unknown command"):
        await connection.execute("NOSUCHCOMMAND")
    assert await connection.execute("CLIENT", "ID") == name


async def test_a_server_of_another_protocol_is_refused(fake_server: FakeServer, connect: Connect) -> None:
    connection = connect(await fake_server(b"HTTP/1.1 400 Bad Request\r\n\r\n"))
    with pytest.raises(StoreRefused, match="is not Redis or Valkey: correct the address"):
        await connection.execute("PING")


@pytest.mark.parametrize(
    "url", ["redis://127.0.0.1:1/0", "unix:///no/such/socket", "redis://no.such.host.invalid"]
)
async def test_an_unreachable_address_is_reported(url: str, connect: Connect) -> None:
    with pytest.raises(StoreUnavailable) as raised:
        await connect(url).execute("PING")
    assert str(raised.value).startswith(f"The store at {url} cannot be reached (")
    assert str(raised.value).endswith("): check the address and that it runs.")


async def test_looking_up_a_name_may_take_longer_than_a_reply(
    fake_server: FakeServer, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lookup that is given up and repeated keeps a slow name server busy, and never succeeds."""
    loop, timeout = asyncio.get_running_loop(), 0.3
    look_up = loop.getaddrinfo

    async def slowly(*question: Any, **options: Any) -> Any:
        await asyncio.sleep(2 * timeout)
        return await look_up(*question, **options)

    monkeypatch.setattr(loop, "getaddrinfo", slowly)
    url = (await fake_server(b"+PONG\r\n")).replace("127.0.0.1", "localhost")
    assert await connect(url, timeout).execute("PING") == b"PONG"


async def test_a_missing_reply_is_reported_and_a_late_one_is_not_taken_for_the_next(
    own_server: EmbeddedRedis, connect: Connect
) -> None:
    connection = connect(own_server.url, 0.6)
    assert await connection.execute("ECHO", "first") == b"first"
    os.kill(own_server.pid, signal.SIGSTOP)
    try:
        with pytest.raises(StoreUnavailable, match="no answer in time"):
            await connection.execute("ECHO", "late")
    finally:
        os.kill(own_server.pid, signal.SIGCONT)
    assert await connection.execute("ECHO", "next") == b"next"


async def test_the_reply_of_a_cancelled_command_is_not_taken_for_the_next_one(
    redis_server: EmbeddedRedis, connect: Connect
) -> None:
    """A connection whose replies are off by one would return the data of other players."""
    connection = connect(redis_server.url)
    await connection.execute("PING")
    slow = asyncio.create_task(connection.execute("BLPOP", "empty list", 1))
    await asyncio.sleep(0)
    slow.cancel()
    await asyncio.wait([slow])
    assert slow.cancelled()
    assert await connection.execute("ECHO", "mine") == b"mine"


async def test_a_connection_that_the_server_has_closed_is_replaced_before_a_command_is_sent(
    redis_server: EmbeddedRedis,
    connect: Connect,
    command: Callable[..., Awaitable[Any]],
) -> None:
    """An idle connection that was ended by a server or a firewall makes no command fail."""
    connection = connect(redis_server.url)
    name = await connection.execute("CLIENT", "ID")
    await command("CLIENT", "KILL", "ID", name)
    await until(lambda: not connection.connected)
    assert await connection.execute("CLIENT", "ID") != name


async def test_receiving_has_no_time_limit(redis_server: EmbeddedRedis, connect: Connect) -> None:
    receiving, sending = connect(redis_server.url, 0.5), connect(redis_server.url)
    assert await receiving.execute("SUBSCRIBE", "test_channel") == [b"subscribe", b"test_channel", 1]
    waiting = asyncio.create_task(receiving.receive())
    done, _ = await asyncio.wait([waiting], timeout=0.8)
    assert not done
    for payload in ("1", "2"):
        await sending.execute("PUBLISH", "test_channel", payload)
    assert await waiting == [b"message", b"test_channel", b"1"]
    assert await receiving.receive() == [b"message", b"test_channel", b"2"]


async def test_a_connection_that_was_never_used_cannot_receive(
    redis_server: EmbeddedRedis, connect: Connect
) -> None:
    with pytest.raises(StoreUnavailable, match="not connected"):
        await connect(redis_server.url).receive()


@pytest.mark.usefixtures("_service")
async def test_a_password_and_a_database_are_sent_before_the_first_command(
    tmp_path: Path, connect: Connect
) -> None:
    folder = tmp_path / ("too long for a socket " * 5)
    with EmbeddedRedis.start(folder) as server:
        port = server.address.port
        with pytest.raises(StoreRefused, match="asks for a password"):
            await connect(f"redis://127.0.0.1:{port}/0").execute("PING")
        for url in (
            f"redis://:wrong@127.0.0.1:{port}/0",
            f"redis://nobody:{server.address.password}@127.0.0.1:{port}",
        ):
            connection = connect(url)
            for _ in range(2):
                with pytest.raises(StoreRefused, match="does not accept this user name"):
                    await connection.execute("PING")
        for url in (server.url, server.url.replace("redis://:", "redis://default:")):
            assert await connect(url).execute("PING") == b"PONG"
        with pytest.raises(StoreRefused, match="DB index is out of range"):
            await connect(server.url.removesuffix("/0") + "/1").execute("PING")


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A self-signed certificate of `localhost`; its key is in `key.pem` beside it."""
    made = tmp_path / "cert.pem"
    words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    words += [
        "-addext",
        "subjectAltName=DNS:localhost",
        "-keyout",
        str(tmp_path / "key.pem"),
        "-out",
        str(made),
    ]
    subprocess.run(["openssl", *words], check=True, capture_output=True)
    return made


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")
async def test_rediss_uses_tls_and_verifies_the_certificate(
    redis_server: EmbeddedRedis, certificate: Path, connect: Connect
) -> None:
    """Some builds of the server have no TLS, so a TLS proxy is placed before it."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, certificate.with_name("key.pem"))

    async def join(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answers, commands = await asyncio.open_unix_connection(redis_server.address.path)
        with suppress(OSError):
            while data := await reader.read(1 << 16):
                commands.write(data)
                writer.write(await answers.read(1 << 16))
        commands.close()
        writer.close()

    listening = await asyncio.start_server(join, "localhost", 0, ssl=context)
    url = f"rediss://localhost:{listening.sockets[0].getsockname()[1]}/0"
    trusting = connect(f"{url}?ssl_ca_certs={certificate}")
    assert await trusting.execute("ECHO", "over TLS") == b"over TLS"
    with pytest.raises(StoreUnavailable, match="certificate verify failed"):
        await connect(url).execute("PING")
    await trusting.aclose()
    listening.close()
    await listening.wait_closed()

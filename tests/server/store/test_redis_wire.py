"""One connection: answers in turn, failures told as what they are, and never an answer for somebody else."""

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
from server.store.port import StoreAway, StoreRefused
from server.store.redis_link import Link
from server.store.redis_wire import Wire

FakeServer = Callable[[bytes], Awaitable[str]]
MakeWire = Callable[..., Wire]


@pytest.fixture
async def make_wire() -> AsyncIterator[MakeWire]:
    """Make wires that are closed after the test."""
    made: list[Wire] = []

    def make(url: str, patience: float = 2.0) -> Wire:
        made.append(Link(url, patience).wire())
        return made[-1]

    yield make
    for wire in made:
        await wire.aclose()


async def test_commands_are_answered_in_turn_and_values_are_any_bytes(
    redis_server: EmbeddedRedis, make_wire: MakeWire
) -> None:
    wire = make_wire(redis_server.url)
    assert await wire.call("ECHO", b"\r\n\0\xff") == b"\r\n\0\xff"
    assert await wire.call("ECHO", 7) == b"7"
    assert await wire.send(b"*1\r\n$4\r\nPING\r\n") == b"PONG"
    big = bytes(3_000_000)
    assert await wire.call("ECHO", big) == big


async def test_a_refusal_leaves_the_connection_as_it_is(
    redis_server: EmbeddedRedis, make_wire: MakeWire
) -> None:
    wire = make_wire(redis_server.url)
    name = await wire.call("CLIENT", "ID")
    with pytest.raises(StoreRefused, match="unknown command"):
        await wire.call("NOSUCHCOMMAND")
    assert await wire.call("CLIENT", "ID") == name


async def test_something_else_at_the_address_is_told(fake_server: FakeServer, make_wire: MakeWire) -> None:
    wire = make_wire(await fake_server(b"HTTP/1.1 400 Bad Request\r\n\r\n"))
    with pytest.raises(StoreRefused, match="is not Redis or Valkey: correct the address"):
        await wire.call("PING")


@pytest.mark.parametrize(
    "url", ["redis://127.0.0.1:1/0", "unix:///no/such/socket", "redis://no.such.host.invalid"]
)
async def test_nobody_at_the_address_is_told(url: str, make_wire: MakeWire) -> None:
    with pytest.raises(StoreAway) as raised:
        await make_wire(url).call("PING")
    assert str(raised.value).startswith(f"The store at {url} cannot be reached (")
    assert str(raised.value).endswith("): check the address and that it runs.")


async def test_a_name_may_be_looked_up_for_longer_than_an_answer_may_take(
    fake_server: FakeServer, make_wire: MakeWire, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who gives up and asks again each time keeps a busy name server busy, and never connects."""
    loop = asyncio.get_running_loop()
    look_up = loop.getaddrinfo

    async def slowly(*question: Any, **options: Any) -> Any:
        await asyncio.sleep(0.6)
        return await look_up(*question, **options)

    monkeypatch.setattr(loop, "getaddrinfo", slowly)
    url = (await fake_server(b"+PONG\r\n")).replace("127.0.0.1", "localhost")
    assert await make_wire(url, 0.3).call("PING") == b"PONG"


async def test_no_answer_in_time_is_told_and_a_late_one_is_not_taken_for_the_next(
    own_server: EmbeddedRedis, make_wire: MakeWire
) -> None:
    wire = make_wire(own_server.url, 0.6)
    assert await wire.call("ECHO", "first") == b"first"
    os.kill(own_server.pid, signal.SIGSTOP)
    try:
        with pytest.raises(StoreAway, match="no answer in time"):
            await wire.call("ECHO", "late")
    finally:
        os.kill(own_server.pid, signal.SIGCONT)
    assert await wire.call("ECHO", "next") == b"next"


async def test_a_cancelled_command_leaves_no_answer_behind_for_the_next_one(
    redis_server: EmbeddedRedis, make_wire: MakeWire
) -> None:
    """A connection whose answers are off by one gives people each other's data."""
    wire = make_wire(redis_server.url)
    await wire.call("PING")
    slow = asyncio.create_task(wire.call("BLPOP", "nothing comes here", 1))
    await asyncio.sleep(0)
    slow.cancel()
    await asyncio.wait([slow])
    assert slow.cancelled()
    assert await wire.call("ECHO", "mine") == b"mine"


async def test_a_connection_that_the_server_closed_meanwhile_is_replaced_before_anything_is_sent(
    redis_server: EmbeddedRedis,
    make_wire: MakeWire,
    command: Callable[..., Awaitable[Any]],
) -> None:
    """An idle connection that a server or a firewall has ended costs nobody a failure."""
    wire = make_wire(redis_server.url)
    name = await wire.call("CLIENT", "ID")
    await command("CLIENT", "KILL", "ID", name)
    await until(lambda: not wire.connected)
    assert await wire.call("CLIENT", "ID") != name


async def test_waiting_for_messages_has_no_limit_that_commands_have(
    redis_server: EmbeddedRedis, make_wire: MakeWire
) -> None:
    hearing, speaking = make_wire(redis_server.url, 0.5), make_wire(redis_server.url)
    assert await hearing.call("SUBSCRIBE", "test_wire") == [b"subscribe", b"test_wire", 1]
    waiting = asyncio.create_task(hearing.receive())
    done, _ = await asyncio.wait([waiting], timeout=0.8)
    assert not done
    for payload in ("1", "2"):
        await speaking.call("PUBLISH", "test_wire", payload)
    assert await waiting == [b"message", b"test_wire", b"1"]
    assert await hearing.receive() == [b"message", b"test_wire", b"2"]


async def test_a_wire_that_was_never_used_receives_nothing(
    redis_server: EmbeddedRedis, make_wire: MakeWire
) -> None:
    with pytest.raises(StoreAway, match="not connected"):
        await make_wire(redis_server.url).receive()


@pytest.mark.usefixtures("_service")
async def test_a_password_and_a_database_are_given_before_the_first_command(
    tmp_path: Path, make_wire: MakeWire
) -> None:
    folder = tmp_path / ("too long for a socket " * 5)
    with EmbeddedRedis.start(folder) as server:
        port = server.address.port
        with pytest.raises(StoreRefused, match="asks for a password"):
            await make_wire(f"redis://127.0.0.1:{port}/0").call("PING")
        for url in (
            f"redis://:wrong@127.0.0.1:{port}/0",
            f"redis://nobody:{server.address.password}@127.0.0.1:{port}",
        ):
            wire = make_wire(url)
            for _ in range(2):
                with pytest.raises(StoreRefused, match="does not accept this user name"):
                    await wire.call("PING")
        for url in (server.url, server.url.replace("redis://:", "redis://default:")):
            assert await make_wire(url).call("PING") == b"PONG"
        with pytest.raises(StoreRefused, match="DB index is out of range"):
            await make_wire(server.url.removesuffix("/0") + "/1").call("PING")


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate of `localhost` that nobody trusts unless told to; `key.pem` lies beside it."""
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
async def test_rediss_speaks_tls_and_checks_who_is_there(
    redis_server: EmbeddedRedis, certificate: Path, make_wire: MakeWire
) -> None:
    """Not every server at hand is built with TLS, so something stands before it that is."""
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
    trusting = make_wire(f"{url}?ssl_ca_certs={certificate}")
    assert await trusting.call("ECHO", "over TLS") == b"over TLS"
    with pytest.raises(StoreAway, match="certificate verify failed"):
        await make_wire(url).call("PING")
    await trusting.aclose()
    listening.close()
    await listening.wait_closed()

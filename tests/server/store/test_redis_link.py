"""What a server's refusals mean, told in one sentence to somebody who can do something about it."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from server.store.embedded import EmbeddedRedis
from server.store.port import StoreAway, StoreRefused
from server.store.redis_faults import ScriptMissing
from server.store.redis_link import Link

FakeServer = Callable[[bytes], Awaitable[str]]


async def failure(url: str, timeout: float = 2.0) -> StoreAway | StoreRefused:  # noqa: ASYNC109
    link = Link(url, timeout)
    wire = link.wire()
    try:
        with pytest.raises((StoreAway, StoreRefused)) as raised:
            await wire.call("PING")
    finally:
        await wire.aclose()
        await link.aclose()
    assert isinstance(raised.value, StoreAway | StoreRefused)
    return raised.value


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (b"-NOAUTH Authentication required.", StoreRefused, "asks for a password: put it into the address"),
        (b"-WRONGPASS invalid username-password pair", StoreRefused, "does not accept this user name"),
        (b"-NOPERM User x has no permissions", StoreRefused, "allow it all commands, keys, channels"),
        (b"-READONLY You can't write against a read only replica.", StoreRefused, "read-only replica"),
        (
            # as Redis 6.2 tells of an error inside a script
            b"-ERR Error running script (call to f_1b): @user_script:9: @user_script: 9: "
            b"-READONLY You can't write against a read only replica.",
            StoreRefused,
            "read-only replica",
        ),
        (b"-OOM command not allowed when used memory > 'maxmemory'.", StoreRefused, "raise its maxmemory"),
        (
            b"-MISCONF Errors writing to the AOF file: No space left on device",
            StoreRefused,
            "make room there",
        ),
        (b"-WRONGTYPE Operation against a key", StoreRefused, "choose another prefix or database number"),
        (b"-MOVED 3999 127.0.0.1:6381", StoreRefused, "part of a Redis Cluster"),
        (b"-NOREPLICAS Not enough good replicas to write.", StoreRefused, "too few replicas"),
        (b"-ERR unknown command 'EVALSHA'", StoreRefused, "refuses (ERR unknown command 'EVALSHA')"),
        (b"-LOADING Redis is loading the dataset in memory", StoreAway, "is not ready (LOADING Redis is"),
        (b"-BUSY Redis is busy running a script.", StoreAway, "may need a moment"),
        (b"-MASTERDOWN Link with MASTER is down", StoreAway, "may need a moment"),
        (b"-ERR max number of clients reached", StoreAway, "is not ready (ERR max number"),
        (b"-NOSCRIPT No matching script.", ScriptMissing, ""),
    ],
)
async def test_a_refusal_says_what_to_do(
    answer: bytes, kind: type[Exception], words: str, fake_server: FakeServer
) -> None:
    fault = await failure(await fake_server(answer + b"\r\n"))
    assert type(fault) is kind
    assert words in str(fault)


async def test_something_else_at_the_address_is_told(fake_server: FakeServer) -> None:
    fault = await failure(await fake_server(b"HTTP/1.1 400 Bad Request\r\n\r\n"))
    assert isinstance(fault, StoreRefused)
    assert "is not Redis or Valkey: correct the address." in str(fault)


@pytest.mark.parametrize(
    "url", ["redis://127.0.0.1:1/0", "unix:///no/such/socket", "redis://no.such.host.invalid"]
)
async def test_nobody_at_the_address_is_told(url: str) -> None:
    fault = await failure(url)
    assert isinstance(fault, StoreAway)
    assert str(fault).startswith(f"The store at {url} cannot be reached (")
    assert str(fault).endswith("): check the address and that it runs.")


async def test_no_answer_in_time_is_told(fake_server: FakeServer) -> None:
    fault = await failure(await fake_server(b""), timeout=0.05)
    assert isinstance(fault, StoreAway)
    assert "(no answer in time)" in str(fault)


@pytest.mark.parametrize(
    "url",
    [
        "localhost:6379",
        "http://localhost",
        "",
        "redis://h:port/0",
        "redis://[::1",
        "redis://h/0?unheard_of=1",
    ],
)
def test_what_is_no_address_is_refused_with_an_example(url: str) -> None:
    with pytest.raises(StoreRefused, match=r"redis://host:6379/0.*unix:///path/to/socket\.$"):
        Link(url, 1.0)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("redis://user:secret@host:6379/2", "redis://host:6379/2"),
        ("rediss://:secret@[::1]:6379", "rediss://[::1]:6379"),
        ("unix:///run/redis.sock?password=secret", "unix:///run/redis.sock"),
    ],
)
async def test_secrets_of_the_address_are_never_shown(url: str, shown: str) -> None:
    assert Link(url, 1.0).address == shown


@pytest.mark.parametrize("url", ["secret", "redis://[secret", "redis://:secret@h/0?unheard_of=secret"])
def test_nor_are_they_when_the_address_is_refused(url: str) -> None:
    with pytest.raises(StoreRefused) as raised:
        Link(url, 1.0)
    assert "secret" not in str(raised.value)


async def test_a_password_is_asked_for_checked_and_accepted(tmp_path: Path) -> None:
    folder = tmp_path / ("too long for a socket " * 5)
    with EmbeddedRedis.start(folder) as server:
        port = server.address.port
        assert "asks for a password" in str(await failure(f"redis://127.0.0.1:{port}/0"))
        assert "does not accept this user name" in str(await failure(f"redis://:wrong@127.0.0.1:{port}/0"))
        link = Link(server.url, 2.0)
        assert await link.ask("ECHO", "hello") == b"hello"
        await link.aclose()


async def test_a_cancelled_command_leaves_no_answer_behind_for_the_next_one(
    redis_server: EmbeddedRedis,
) -> None:
    """A connection whose answers are off by one gives people each other's data."""
    link = Link(redis_server.url, 5.0)
    wire = link.wire()
    slow = asyncio.create_task(wire.call("BLPOP", "nothing comes here", 1))
    await asyncio.sleep(0.05)
    slow.cancel()
    await asyncio.wait([slow])
    assert await wire.call("ECHO", "mine") == b"mine"
    await wire.aclose()
    await link.aclose()

"""Client of one server: validation of its URL, and commands that may be executed twice."""

from collections.abc import Awaitable, Callable

import pytest

from server.store.embedded import EmbeddedRedis
from server.store.port import StoreRefused, StoreUnavailable
from server.store.redis.client import RedisClient, split_url
from server.store.redis.errors import KeysMoved, ScriptMissing

FakeServer = Callable[[bytes], Awaitable[str]]


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
def test_an_invalid_address_is_refused_with_examples(url: str) -> None:
    with pytest.raises(StoreRefused, match=r"redis://host:6379/0.*unix:///path/to/socket\.$"):
        RedisClient(url, 1.0)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("redis://user:secret@host:6379/2", "redis://host:6379/2"),
        ("rediss://:secret@[::1]:6379", "rediss://[::1]:6379"),
        ("unix:///run/redis.sock?password=secret", "unix:///run/redis.sock"),
    ],
)
async def test_secrets_of_the_address_are_never_shown(url: str, shown: str) -> None:
    assert RedisClient(url, 1.0).address == shown


@pytest.mark.parametrize("url", ["secret", "redis://[secret", "redis://:secret@h/0?unheard_of=secret"])
def test_secrets_are_not_shown_when_the_address_is_refused(url: str) -> None:
    with pytest.raises(StoreRefused) as raised:
        RedisClient(url, 1.0)
    assert "secret" not in str(raised.value)


async def test_a_command_is_repeated_after_a_lost_connection(redis_server: EmbeddedRedis) -> None:
    client = RedisClient(redis_server.url, 2.0)
    name = await client.execute("CLIENT", "ID")
    killer = client.connection()
    await killer.execute("CLIENT", "KILL", "ID", name)
    assert await client.execute("ECHO", "still here") == b"still here"
    await killer.aclose()
    await client.aclose()


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (b"-NOAUTH Authentication required.", StoreRefused, "asks for a password"),
        (b"-WRONGPASS invalid username-password pair", StoreRefused, "does not accept this user name"),
        (b"-READONLY You can't write against a read only replica.", StoreRefused, "read-only replica"),
        (b"-MISCONF Errors writing to the AOF file", StoreRefused, "make room there"),
        (b"-MOVED 3999 127.0.0.1:6381", KeysMoved, "part of a Redis Cluster"),
        (b"-ERR unknown command 'TIME'", StoreRefused, "refuses (ERR unknown command 'TIME')"),
        (b"-ERR max number of clients reached", StoreUnavailable, "max number of clients reached"),
        (
            b"-LOADING Redis is loading the dataset in memory",
            StoreUnavailable,
            "is not ready (LOADING Redis is",
        ),
        (b"-NOSCRIPT No matching script.", ScriptMissing, "NOSCRIPT No matching script."),
        (b"HTTP/1.1 400 Bad Request\r\n", StoreRefused, "is not Redis or Valkey"),
        (b"", StoreUnavailable, "cannot be reached (Timeout reading from 127.0.0.1"),
    ],
)
async def test_errors_of_the_pool_are_reported_like_those_of_a_connection(
    answer: bytes, kind: type[Exception], words: str, fake_server: FakeServer
) -> None:
    client = RedisClient(await fake_server(answer and answer + b"\r\n"), 5.0 if answer else 0.2)
    with pytest.raises((StoreUnavailable, StoreRefused)) as raised:
        await client.execute("TIME")
    assert type(raised.value) is kind
    assert words in str(raised.value)
    await client.aclose()


@pytest.mark.parametrize(
    ("url", "urls"),
    [
        ("redis://host:6379/0", ["redis://host:6379/0"]),
        ("redis://a:7000,b:7001/0", ["redis://a:7000/0", "redis://b:7001/0"]),
        (
            "rediss://user:se,cret@a, [::1]:7001,?ssl_cert_reqs=none",
            [
                "rediss://user:se,cret@a",
                "rediss://user:se,cret@[::1]:7001",
                "rediss://user:se,cret@?ssl_cert_reqs=none",
            ],
        ),
        (
            "redis://:secret@a:7000,b:7001/?protocol=2",
            ["redis://:secret@a:7000/?protocol=2", "redis://:secret@b:7001/?protocol=2"],
        ),
        ("redis://a:7000,", ["redis://a:7000"]),
        ("unix:///run/a,b.sock", ["unix:///run/a,b.sock"]),
        ("localhost:6379", ["localhost:6379"]),
        ("redis://", ["redis://"]),
        ("redis://,", ["redis://,"]),
    ],
)
def test_each_host_of_an_address_gets_its_credentials_and_options(url: str, urls: list[str]) -> None:
    """A comma of the password or of a path separates nothing."""
    assert split_url(url) == urls

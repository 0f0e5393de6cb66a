"""An inbox goes deaf in many ways; each is noticed, told once, and repaired."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from racetest import say, until

from server.store.embedded import EmbeddedRedis
from server.store.redis.client import RedisClient
from server.store.redis.store import RedisStore
from server.store.redis.subscriber import PROBE, RedisSubscriber


class Heard:
    def __init__(self) -> None:
        self.messages: list[bytes] = []
        self.gaps = 0

    def gap(self) -> None:
        self.gaps += 1


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
async def through_proxy(
    proxy: Any, redis_store: RedisStore, prefix: str, heard: Heard
) -> AsyncIterator[RedisSubscriber]:
    """A subscriber that loses patience soon, and whose probes do not take the way on which it listens."""

    async def publish(payload: bytes) -> None:
        await say(redis_store, "inbox:n", payload)

    client = RedisClient(proxy.url, 2.0)
    subscriber = RedisSubscriber(
        client,
        f"{prefix}inbox:n",
        heard.messages.append,
        heard.gap,
        publish=publish,
        monotonic=time.monotonic,
        probe_interval_s=0.02,
        probe_timeout_s=0.2,
    )
    await subscriber.subscribed()
    yield subscriber
    await subscriber.aclose()
    await client.aclose()


async def test_a_subscription_that_dies_without_a_sign_is_replaced(
    through_proxy: RedisSubscriber, proxy: Any, redis_store: RedisStore, heard: Heard
) -> None:
    proxy.loses = "all answers"
    await say(redis_store, "inbox:n", b"lost")
    await until(lambda: through_proxy.probe_age_s() > 0.2)
    proxy.loses = "nothing"
    await until(lambda: heard.gaps == 1)
    await say(redis_store, "inbox:n", b"heard")
    await until(lambda: heard.messages == [b"heard"])
    await until(lambda: through_proxy.probe_age_s() < 0.2)


async def test_silence_is_counted_from_the_last_probe(through_proxy: RedisSubscriber) -> None:
    """Other messages prove less: the probe has gone the whole way from this node to itself."""
    started = time.monotonic()
    await until(lambda: time.monotonic() - started > 0.3)
    await until(lambda: through_proxy.probe_age_s() < 0.1)


@pytest.mark.usefixtures("through_proxy")
async def test_probes_are_never_handed_on(redis_store: RedisStore, heard: Heard) -> None:
    """Nor are those of another process that listens under the same name."""
    await say(redis_store, "inbox:n", PROBE + b"of somebody else")
    await say(redis_store, "inbox:n", b"a message")
    await until(lambda: heard.messages != [])
    assert heard.messages == [b"a message"]
    assert heard.gaps == 0


async def test_a_listener_outlives_a_server_that_is_gone_for_longer_than_it_waits_between_attempts(
    own_server: EmbeddedRedis, open_store: Callable[..., Awaitable[RedisStore]], heard: Heard
) -> None:
    store = await open_store(own_server.url)
    subscriber = store.subscribe("inbox:n", heard.messages.append, heard.gap)
    await subscriber.subscribed()
    os.kill(own_server.pid, signal.SIGKILL)
    await until(lambda: subscriber.probe_age_s() > 2.5)
    assert heard.gaps == 0
    assert own_server.revive()
    await until(lambda: heard.gaps == 1)
    await say(store, "inbox:n", b"x")
    await until(lambda: heard.messages == [b"x"])
    await subscriber.aclose()


async def test_a_bug_in_a_callback_does_not_make_the_inbox_deaf(
    redis_store: RedisStore, heard: Heard
) -> None:
    bugs: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: bugs.append(context))

    def receive(payload: bytes) -> None:
        heard.messages.append(payload)
        raise ZeroDivisionError

    subscriber = redis_store.subscribe("inbox:n", receive, heard.gap)
    await subscriber.subscribed()
    for payload in (b"1", b"2"):
        await say(redis_store, "inbox:n", payload)
    await until(lambda: heard.messages == [b"1", b"2"])
    assert [type(bug["exception"]) for bug in bugs] == [ZeroDivisionError] * 2
    await subscriber.aclose()


async def test_closing_does_not_wait_for_a_server_that_is_away(own_server: EmbeddedRedis) -> None:
    store = await RedisStore.open(own_server.url)
    subscriber = store.subscribe("inbox:n", lambda _: None, lambda: None)
    os.kill(own_server.pid, signal.SIGSTOP)
    try:
        async with asyncio.timeout(1.0):
            await subscriber.aclose()
            await store.aclose()
    finally:
        os.kill(own_server.pid, signal.SIGCONT)

"""Lost subscriptions: every kind is detected, reported once as a gap, and replaced."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from racetest import publish_to, until

from server.store.embedded import EmbeddedRedis
from server.store.redis.client import RedisClient
from server.store.redis.store import RedisStore
from server.store.redis.subscriber import PROBE, RedisSubscriber


class Received:
    def __init__(self) -> None:
        self.messages: list[bytes] = []
        self.gaps = 0

    def gap(self) -> None:
        self.gaps += 1


@pytest.fixture
def received() -> Received:
    return Received()


@pytest.fixture
async def through_proxy(
    proxy: Any, redis_store: RedisStore, prefix: str, received: Received
) -> AsyncIterator[RedisSubscriber]:
    """A subscriber with a short probe timeout, whose probes are not published through the proxy."""

    async def publish(payload: bytes) -> None:
        await publish_to(redis_store, "inbox:n", payload)

    client = RedisClient(proxy.url, 2.0)
    subscriber = RedisSubscriber(
        client,
        f"{prefix}inbox:n",
        received.messages.append,
        received.gap,
        publish=publish,
        monotonic=time.monotonic,
        probe_interval_s=0.02,
        probe_timeout_s=0.2,
    )
    await subscriber.subscribed()
    yield subscriber
    await subscriber.aclose()
    await client.aclose()


async def test_a_subscription_that_is_lost_without_an_error_is_replaced(
    through_proxy: RedisSubscriber, proxy: Any, redis_store: RedisStore, received: Received
) -> None:
    proxy.loses = "all answers"
    await publish_to(redis_store, "inbox:n", b"lost")
    await until(lambda: through_proxy.probe_age_s() > 0.2)
    proxy.loses = "nothing"
    await until(lambda: received.gaps == 1)
    await publish_to(redis_store, "inbox:n", b"received")
    await until(lambda: received.messages == [b"received"])
    await until(lambda: through_proxy.probe_age_s() < 0.2)


async def test_the_age_of_the_probe_is_counted_from_the_last_one(through_proxy: RedisSubscriber) -> None:
    """Other messages prove less: the probe has passed the whole path from this node to itself."""
    started = time.monotonic()
    await until(lambda: through_proxy.probe_age_s() < time.monotonic() - started - 0.1)


@pytest.mark.usefixtures("through_proxy")
async def test_probes_are_not_passed_on(redis_store: RedisStore, received: Received) -> None:
    """Probes of another process that subscribes to the same inbox are not passed on either."""
    await publish_to(redis_store, "inbox:n", PROBE + b"of another process")
    await publish_to(redis_store, "inbox:n", b"a message")
    await until(lambda: received.messages != [])
    assert received.messages == [b"a message"]
    assert received.gaps == 0


async def test_a_subscriber_survives_an_outage_that_is_longer_than_the_pause_between_attempts(
    own_server: EmbeddedRedis,
    open_store: Callable[..., Awaitable[RedisStore]],
    received: Received,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("server.store.redis.subscriber._MAX_PAUSE_S", 0.1)
    store = await open_store(own_server.url)
    subscriber = store.subscribe("inbox:n", received.messages.append, received.gap)
    await subscriber.subscribed()
    os.kill(own_server.pid, signal.SIGKILL)
    await until(lambda: subscriber.probe_age_s() > 0.5)
    assert received.gaps == 0
    assert own_server.revive()
    await until(lambda: received.gaps == 1)
    await publish_to(store, "inbox:n", b"x")
    await until(lambda: received.messages == [b"x"])
    await subscriber.aclose()


async def test_a_bug_in_a_callback_does_not_end_the_subscription(
    redis_store: RedisStore, received: Received
) -> None:
    bugs: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: bugs.append(context))

    def receive(payload: bytes) -> None:
        received.messages.append(payload)
        raise ZeroDivisionError

    subscriber = redis_store.subscribe("inbox:n", receive, received.gap)
    await subscriber.subscribed()
    for payload in (b"1", b"2"):
        await publish_to(redis_store, "inbox:n", payload)
    await until(lambda: received.messages == [b"1", b"2"])
    assert [type(bug["exception"]) for bug in bugs] == [ZeroDivisionError] * 2
    await subscriber.aclose()


async def test_closing_does_not_wait_for_a_stalled_server(own_server: EmbeddedRedis) -> None:
    store = await RedisStore.open(own_server.url)
    subscriber = store.subscribe("inbox:n", lambda _: None, lambda: None)
    os.kill(own_server.pid, signal.SIGSTOP)
    try:
        async with asyncio.timeout(1.0):
            await subscriber.aclose()
            await store.aclose()
    finally:
        os.kill(own_server.pid, signal.SIGCONT)

"""Subscription to a node's inbox on Redis, which detects every kind of lost connection."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from contextlib import suppress

from server.store.cancellation import cancel_and_wait
from server.store.port import StoreRefused, StoreUnavailable
from server.store.redis.client import RedisClient
from server.store.redis.connection import RedisConnection

PROBE = b"\x00simonrace-probe\x00"
"""Prefix of probes. No probe is passed on, not even one of an older process of the same name."""

PROBE_INTERVAL_S = 1.0
PROBE_TIMEOUT_S = 5.0
_FIRST_PAUSE_S = 0.05
_MAX_PAUSE_S = 1.0


class RedisSubscriber:
    """Subscribe to one channel, and again whenever the subscription is lost.

    A connection can die without a sign, so the subscriber publishes a probe to its own channel every second
    and reconnects when none has come back for five.
    """

    def __init__(
        self,
        client: RedisClient,
        channel: str,
        on_message: Callable[[bytes], None],
        on_gap: Callable[[], None],
        *,
        publish: Callable[[bytes], Awaitable[None]],
        monotonic: Callable[[], float],
        probe_interval_s: float = PROBE_INTERVAL_S,
        probe_timeout_s: float = PROBE_TIMEOUT_S,
    ) -> None:
        self._client = client
        self._channel = channel
        self._on_message = on_message
        self._on_gap = on_gap
        self._publish = publish
        self._monotonic = monotonic
        self._probe_interval_s = probe_interval_s
        self._probe_timeout_s = probe_timeout_s
        self._probe = PROBE + os.urandom(16)  # of this subscriber only
        self._probe_received = monotonic()  # when its own probe last came back
        self._subscribed = 0.0  # when the present subscription began
        self._first = asyncio.Event()  # set by the first subscription; later ones are gaps
        self._pause = _FIRST_PAUSE_S  # before the next attempt
        self._task = asyncio.create_task(self._run(), name=f"subscriber {channel}")

    async def subscribed(self) -> None:
        """Return when the inbox has been subscribed to for the first time."""
        await self._first.wait()

    def probe_age_s(self) -> float:
        """Return the seconds since the subscriber last received its own probe, or since it was created."""
        return self._monotonic() - self._probe_received

    async def aclose(self) -> None:
        """End the subscription."""
        await cancel_and_wait(self._task)

    async def _run(self) -> None:
        while True:
            connection = self._client.connection()
            try:
                await self._subscribe(connection)
                async with asyncio.TaskGroup() as both:
                    both.create_task(self._receive(connection))
                    both.create_task(self._keep_probing())
            except* (StoreUnavailable, StoreRefused):
                pass  # reported by probe_age_s(), and by on_gap after the next subscription
            finally:
                await connection.aclose()
            await asyncio.sleep(self._pause)
            self._pause = min(2 * self._pause, _MAX_PAUSE_S)

    async def _subscribe(self, connection: RedisConnection) -> None:
        await connection.execute("SUBSCRIBE", self._channel)
        self._subscribed = self._monotonic()
        self._pause = _FIRST_PAUSE_S
        if self._first.is_set():
            self._call(self._on_gap)
        self._first.set()

    async def _receive(self, connection: RedisConnection) -> None:
        while True:
            kind, _, payload = await connection.receive()
            if payload == self._probe:
                self._probe_received = self._monotonic()
            elif kind == b"message" and not payload.startswith(PROBE):
                self._call(self._on_message, payload)

    async def _keep_probing(self) -> None:
        while True:
            with suppress(StoreUnavailable, StoreRefused):
                await self._publish(self._probe)
            await asyncio.sleep(self._probe_interval_s)
            if self._monotonic() - max(self._probe_received, self._subscribed) > self._probe_timeout_s:
                raise StoreUnavailable(f"no probe has come back on {self._channel}")

    def _call(self, callback: Callable[..., None], *arguments: bytes) -> None:
        """Run a callback; report an exception in it as a bug, and keep the subscription."""
        try:
            callback(*arguments)
        except Exception as bug:
            asyncio.get_running_loop().call_exception_handler(
                {"message": f"a callback of the subscriber of {self._channel} failed", "exception": bug}
            )

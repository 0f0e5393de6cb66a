"""A node's inbox on Redis: a subscription that notices every way of going deaf."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from contextlib import suppress

from server.store.cancellation import end
from server.store.port import StoreAway, StoreRefused
from server.store.redis.client import Link
from server.store.redis.connection import Wire

PROBE = b"\x00simonrace-probe\x00"
"""How probes begin. They are never handed on, not even those of an older process of the same name."""

PROBE_EVERY_S = 1.0
DEAF_AFTER_S = 5.0
_FIRST_PAUSE_S = 0.05
_LONGEST_PAUSE_S = 1.0


class RedisListener:
    """Subscribe to one channel, and again whenever the subscription is lost.

    A subscription can die without a sign, so the listener sends itself a probe through the server every
    second and starts anew when none has come back for five.
    """

    def __init__(
        self,
        link: Link,
        channel: str,
        on_message: Callable[[bytes], None],
        on_gap: Callable[[], None],
        *,
        publish: Callable[[bytes], Awaitable[None]],
        monotonic: Callable[[], float],
        probe_every_s: float = PROBE_EVERY_S,
        deaf_after_s: float = DEAF_AFTER_S,
    ) -> None:
        self._link = link
        self._channel = channel
        self._on_message = on_message
        self._on_gap = on_gap
        self._publish = publish
        self._monotonic = monotonic
        self._probe_every_s = probe_every_s
        self._deaf_after_s = deaf_after_s
        self._probe = PROBE + os.urandom(16)
        self._heard = monotonic()
        self._subscribed = 0.0
        self._first = asyncio.Event()
        self._pause = _FIRST_PAUSE_S
        self._task = asyncio.create_task(self._listen_for_ever(), name=f"listener {channel}")

    async def opened(self) -> None:
        """Return when the inbox has been subscribed to for the first time."""
        await self._first.wait()

    def silence(self) -> float:
        """Seconds since the listener last received its own probe, or since it was made."""
        return self._monotonic() - self._heard

    async def aclose(self) -> None:
        """Stop listening."""
        await end(self._task)

    async def _listen_for_ever(self) -> None:
        while True:
            wire = self._link.wire()
            try:
                await self._subscribe(wire)
                async with asyncio.TaskGroup() as both:
                    both.create_task(self._receive(wire))
                    both.create_task(self._keep_probing())
            except* (StoreAway, StoreRefused):
                pass  # what matters is told by silence(), and by on_gap once it is back
            finally:
                await wire.aclose()
            await asyncio.sleep(self._pause)
            self._pause = min(2 * self._pause, _LONGEST_PAUSE_S)

    async def _subscribe(self, wire: Wire) -> None:
        await wire.call("SUBSCRIBE", self._channel)
        self._subscribed = self._monotonic()
        self._pause = _FIRST_PAUSE_S
        if self._first.is_set():
            self._guarded(self._on_gap)
        self._first.set()

    async def _receive(self, wire: Wire) -> None:
        while True:
            kind, _, payload = await wire.receive()
            if payload == self._probe:
                self._heard = self._monotonic()
            elif kind == b"message" and not payload.startswith(PROBE):
                self._guarded(self._on_message, payload)

    async def _keep_probing(self) -> None:
        while True:
            with suppress(StoreAway, StoreRefused):
                await self._publish(self._probe)
            await asyncio.sleep(self._probe_every_s)
            if self._monotonic() - max(self._heard, self._subscribed) > self._deaf_after_s:
                raise StoreAway(f"nothing comes back on {self._channel}")

    def _guarded(self, callback: Callable[..., None], *arguments: bytes) -> None:
        """Call back; what goes wrong in there is a bug to be told, and no reason to stop listening."""
        try:
            callback(*arguments)
        except Exception as bug:
            asyncio.get_running_loop().call_exception_handler(
                {"message": f"callback of {self._channel} failed", "exception": bug}
            )

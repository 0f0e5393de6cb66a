import asyncio
from typing import Any

Start = Any
"""The fixture that starts listeners; its class lives in conftest.py."""


async def test_ipv6_neighbours_are_counted_together_and_forgotten_when_they_leave(start: Start) -> None:
    """One household has a /64 network, so an address of it alone limits nobody."""
    place = await start(trusted_proxies=["127.0.0.1"], limits={"connections_per_address": 2})
    roster = place.listener._roster
    async with (
        place.connect(additional_headers={"X-Forwarded-For": "2001:db8::1"}),
        place.connect(additional_headers={"X-Forwarded-For": "2001:db8::2"}),
    ):
        counts = [roster.of_address(address) for address in ("2001:db8::3", "2001:db8:0:1::1", "127.0.0.1")]
    await place.until(lambda: place.stats.open == 0)

    assert counts == [2, 0, 0]
    assert roster.of_address("2001:db8::3") == 0
    assert not roster._of_address


async def test_nobody_is_there_when_the_last_opening_and_the_last_connection_are_gone(start: Start) -> None:
    place = await start()
    nobody: asyncio.Event = place.listener._roster.nobody
    seen = [nobody.is_set()]
    visitor = await place.tcp()
    await place.until(lambda: place.stats.handshakes == 1)
    seen.append(nobody.is_set())
    async with place.connect():
        visitor.reset()
        await place.until(lambda: place.stats.handshakes == 0)
        seen.append(nobody.is_set())
    await place.until(lambda: place.stats.open == 0)
    seen.append(nobody.is_set())

    assert seen == [True, False, False, True]

from typing import Any

Start = Any
"""The fixture that starts listeners; its class lives in conftest.py."""


async def test_ipv6_neighbours_are_counted_together_and_forgotten_when_they_leave(start: Start) -> None:
    """One household has a /64 network, so an address of it alone limits nobody."""
    server = await start(trusted_proxies=["127.0.0.1"], limits={"connections_per_address": 2})
    registry = server.listener._registry
    async with (
        server.connect(additional_headers={"X-Forwarded-For": "2001:db8::1"}),
        server.connect(additional_headers={"X-Forwarded-For": "2001:db8::2"}),
    ):
        counts = [
            registry.connections_from(address) for address in ("2001:db8::3", "2001:db8:0:1::1", "127.0.0.1")
        ]
    await server.until(lambda: server.stats.open == 0)

    assert counts == [2, 0, 0]
    assert registry.connections_from("2001:db8::3") == 0
    assert not registry._connections_per_address


async def test_nobody_is_there_when_the_last_opening_and_the_last_connection_are_gone(start: Start) -> None:
    server = await start()
    registry = server.listener._registry
    seen = [registry.is_empty()]
    visitor = await server.connect_tcp()
    await server.until(lambda: server.stats.handshakes == 1)
    seen.append(registry.is_empty())
    async with server.connect():
        visitor.reset()
        await server.until(lambda: server.stats.handshakes == 0)
        seen.append(registry.is_empty())
    await server.until(lambda: server.stats.open == 0)
    seen.append(registry.is_empty())

    assert seen == [True, False, False, True]

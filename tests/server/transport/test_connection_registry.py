from typing import Any, cast

from server.transport import TransportLimits, TransportStats
from server.transport.connection_registry import ConnectionRegistry
from server.transport.ports import RegisteredConnection, RegisteredOpening

Start = Any
"""Type of the fixture that starts listeners, see conftest.py."""


class Fake:
    """What the registry reads of an opening and of a connection."""

    def __init__(self, address: str) -> None:
        self.peer = self.address = address


def opening_from(address: str) -> RegisteredOpening:
    return cast("RegisteredOpening", Fake(address))


def connection_from(address: str) -> RegisteredConnection:
    return cast("RegisteredConnection", Fake(address))


async def test_an_ipv6_address_is_counted_with_its_64_network_until_it_leaves(start: Start) -> None:
    """A household has a whole /64 network, so limits on single addresses would limit nobody."""
    server = await start(trusted_proxies=["127.0.0.1"], limits={"connections_per_address": 2})
    registry = server.listener._registry
    addresses = ("2001:db8::3", "2001:db8:0:1::1", "127.0.0.1")
    async with (
        server.connect(additional_headers={"X-Forwarded-For": "2001:db8::1"}),
        server.connect(additional_headers={"X-Forwarded-For": "2001:db8::2"}),
    ):
        counts = [registry.connections_from(address) for address in addresses]
    await server.until(lambda: server.stats.open == 0)

    assert counts == [2, 0, 0]
    assert registry.connections_from("2001:db8::3") == 0
    assert not registry._connections_per_address


async def test_a_listener_is_empty_when_all_openings_and_connections_are_gone(start: Start) -> None:
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


async def test_openings_are_counted_by_address_until_they_are_removed() -> None:
    stats = TransportStats()
    registry = ConnectionRegistry(stats, TransportLimits())
    first, second = opening_from("2001:db8::1"), opening_from("2001:db8::2")
    registry.add_opening(first)
    registry.add_opening(second)
    both = (registry.openings_from("2001:db8::3"), stats.handshakes)
    registry.remove_opening(first)

    assert both == (2, 2)
    assert (registry.openings, registry.openings_from("2001:db8::3"), stats.handshakes) == ({second}, 1, 1)
    assert registry.openings_from("192.0.2.1") == 0


async def test_a_closing_connection_is_removed_with_its_socket() -> None:
    stats = TransportStats()
    registry = ConnectionRegistry(stats, TransportLimits())
    connection = connection_from("192.0.2.1")
    registry.add(connection)
    registry.start_closing(connection)
    closing = (set(registry.connections), set(registry.closing))
    registry.remove(connection)

    assert closing == ({connection}, {connection})
    assert (registry.connections, registry.closing, registry.is_empty()) == (set(), set(), True)
    assert (stats.opened, stats.open) == (1, 0)


async def test_waiting_for_an_empty_registry_ends_with_the_last_removal() -> None:
    registry = ConnectionRegistry(TransportStats(), TransportLimits())
    await registry.wait_empty()
    connection = connection_from("192.0.2.1")
    registry.add(connection)
    registry.remove(connection)
    await registry.wait_empty()

    assert registry.is_empty()

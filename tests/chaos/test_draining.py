"""Servers that are stopped and replaced during races."""

import asyncio

from chaostest import ClientGroup, Connection, Fleet, Message, check_invariants, stop_and_check
from racetest import until

GRACE_S = 5.0
"""Longest time until a stopped server has ended, and until its clients can act again."""


async def test_a_rolling_restart_under_load_causes_no_long_wait(fleet: Fleet, client_count: int) -> None:
    """A rolling restart: a new server starts, an old one gets SIGTERM, one after the other."""
    old = await fleet.start()
    group = ClientGroup(fleet, client_count, every_s=0.08)
    await group.create_room()
    await group.start()
    for server in old:
        assert await fleet.replace(server) < GRACE_S
    await group.finish()
    await check_invariants(group)
    assert max(client.longest_wait_s for client in group.clients) < GRACE_S
    assert {code for client in group.clients for code in client.closes} == {1012}
    await stop_and_check(group, fleet)


async def test_a_server_stops_in_time_with_a_dead_connection_among_a_thousand(fleet: Fleet) -> None:
    """A client that neither reads nor closes cannot delay the end of a server."""
    server = await fleet.add()
    messages: list[str] = []
    closed: list[int] = []
    connections = [
        await Connection.connect(
            server.address, lambda message: messages.append(message["type"]), closed.append
        )
        for _ in range(1000)
    ]
    for number, connection in enumerate(connections):
        connection.send({"type": "hello", "name": f"Person {number}"})
    await until(lambda: messages.count("welcome") == len(connections))
    dead, *others = connections
    dead.stop_reading()
    assert await server.stop(GRACE_S) < GRACE_S
    await until(lambda: len(closed) == len(others))
    assert set(closed) == {1012}
    assert messages.count("notice") == len(others)
    dead.abort()
    await until(lambda: len(closed) == len(connections))
    await stop_and_check(None, fleet)


async def test_a_client_that_never_reads_is_disconnected(fleet: Fleet) -> None:
    """It is cut off once too much waits for it, and the others are not disturbed."""
    server = await fleet.add()
    group = ClientGroup(fleet, 10)
    await group.create_room()
    received: list[Message] = []
    unread = await Connection.connect(server.address, received.append, lambda _: None, receive_buffer=4096)
    unread.send({"type": "hello", "name": "Deaf"})
    await until(lambda: received)
    unread.stop_reading()
    unread.send({"type": "join", "room": group.room, "spectate": True})
    await group.start()
    speaking = asyncio.create_task(_speak(group))
    await group.finish()
    await group.wait_for_event(group.host, "member_disconnected", {received[0]["player"]}, within=60)
    speaking.cancel()
    await asyncio.wait([speaking])
    await check_invariants(group)
    unread.abort()
    await stop_and_check(group, fleet)


async def _speak(group: ClientGroup) -> None:
    """Send 3.6 MB: more than is kept for a connection, less than the limit of a room's chat."""
    for _ in range(15):
        await asyncio.gather(*(group.host.ask("chat", text="🂡" * 300) for _ in range(200)))

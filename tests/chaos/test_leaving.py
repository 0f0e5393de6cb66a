"""Servers that are stopped and replaced while people race on them."""

import asyncio

from ordeal import Crowd, Fleet, Message, Wire, clean_up, judge
from racetest import until

GRACE_S = 5.0
"""Time in which a server ends once it is told to, and in which a player can act again."""


async def test_all_servers_are_replaced_under_load_and_nobody_waits_for_long(fleet: Fleet, many: int) -> None:
    """A rolling restart: a new server starts, an old one gets SIGTERM, one after the other."""
    old = await fleet.start()
    crowd = Crowd(fleet, many, every_s=0.08)
    await crowd.gather()
    await crowd.start()
    for server in old:
        assert await fleet.replace(server) < GRACE_S
    await crowd.finish()
    await judge(crowd)
    assert max(racer.longest_wait for racer in crowd.people) < GRACE_S
    assert {code for racer in crowd.people for code in racer.closes} == {1012}
    await clean_up(crowd, fleet)


async def test_a_server_ends_in_time_with_a_thousand_connections_of_which_one_is_dead(fleet: Fleet) -> None:
    """Nobody can keep a server from stopping, not even somebody who neither reads nor hangs up."""
    server = await fleet.add()
    told: list[str] = []
    closed: list[int] = []
    wires = [
        await Wire.connect(server.address, lambda message: told.append(message["type"]), closed.append)
        for _ in range(1000)
    ]
    for number, wire in enumerate(wires):
        wire.send({"type": "hello", "name": f"Person {number}"})
    await until(lambda: told.count("welcome") == len(wires))
    dead, *others = wires
    dead.stop_reading()
    assert await server.stop(GRACE_S) < GRACE_S
    await until(lambda: len(closed) == len(others))
    assert set(closed) == {1012}
    assert told.count("notice") == len(others)
    dead.abort()
    await until(lambda: len(closed) == len(wires))
    await clean_up(None, fleet)


async def test_a_client_that_never_reads_harms_nobody(fleet: Fleet) -> None:
    """It is dropped once too much waits for it, and is away like anybody whose connection broke."""
    server = await fleet.add()
    crowd = Crowd(fleet, 10)
    await crowd.gather()
    heard: list[Message] = []
    deaf = await Wire.connect(server.address, heard.append, lambda _: None, receive_buffer=4096)
    deaf.send({"type": "hello", "name": "Deaf"})
    await until(lambda: heard)
    deaf.stop_reading()
    deaf.send({"type": "join", "room": crowd.room, "spectate": True})
    await crowd.start()
    speaking = asyncio.create_task(_speak(crowd))
    await crowd.finish()
    await crowd.seen(crowd.host, "member_disconnected", {heard[0]["player"]}, within=60)
    speaking.cancel()
    await asyncio.wait([speaking])
    await judge(crowd)
    deaf.abort()
    await clean_up(crowd, fleet)


async def _speak(crowd: Crowd) -> None:
    """Say 3.6 MB: more than is kept for a connection, less than what brings the chat of a room to its end."""
    for _ in range(15):
        await asyncio.gather(*(crowd.host.ask("chat", text="🂡" * 300) for _ in range(200)))

"""Store in memory, beyond the contract: an injected clock, and nodes that share the store."""

import asyncio

from server.store.memory import MemoryStore
from server.store.port import Append, Commit, Committed, Publish


async def test_time_comes_from_the_given_clock() -> None:
    now = [1000]
    store = MemoryStore(lambda: now[0])
    commit = Commit((Append("a", 0, (b"x",), ttl_s=60),))
    assert await store.commit([commit]) == [Committed(1000)]
    await store.heartbeat("n", 500)
    now[0] = 60_999
    assert await store.now_ms() == 60_999
    assert await store.length("a") == 1
    assert await store.alive(["n"]) == set()
    now[0] = 61_000
    assert await store.length("a") == 0


async def test_entries_that_were_read_do_not_change_afterwards() -> None:
    store = MemoryStore(lambda: 0)
    await store.commit([Commit((Append("a", 0, (b"x",)),))])
    read = await store.read("a")
    await store.commit([Commit((Append("a", 1, (b"y",)),))])
    assert read == [b"x"]


async def test_nodes_of_one_process_receive_messages_of_each_other_also_after_one_has_closed_the_store() -> (
    None
):
    store = MemoryStore(lambda: 0)
    received: asyncio.Queue[bytes] = asyncio.Queue()
    subscriber = store.subscribe("inbox:a", received.put_nowait, lambda: None)
    await store.aclose()
    await store.commit([Commit((), (Publish("inbox:a", b"hello"),))])
    assert received.empty(), "a message is never delivered inside the call that sends it"
    assert await asyncio.wait_for(received.get(), 10) == b"hello"
    await subscriber.aclose()
    await subscriber.aclose()

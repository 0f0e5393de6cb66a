"""Measure the CPU time for one commit of a move, by the size of the batch.

    python -m bench.commit_cost [--rounds 7] [--moves 20000]

A Redis server with `appendfsync always` runs in a process of its own; only the CPU time of this process
counts. A move is one entry of twelve bytes for a player's log, submitted to the journal with a callback. The
steps are also measured without the server. For comparison, redis-py's client makes one call for each move: an
RPUSH without any check. All run once in each round; the output has medians and, in brackets, the range.
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path

import uvloop
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from server.store.embedded import EmbeddedRedis
from server.store.journal import Journal
from server.store.port import Append, Commit, Outcome
from server.store.redis.commit_command import pack_batch
from server.store.redis.store import RedisStore

BATCHES = (1, 5, 20, 50, 200)
PLAYERS = 200
ENTRY = b"x" * 12

_logs = iter(range(1_000_000))


def moves(count: int) -> list[Commit]:
    """Return this many moves by players of one room, each for the end of the player's own log."""
    room = f"{{room:B{next(_logs):05}}}"
    players = min(PLAYERS, count)
    return [
        Commit((Append(f"{room}:race:1:P{move % players:07}", move // players, (ENTRY,)),))
        for move in range(count)
    ]


async def in_batches(store: RedisStore, size: int, count: int) -> float:
    """Return microseconds of CPU time for a move if `size` moves arrive together."""
    committed = 0

    def done(_: Outcome) -> None:
        nonlocal committed
        committed += 1

    journal = Journal(store)
    await journal.start()
    work = moves(count - count % size)
    spent = time.process_time()
    for first in range(0, len(work), size):
        for commit in work[first : first + size]:
            journal.submit(commit, done)
        await journal.drain()
    spent = time.process_time() - spent
    if (committed, journal.stats.conflicts) != (len(work), 0):
        raise AssertionError("not every move was committed")
    if journal.stats.batches != len(work) // size:
        raise AssertionError("the batches do not have the size that is measured")
    await journal.aclose()
    return 1e6 * spent / len(work)


async def alone(url: str, count: int) -> float:
    """Return microseconds of CPU time for a move with one call of redis-py's client for each."""
    client = Redis.from_url(url, retry=Retry(NoBackoff(), 0))
    work = moves(count)
    await client.ping()
    spent = time.process_time()
    for commit in work:
        await client.execute_command("RPUSH", commit.appends[0].log, ENTRY)  # type: ignore[no-untyped-call]
    spent = time.process_time() - spent
    await client.aclose()
    return 1e6 * spent / count


def parts(store: RedisStore, count: int) -> dict[str, float]:
    """Return microseconds of CPU time of each step, for a move in a batch of 50."""
    spent = {}
    begun = time.process_time()
    work = moves(count)
    spent["make the commit"] = time.process_time() - begun
    journal = Journal(store, max_waiting=count)
    begun = time.process_time()
    for commit in work:
        journal.submit(commit, print)
    spent["submit it"] = time.process_time() - begun
    begun = time.process_time()
    for first in range(0, count, 50):
        pack_batch(store._commit_header, work[first : first + 50])
    spent["pack it, in batches of 50"] = time.process_time() - begun
    return {name: 1e6 * seconds / count for name, seconds in spent.items()}


async def measure(rounds: int, count: int, folder: Path) -> None:
    """Measure and print all costs."""
    found: dict[str, list[float]] = {}
    with EmbeddedRedis.start(folder) as server:
        store = await RedisStore.open(server.url)
        for _ in range(rounds):
            for size in BATCHES:
                cost = await in_batches(store, size, min(count, 200 * size))
                found.setdefault(f"journal, batches of {size}", []).append(cost)
            found.setdefault("one RPUSH of redis-py's client", []).append(await alone(server.url, 1000))
            for name, cost in parts(store, count).items():
                found.setdefault(f"to {name}", []).append(cost)
        await store.aclose()
    for name, costs in found.items():
        print(f"{name:34} {statistics.median(costs):7.2f} µs a move  [{min(costs):.2f} .. {max(costs):.2f}]")


def main() -> None:
    """Run the command line."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--rounds", type=int, default=7)
    options.add_argument("--moves", type=int, default=20_000)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        uvloop.run(measure(chosen.rounds, chosen.moves, Path(folder)))


if __name__ == "__main__":
    main()

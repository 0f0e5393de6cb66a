"""Costs of a log by its length, and of leaderboards by the number of posts."""

import statistics
import time
from collections.abc import AsyncIterator, Awaitable, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from redis import Redis

from bench.load.racer import CODE, MOVE
from engine import GameCode, deal
from protocol import from_client as ask
from protocol.limits import LEADERBOARD_ROWS
from server.core import play as plays
from server.services.leaderboards import KEPT
from server.store.embedded import EmbeddedRedis
from server.store.port import Append, Commit
from server.store.redis.scripts import POST
from server.store.redis.store import RedisStore

Samples = dict[str, list[tuple[float, float]]]

LENGTHS: Final = (10, 100, 1_000, 10_000, 20_000)
POSTS: Final = (10, 100, 1_000, 10_000, 100_000, 1_000_000)

FILLING_S: Final = 60.0
"""Posts stop after this time; the point in the chart is at the number that was reached."""

_TIMES: Final = 50
_AT_ONCE: Final = 1_000
_KEEP_S: Final = 86_400
_DETAIL: Final = b"a name and the race, as long as they are"
_WORST, _BEST = 10_000_000, 1_000
"""Range of the values while a leaderboard is filled; the timed posts are better than all of them."""


async def by_log_length(rounds: int, lengths: Sequence[int] = LENGTHS) -> Samples:
    """Time one more commit to a log, and reading and replaying it, as when a racer returns."""
    samples: Samples = {"commit µs": [], "read and replay ms": []}
    entries = _entries(max(lengths))
    async with _fresh_store() as (_, store):
        for number in range(rounds):
            for length in lengths:
                log = f"{number}: log of {length}"
                await store.commit([Commit((Append(log, 0, entries[:length]),))])
                began = time.perf_counter()
                plays.load(deal(GameCode.parse(CODE)), 1, await store.read(log))
                taken = time.perf_counter() - began
                samples["read and replay ms"].append((length, 1e3 * taken))
                commits = (
                    store.commit([Commit((Append(log, at, [b"x"]),))])
                    for at in range(length, length + _TIMES)
                )
                samples["commit µs"].append((length, await _lower_quartile_us(commits)))
    return samples


async def by_posts(rounds: int, sizes: Sequence[int] = POSTS, filling_s: float = FILLING_S) -> Samples:
    """Time a new best value of a leaderboard, and reading it, after posts to one leaderboard or to many.

    Every size has its own store, so that each is measured once in each round.
    """
    samples: Samples = {}
    async with AsyncExitStack() as stack:
        filled = [
            await stack.enter_async_context(_filled(size, many, filling_s))
            for many in (False, True)
            for size in sizes
        ]
        for number in range(rounds):
            for each in filled:
                of = "of many" if each.many else "one board"
                for what, taken in (("post", await each.post(number)), ("read", await each.read(number))):
                    samples.setdefault(f"{what} µs, {of}", []).append((each.posts, taken))
    return samples


@dataclass(frozen=True, slots=True)
class _Filled:
    """A store after `posts` posts to one leaderboard, or with `many`, each to its own."""

    store: RedisStore
    client: Redis
    posts: int
    many: bool

    async def post(self, number: int) -> float:
        """Return the time of a post of a new best value, in microseconds."""
        return await _lower_quartile_us(
            self.store.post(
                board,
                f"new {number} {n}",
                _BEST - _TIMES * number - n,
                "lowest",
                _DETAIL,
                max_rows=KEPT,
                ttl_s=_KEEP_S,
            )
            for n, board in enumerate(self._fresh_boards(number))
        )

    async def read(self, number: int) -> float:
        """Return the time to read the rows that clients get, in microseconds."""
        return await _lower_quartile_us(
            self.store.top(board, LEADERBOARD_ROWS, "lowest") for board in self._boards(number)
        )

    def _boards(self, number: int) -> Iterator[str]:
        random = Random(number)
        for _ in range(_TIMES):
            yield _board(random.randrange(self.posts)) if self.many else _board(0)

    def _fresh_boards(self, number: int) -> Iterator[str]:
        """Yield boards to post to: each of many boards itself, of a single board a fresh copy."""
        for board in self._boards(number):
            if self.many:
                yield board
                continue
            for key, copy in zip(
                self.store._leaderboard_keys(board), self.store._leaderboard_keys("copy"), strict=True
            ):
                self.client.copy(key, copy, replace=True)
            yield "copy"


@asynccontextmanager
async def _filled(wanted: int, many: bool, filling_s: float) -> AsyncIterator[_Filled]:
    """Start a store and fill it without fsync; fsync is on again when it is filled."""
    async with _fresh_store() as (embedded, store):
        with Redis.from_url(embedded.url) as client:
            client.config_set("appendonly", "no")
            posts = _fill(client, store, wanted, many, filling_s)
            _sync_again(client)
            yield _Filled(store, client, posts, many)


def _fill(client: Redis, store: RedisStore, wanted: int, many: bool, filling_s: float) -> int:
    random, script = Random(1), client.script_load(POST)
    posts, until = 0, time.monotonic() + filling_s
    while True:
        pipeline = client.pipeline(transaction=False)
        for number in range(posts, min(posts + _AT_ONCE, wanted)):
            keys = store._leaderboard_keys(_board(number if many else 0))
            value = random.randrange(_BEST, _WORST)
            pipeline.evalsha(script, 2, *keys, value, f"player {number}", _DETAIL, KEPT, _KEEP_S)
        posts += len(pipeline)
        pipeline.execute()
        if posts == wanted or time.monotonic() >= until:
            return posts


def _sync_again(client: Redis) -> None:
    client.config_set("appendonly", "yes")
    while any(client.info("persistence")[f"aof_rewrite_{state}"] for state in ("in_progress", "scheduled")):
        time.sleep(0.02)


@asynccontextmanager
async def _fresh_store() -> AsyncIterator[tuple[EmbeddedRedis, RedisStore]]:
    with TemporaryDirectory() as folder, EmbeddedRedis.start(Path(folder)) as embedded:
        store = await RedisStore.open(embedded.url)
        try:
            yield embedded, store
        finally:
            await store.aclose()


def _board(place: int) -> str:
    return f"board {place}"


def _entries(count: int) -> list[bytes]:
    """Return the entries of a log in which a move and its undo alternate."""
    play = plays.Play(deal(GameCode.parse(CODE)), 1)
    source, target, cards = MOVE
    entries = []
    for n in range(1, count + 1):
        move = ask.Move(race=1, n=n, source=source, target=target, cards=cards)
        made = play.decide(move if n % 2 else ask.Undo(race=1, n=n), n * 50, 10_000)
        if not isinstance(made, plays.Made):
            raise TypeError(made)
        entries.append(made.entry)
    return entries


async def _lower_quartile_us(calls: Iterable[Awaitable[object]]) -> float:
    taken = []
    for call in calls:
        began = time.perf_counter()
        await call
        taken.append(time.perf_counter() - began)
    return 1e6 * statistics.quantiles(taken)[0]

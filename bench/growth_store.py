"""How the cost of a log grows with its length, and that of leaderboards with what was offered to them."""

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
OFFERS: Final = (10, 100, 1_000, 10_000, 100_000, 1_000_000)

FILLING_S: Final = 60.0
"""Offers end after this, however many were wanted; a point stands at the number that was reached."""

_TIMES: Final = 50
_AT_ONCE: Final = 1_000
_KEEP_S: Final = 86_400
_DETAIL: Final = b"a name and the race, as long as they are"
_WORST, _BEST = 10_000_000, 1_000
"""Offers while a board is filled are anything from the one to the other; those that are timed are better."""


async def by_log_length(rounds: int, lengths: Sequence[int] = LENGTHS) -> Samples:
    """One more commit to a log, and reading and replaying all of it, as somebody's return does."""
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


async def by_offers(rounds: int, sizes: Sequence[int] = OFFERS, filling_s: float = FILLING_S) -> Samples:
    """A new best for a leaderboard, and reading it, after many offers to one board or each to its own.

    Every size has a store of its own, so that the rounds can take turns.
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
                    samples.setdefault(f"{what} µs, {of}", []).append((each.offers, taken))
    return samples


@dataclass(frozen=True, slots=True)
class _Filled:
    """A store with so many offers behind it, to one board or each to a board of its own."""

    store: RedisStore
    client: Redis
    offers: int
    many: bool

    async def post(self, number: int) -> float:
        """Return how long a new best takes, in microseconds."""
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
            for n, board in enumerate(self._unspoilt(number))
        )

    async def read(self, number: int) -> float:
        """Return how long it takes to read as much as is shown, in microseconds."""
        return await _lower_quartile_us(
            self.store.top(board, LEADERBOARD_ROWS, "lowest") for board in self._boards(number)
        )

    def _boards(self, number: int) -> Iterator[str]:
        random = Random(number)
        for _ in range(_TIMES):
            yield _board(random.randrange(self.offers)) if self.many else _board(0)

    def _unspoilt(self, number: int) -> Iterator[str]:
        """Of many boards each may get a line more; of a single one everybody gets a copy."""
        for board in self._boards(number):
            if self.many:
                yield board
                continue
            for key, copy in zip(self.store._board_keys(board), self.store._board_keys("copy"), strict=True):
                self.client.copy(key, copy, replace=True)
            yield "copy"


@asynccontextmanager
async def _filled(wanted: int, many: bool, filling_s: float) -> AsyncIterator[_Filled]:
    """Start a store and make offers, without syncing each; it syncs again when they are made."""
    async with _fresh_store() as (embedded, store):
        with Redis.from_url(embedded.url) as client:
            client.config_set("appendonly", "no")
            offers = _fill(client, store, wanted, many, filling_s)
            _sync_again(client)
            yield _Filled(store, client, offers, many)


def _fill(client: Redis, store: RedisStore, wanted: int, many: bool, filling_s: float) -> int:
    random, script = Random(1), client.script_load(POST)
    offers, until = 0, time.monotonic() + filling_s
    while True:
        pipeline = client.pipeline(transaction=False)
        for number in range(offers, min(offers + _AT_ONCE, wanted)):
            keys = store._board_keys(_board(number if many else 0))
            value = random.randrange(_BEST, _WORST)
            pipeline.evalsha(script, 2, *keys, value, f"player {number}", _DETAIL, KEPT, _KEEP_S)
        offers += len(pipeline)
        pipeline.execute()
        if offers == wanted or time.monotonic() >= until:
            return offers


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
    """Return what a log holds of a game in which a move and its undo take turns."""
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

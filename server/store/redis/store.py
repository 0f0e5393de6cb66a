"""Store on a Redis or Valkey server, version 6.2 or newer."""

import asyncio
import re
import time
from collections.abc import Callable, Sequence

from server.store import keys
from server.store.port import (
    Commit,
    Keep,
    Outcome,
    Publish,
    RankedMember,
    StoreRefused,
)
from server.store.redis.client import RedisClient
from server.store.redis.commit_command import commit_header, execute_batch, pack_batch
from server.store.redis.info import parse_info, require_supported
from server.store.redis.scripts import POST, TOP, UNSCHEDULE
from server.store.redis.subscriber import RedisSubscriber

PREFIX = "simonrace:"
TIMEOUT_S = 2.0


class RedisStore:
    """Store that keeps logs as lists, leaderboards and schedules as sorted sets; created by `open`.

    A batch of commits is one call of one script, on a connection of its own whose commands are never
    repeated. All other commands are safe to execute twice and may be repeated.
    """

    def __init__(self, client: RedisClient, prefix: str) -> None:
        self._client = client
        self._prefix = prefix
        self._connection = client.connection()  # for commits
        self._commit_lock = asyncio.Lock()  # a connection takes one command at a time
        self._commit_header = commit_header(prefix)
        self._claimed: int | None = None  # the format that this node writes, once it has claimed the store
        self.durable = False  # whether the server keeps an append-only file
        self.is_cluster = False  # whether the server is one of a cluster

    @classmethod
    async def open(cls, url: str, prefix: str = PREFIX, timeout: float = TIMEOUT_S) -> "RedisStore":  # noqa: ASYNC109
        """Connect, and check that the server can do what is needed.

        Raises `StoreUnavailable` or `StoreRefused` with a sentence that says what to do.
        """
        client = RedisClient(url, timeout)
        store = cls(client, prefix)
        try:
            info = parse_info(await store._connection.execute("INFO"))
            require_supported(info, client.address)
            store.durable = info.get("aof_enabled") == "1"
            store.is_cluster = info.get("cluster_enabled") == "1"
            await store.commit([])
        except BaseException:
            await store.aclose()
            raise
        return store

    @property
    def address(self) -> str:
        """The address of the server without secrets, for messages."""
        return self._client.address

    async def claim_format(self, number: int) -> int:
        """Record the format of the data if the store is empty, and return the format that the store has."""
        found = await self._recorded_format()
        if found is None and not await self._has_data():
            await self._record_format(number)
        # Another node may have claimed the store since the first look, and have written data already.
        found = found or await self._recorded_format() or 1
        if found == number:
            self._claimed = number
        return found

    async def _record_format(self, number: int) -> None:
        await self._client.execute("SET", self._prefix + keys.data_format(), number, "NX")

    async def _recorded_format(self) -> int | None:
        key = self._prefix + keys.data_format()
        found: bytes | None = await self._client.execute("GET", key)
        if found is not None and not found.isdigit():
            raise StoreRefused(
                f"The key {key} in the store at {self.address} does not contain the number of a data format: "
                "choose another prefix or database number."
            )
        return None if found is None else int(found)

    async def _has_data(self) -> bool:
        start = len(self._prefix.encode())
        pattern = re.sub(r"([*?\[\]\\])", r"\\\1", self._prefix) + "*"
        for client in await self._all_clients():
            cursor = None
            while cursor != 0:
                reply = await client.execute("SCAN", cursor or 0, "MATCH", pattern, "COUNT", 1000)
                cursor = int(reply[0])
                if any(keys.is_ours(key[start:].decode(errors="replace")) for key in reply[1]):
                    return True
        return False

    async def _all_clients(self) -> Sequence[RedisClient]:
        """Return a client of each server that has keys."""
        return [self._client]

    async def commit(self, batch: Sequence[Commit]) -> list[Outcome]:
        """Make independent commits in order, each all or nothing."""
        command = pack_batch(self._commit_header, batch)
        async with self._commit_lock:
            return await execute_batch(self._connection, command, batch)

    async def read(self, log: str, start: int = 0) -> list[bytes]:
        """Return the entries of a log from an index on."""
        entries: list[bytes] = await self._client.execute("LRANGE", self._prefix + log, start, -1)
        return entries

    async def length(self, log: str) -> int:
        """Return the number of entries of a log."""
        return int(await self._client.execute("LLEN", self._prefix + log))

    async def now_ms(self) -> int:
        """Return the time of the server's clock."""
        seconds, microseconds = await self._client.execute("TIME")
        return int(seconds) * 1000 + int(microseconds) // 1000

    async def post(
        self,
        leaderboard: str,
        member: str,
        value: int,
        keep: Keep,
        detail: bytes,
        *,
        max_rows: int,
        ttl_s: int,
    ) -> bool:
        """Submit a value to a leaderboard and return whether it is the member's new best there."""
        score = value if keep == "lowest" else -value
        row = (score, member, detail, max_rows, ttl_s)
        return bool(await self._client.execute("EVAL", POST, 2, *self._leaderboard_keys(leaderboard), *row))

    async def top(self, leaderboard: str, count: int, keep: Keep) -> list[RankedMember]:
        """Return the best rows of a leaderboard, best first, equal values in order of member."""
        if count <= 0:
            return []
        flat = await self._client.execute("EVAL", TOP, 2, *self._leaderboard_keys(leaderboard), count - 1)
        sign = 1 if keep == "lowest" else -1
        return [
            RankedMember(flat[at].decode(), sign * int(float(flat[at + 1])), flat[at + 2])
            for at in range(0, len(flat), 3)
        ]

    def _leaderboard_keys(self, leaderboard: str) -> tuple[str, str]:
        key = self._prefix + leaderboard
        return key, f"{key}:details"

    async def schedule(self, schedule: str, item: str, at_ms: int) -> None:
        """Add an item to a schedule, or move it to another time."""
        await self._client.execute("ZADD", self._prefix + schedule, at_ms, item)

    async def due(self, schedule: str, now_ms: int, limit: int) -> list[str]:
        """Return the items whose time has come, earliest first."""
        key = self._prefix + schedule
        items = await self._client.execute("ZRANGEBYSCORE", key, "-inf", now_ms, "LIMIT", 0, limit)
        return [item.decode() for item in items]

    async def unschedule(self, schedule: str, item: str, if_at_most_ms: int) -> bool:
        """Remove an item unless it was moved to a later time."""
        key = self._prefix + schedule
        return bool(await self._client.execute("EVAL", UNSCHEDULE, 1, key, item, if_at_most_ms))

    async def heartbeat(self, node: str, ttl_ms: int) -> None:
        """Report that a node is alive, for this long."""
        if self._claimed is not None:
            # A store that was emptied under running nodes gets its number again before the next start.
            await self._record_format(self._claimed)
        await self._client.execute("SET", self._prefix + keys.node(node), "1", "PX", ttl_ms)

    async def alive(self, nodes: Sequence[str]) -> set[str]:
        """Return those of the nodes whose last heartbeat has not expired."""
        if not nodes:
            return set()
        found = await self._client.execute("MGET", *[self._prefix + keys.node(node) for node in nodes])
        return {node for node, heartbeat in zip(nodes, found, strict=True) if heartbeat is not None}

    def subscribe(
        self,
        inbox: str,
        on_message: Callable[[bytes], None],
        on_gap: Callable[[], None],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> RedisSubscriber:
        """Subscribe to an inbox."""

        async def publish(payload: bytes) -> None:
            await self.commit([Commit((), (Publish(inbox, payload),))])

        return RedisSubscriber(
            self._client, self._prefix + inbox, on_message, on_gap, publish=publish, monotonic=monotonic
        )

    async def aclose(self) -> None:
        """Close all connections."""
        await self._connection.aclose()
        await self._client.aclose()

"""The store on a Redis or Valkey server, version 6.2 or newer."""

import asyncio
import hashlib
import time
from collections.abc import Callable, Sequence
from typing import TypeAlias

import msgspec

from server.store import keys
from server.store.port import (
    Commit,
    Committed,
    Conflict,
    Keep,
    Notice,
    Outcome,
    Ranked,
    StoreRefused,
)
from server.store.redis.client import Link
from server.store.redis.connection import Wire
from server.store.redis.errors import ScriptMissing
from server.store.redis.scripts import COMMIT, POST, TOP, UNSCHEDULE
from server.store.redis.subscriber import RedisListener

PREFIX = "simonrace:"
TIMEOUT_S = 2.0
OLDEST = (6, 2)

_COMMIT_DIGEST = hashlib.sha1(COMMIT.encode(), usedforsecurity=False).hexdigest()
_encode = msgspec.msgpack.Encoder().encode

_Row: TypeAlias = tuple[str, int] | tuple[str, int, list[int]] | tuple[str, int, list[int], int]


class RedisStore:
    """Keep logs as lists, leaderboards and agendas as sorted sets.

    Made by `open`. A batch of commits is one call of one script, on a connection of its own whose
    commands are never repeated; questions may be asked twice.
    """

    def __init__(self, link: Link, prefix: str) -> None:
        self._link = link
        self._prefix = prefix
        self._wire = link.wire()
        self._one_at_a_time = asyncio.Lock()
        self._opening = opening_of_a_commit(prefix)
        self.durable = False
        self.is_of_cluster = False

    @classmethod
    async def open(cls, url: str, prefix: str = PREFIX, timeout: float = TIMEOUT_S) -> "RedisStore":  # noqa: ASYNC109
        """Connect and make sure that the server can do what is needed.

        `durable` of the result tells whether the server keeps an append-only file. Raises `StoreAway` or
        `StoreRefused` with a sentence that says what to do.
        """
        link = Link(url, timeout)
        store = cls(link, prefix)
        try:
            about = fields(await store._wire.call("INFO"))
            check(about, link.address)
            store.durable = about.get("aof_enabled") == "1"
            store.is_of_cluster = about.get("cluster_enabled") == "1"
            await store.commit([])
        except BaseException:
            await store.aclose()
            raise
        return store

    async def commit(self, batch: Sequence[Commit]) -> list[Outcome]:
        """Make independent commits in order, each all or nothing."""
        command = packed(self._opening, batch)
        async with self._one_at_a_time:
            return await self._run(self._wire, command, batch)

    @staticmethod
    async def _run(wire: Wire, command: bytes, batch: Sequence[Commit]) -> list[Outcome]:
        try:
            reply = await wire.send(command)
        except ScriptMissing:
            await wire.call("SCRIPT", "LOAD", COMMIT)
            reply = await wire.send(command)
        outcomes: list[Outcome] = [Committed(reply[0])] * len(batch)
        for at in range(1, len(reply), 3):
            which, row, length = reply[at : at + 3]
            outcomes[which - 1] = Conflict(batch[which - 1].appends[row - 1].log, length)
        return outcomes

    async def read(self, log: str, start: int = 0) -> list[bytes]:
        """Return the entries of a log from an index on."""
        entries: list[bytes] = await self._link.ask("LRANGE", self._prefix + log, start, -1)
        return entries

    async def length(self, log: str) -> int:
        """Return how many entries a log has."""
        return int(await self._link.ask("LLEN", self._prefix + log))

    async def now_ms(self) -> int:
        """Return the time of the server's clock."""
        seconds, microseconds = await self._link.ask("TIME")
        return int(seconds) * 1000 + int(microseconds) // 1000

    async def post(
        self, board: str, member: str, value: int, keep: Keep, detail: bytes, *, most: int, keep_s: int
    ) -> bool:
        """Offer a value to a leaderboard and return whether it is the member's new best there."""
        score = value if keep == "lowest" else -value
        line = (score, member, detail, most, keep_s)
        return bool(await self._link.ask("EVAL", POST, 2, *self._board(board), *line))

    async def top(self, board: str, count: int, keep: Keep) -> list[Ranked]:
        """Return the best of a leaderboard, best first, equal values in order of member."""
        if count <= 0:
            return []
        flat = await self._link.ask("EVAL", TOP, 2, *self._board(board), count - 1)
        sign = 1 if keep == "lowest" else -1
        return [
            Ranked(flat[at].decode(), sign * int(float(flat[at + 1])), flat[at + 2])
            for at in range(0, len(flat), 3)
        ]

    def _board(self, board: str) -> tuple[str, str]:
        key = self._prefix + board
        return key, f"{key}:details"

    async def schedule(self, agenda: str, item: str, at_ms: int) -> None:
        """Put an item on an agenda, or move it to another time."""
        await self._link.ask("ZADD", self._prefix + agenda, at_ms, item)

    async def due(self, agenda: str, now_ms: int, limit: int) -> list[str]:
        """Return the items whose time has come, earliest first."""
        key = self._prefix + agenda
        items = await self._link.ask("ZRANGEBYSCORE", key, "-inf", now_ms, "LIMIT", 0, limit)
        return [item.decode() for item in items]

    async def unschedule(self, agenda: str, item: str, if_at_most_ms: int) -> bool:
        """Take an item off unless it was moved to a later time."""
        return bool(await self._link.ask("EVAL", UNSCHEDULE, 1, self._prefix + agenda, item, if_at_most_ms))

    async def beat(self, node: str, ttl_ms: int) -> None:
        """Show that a node lives, for so long."""
        await self._link.ask("SET", self._prefix + keys.node(node), "1", "PX", ttl_ms)

    async def alive(self, nodes: Sequence[str]) -> set[str]:
        """Return those of the nodes whose sign of life has not run out."""
        if not nodes:
            return set()
        signs = await self._link.ask("MGET", *[self._prefix + keys.node(node) for node in nodes])
        return {node for node, sign in zip(nodes, signs, strict=True) if sign is not None}

    def listen(
        self,
        inbox: str,
        on_message: Callable[[bytes], None],
        on_gap: Callable[[], None],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> RedisListener:
        """Listen to an inbox from now on."""

        async def publish(payload: bytes) -> None:
            await self.commit([Commit((), (Notice(inbox, payload),))])

        channel = self._prefix + inbox
        return RedisListener(self._link, channel, on_message, on_gap, publish=publish, monotonic=monotonic)

    async def aclose(self) -> None:
        """Let go of all connections."""
        await self._wire.aclose()
        await self._link.aclose()


def opening_of_a_commit(prefix: str, key: str | None = None) -> bytes:
    """Return the part of the command that is the same every time, in wire form.

    A cluster wants to be told one `key`, by which it knows that the command came to the right server.
    """
    declared = ["0"] if key is None else ["1", key]
    words = [word.encode() for word in ("EVALSHA", _COMMIT_DIGEST, *declared, prefix)]
    words_to_come = 2
    head = b"*%d\r\n" % (len(words) + words_to_come)
    return head + b"".join(b"$%d\r\n%b\r\n" % (len(word), word) for word in words)


def packed(opening: bytes, batch: Sequence[Commit]) -> bytes:
    """Return the command that makes a batch, in wire form."""
    # Two arguments however many commits there are: packing an argument costs more than all else.
    head = []
    pieces: list[bytes] = []
    for commit in batch:
        rows: list[_Row] = []
        for append in commit.appends:
            entries = append.entries
            # In Python 3.11 a comprehension is a call, and nearly all that is appended is one move.
            sizes = [len(entries[0])] if len(entries) == 1 else [len(entry) for entry in entries]
            if append.keep_s is None:
                rows.append((append.log, append.expected, sizes))
            else:
                rows.append((append.log, append.expected, sizes, append.keep_s))
            pieces += entries
        for notice in commit.notices:
            rows.append((notice.inbox, len(notice.payload)))
            pieces.append(notice.payload)
        head.append(rows)
    heading = _encode(head)
    body = b"".join(pieces)
    return b"%b$%d\r\n%b\r\n$%d\r\n%b\r\n" % (opening, len(heading), heading, len(body), body)


def fields(info: bytes) -> dict[str, str]:
    """Take the answer to INFO apart."""
    lines = info.decode(errors="replace").splitlines()
    return dict(line.split(":", 1) for line in lines if ":" in line)


def check(about: dict[str, str], address: str) -> None:
    """Raise StoreRefused for a server that cannot do what is needed."""
    version = about.get("valkey_version") or about.get("redis_version", "0")
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    if numbers < OLDEST:
        raise StoreRefused(
            f"The store at {address} is version {version}: Redis or Valkey 6.2 or newer is needed."
        )
    if about.get("role", "master") != "master":
        raise StoreRefused(f"The store at {address} is a read-only replica: give the address of its primary.")

"""A real store whose reads and commits a test can hold, to bring about an order of events."""

import asyncio
from collections.abc import Sequence

from racetest.client import Client
from server.node import Node
from server.store.port import Commit, Keep, Outcome
from server.store.redis.client import RedisClient
from server.store.redis.store import RedisStore


class Gate:
    """Lets every call through until it is closed; then calls whose name contains `place` wait."""

    def __init__(self) -> None:
        self.held: set[str] = set()
        self._place: str | None = None
        self._open = asyncio.Event()
        self._arrived = asyncio.Event()

    def close(self, place: str = "") -> None:
        """Hold calls whose name contains `place`."""
        self._place = place
        self._open.clear()
        self._arrived.clear()

    def open(self) -> None:
        """Let through the calls that wait and later ones."""
        self._place = None
        self._open.set()

    async def reached(self) -> None:
        """Return when a call waits."""
        async with asyncio.timeout(10):
            await self._arrived.wait()

    async def pass_through(self, place: str) -> None:
        """Pass, or wait until the gate opens."""
        if self._place is not None and self._place in place:
            self.held.add(place)
            self._arrived.set()
            await self._open.wait()


class GatedStore(RedisStore):
    """The store on Redis, with gates behind the answers of `read` and before `commit` and `post`."""

    def __init__(self, client: RedisClient, prefix: str) -> None:
        super().__init__(client, prefix)
        self.reads = Gate()
        self.commits = Gate()
        self.posts = Gate()

    @classmethod
    def of(cls, node: Node) -> "GatedStore":
        """Return the store of a node that the fixture `node` has started."""
        assert isinstance(node.store, cls)
        return node.store

    async def read(self, log: str, start: int = 0) -> list[bytes]:
        """Read, and give the answer once the gate lets it through."""
        entries = await super().read(log, start)
        await self.reads.pass_through(log)
        return entries

    async def commit(self, batch: Sequence[Commit]) -> list[Outcome]:
        """Commit once the gate lets all of it through."""
        for commit in batch:
            for append in commit.appends:
                await self.commits.pass_through(append.log)
        return await super().commit(batch)

    async def post(
        self, board: str, member: str, value: int, keep: Keep, detail: bytes, *, max_rows: int, ttl_s: int
    ) -> bool:
        """Offer a value to a leaderboard once the gate lets it through."""
        await self.posts.pass_through(board)
        return await super().post(board, member, value, keep, detail, max_rows=max_rows, ttl_s=ttl_s)


async def hold_game(where: Node, racer: Client) -> Gate:
    """Let a node read a racer's game again when it is needed next, and hold that read."""
    room = await where.rooms.find(racer.room)
    assert room is not None
    assert room.race is not None
    room.race.games[racer.player].invalidate()
    gate = GatedStore.of(where).reads
    gate.close("race:1")
    return gate

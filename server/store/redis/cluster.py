"""Store on a Redis Cluster: every command goes to the server that has its key.

A batch is divided by slots, since a cluster guarantees nothing across them; nothing is needed, because all
logs of a commit belong to one room and share its hash tag. All commits take their time from one clock: that
of the server which has the first slot.
"""

import asyncio
from bisect import bisect
from collections.abc import Awaitable, Sequence
from typing import Any, TypeVar

from server.store import keys
from server.store.data_format import require_format
from server.store.port import Commit, Committed, Outcome, StoreError, StoreRefused, StoreUnavailable
from server.store.redis.client import RedisClient, ServerAddress, slot_of, split_url
from server.store.redis.commit_command import commit_header, execute_batch, pack_batch
from server.store.redis.connection import RedisConnection
from server.store.redis.errors import KeysMoved
from server.store.redis.info import parse_info, require_supported
from server.store.redis.store import PREFIX, TIMEOUT_S, RedisStore

_T = TypeVar("_T")


class ClusterClient(RedisClient):
    """Client of all servers of a cluster; the URL names one or several of them."""

    def __init__(self, url: str, timeout: float) -> None:
        first, *others = split_url(url)
        super().__init__(first, timeout)
        self._others = [RedisClient(each, timeout) for each in others]  # read the slots if the first is down
        self._clients: dict[ServerAddress, RedisClient] = {}  # created on first use
        self._slots: list[tuple[int, ServerAddress]] = []  # last slot and server of each range, ascending
        self._outdated = True  # whether the slots must be read before the next command

    async def update_slots(self) -> None:
        """Read which server has which slots, if that is unknown or was wrong. Raises StoreError."""
        if not self._outdated:
            return
        error: StoreError = StoreUnavailable(f"The cluster at {self.address} cannot be reached.")
        others = (*self._clients.values(), *self._others)
        for execute in (super().execute, *(client.execute for client in others)):
            try:
                self._set_slots(await execute("CLUSTER", "SLOTS"))
            except StoreError as fault:
                error = fault
            else:
                self._outdated = False
                return
        raise error

    def server_of(self, key: str | None = None) -> ServerAddress:
        """Return the server that has a key; without a key, the one that has the first slot."""
        slot = 0 if key is None else slot_of(key)
        at = bisect(self._slots, slot - 1, key=lambda each: each[0])
        if at == len(self._slots):
            raise StoreUnavailable(f"In the cluster at {self.address} no server has slot {slot}.")
        return self._slots[at][1]

    def client_of(self, server: ServerAddress) -> RedisClient:
        """Return the client of one server."""
        if server not in self._clients:
            self._clients[server] = self.for_server(server)
        return self._clients[server]

    @property
    def servers(self) -> list[ServerAddress]:
        """The servers that have slots."""
        return list(dict.fromkeys(server for _, server in self._slots))

    def connection(self) -> RedisConnection:
        """Return a dedicated connection to any server: a message published at one reaches all."""
        return self.client_of(self._slots[0][1]).connection() if self._slots else super().connection()

    async def execute(self, *words: str | bytes | int) -> Any:
        """Execute a command that is safe to execute twice, on the server that has its first key."""
        at = 3 if words[0] == "EVAL" else 1
        await self.update_slots()
        server = self.server_of(str(words[at]) if at < len(words) else None)
        return await self.watch(self.client_of(server).execute(*words))

    async def watch(self, reply: Awaitable[_T]) -> _T:
        """Wait for a server's reply; if it fails, read the slots before the next command."""
        try:
            return await reply
        except KeysMoved as fault:
            self._outdated = True
            raise StoreUnavailable(str(fault)) from fault
        except StoreUnavailable:
            self._outdated = True
            raise

    async def aclose(self) -> None:
        """Close the connections of all pools."""
        for client in (*self._clients.values(), *self._others):
            await client.aclose()
        await super().aclose()

    def _set_slots(self, ranges: list[list[Any]]) -> None:
        slots = []
        for _, last, (host, port, *_), *_ in ranges:
            # A server that does not know its own name is the one that has answered.
            server = ServerAddress(host.decode() if host else self._endpoint.host, int(port))
            slots.append((int(last), server))
        if not slots:
            raise StoreRefused(
                f"No server of the cluster at {self.address} has slots: create the cluster first."
            )
        self._slots = sorted(slots)


async def open_store(url: str, prefix: str = PREFIX) -> RedisStore:
    """Open the store at an address, which is a single server or names servers of a cluster.

    Of several servers, `redis://a:7000,b:7000`, the first that can be reached describes the cluster. Raises
    `StoreUnavailable`, or `StoreRefused` also if the store has data of another format.
    """
    urls = split_url(url)
    store = await _open_first(urls, prefix)
    if store.is_cluster:
        await store.aclose()
        store = await RedisClusterStore.open(url, prefix)
    elif len(urls) > 1:
        await store.aclose()
        raise StoreRefused(
            f"{store.address} is not a server of a cluster: give --redis one address, not {len(urls)}."
        )
    try:
        await require_format(store, store.address)
    except BaseException:
        await store.aclose()
        raise
    return store


async def _open_first(urls: Sequence[str], prefix: str) -> RedisStore:
    """Open the first server that can be reached. Raises `StoreUnavailable` with what each has answered."""
    errors: list[str] = []
    for url in urls:
        try:
            return await RedisStore.open(url, prefix)
        except StoreUnavailable as fault:
            errors.append(str(fault))
    raise StoreUnavailable(" ".join(errors))


class RedisClusterStore(RedisStore):
    """Like `RedisStore`, with one connection for commits to each server that has slots."""

    def __init__(self, client: ClusterClient, prefix: str) -> None:
        super().__init__(client, prefix)
        self._cluster = client  # the same object as `_client`, with its own type
        self._connections: dict[ServerAddress, RedisConnection] = {}  # for commits; created on first use

    @classmethod
    async def open(cls, url: str, prefix: str = PREFIX, timeout: float = TIMEOUT_S) -> "RedisClusterStore":  # noqa: ASYNC109
        """Connect, and check that all servers of the cluster can do what is needed."""
        client = ClusterClient(url, timeout)
        store = cls(client, prefix)
        try:
            await client.update_slots()
            infos = [
                parse_info(await store._connection_to(server).execute("INFO")) for server in client.servers
            ]
            for server, info in zip(client.servers, infos, strict=True):
                require_supported(info, f"{server.host}:{server.port}")
            store.durable = all(info.get("aof_enabled") == "1" for info in infos)
            store.is_cluster = True
        except BaseException:
            await store.aclose()
            raise
        return store

    async def commit(self, batch: Sequence[Commit]) -> list[Outcome]:
        """Make independent commits, those of one slot in order, each all or nothing."""
        async with self._commit_lock:
            await self._cluster.update_slots()
            slots: dict[int, list[int]] = {}
            for at, commit in enumerate(batch):
                slots.setdefault(slot_of(self._key_of(commit)), []).append(at)
            by_server: dict[ServerAddress, list[list[int]]] = {}
            for numbers in slots.values():
                server = self._cluster.server_of(self._key_of(batch[numbers[0]]))
                by_server.setdefault(server, []).append(numbers)
            outcomes: dict[int, Outcome] = {}
            at_ms, *_ = await _all(
                self.now_ms(),
                *(self._commit_on(server, batch, groups, outcomes) for server, groups in by_server.items()),
            )
        made = Committed(at_ms)
        return [made if isinstance(outcomes[at], Committed) else outcomes[at] for at in range(len(batch))]

    async def alive(self, nodes: Sequence[str]) -> set[str]:
        """Return those of the nodes whose last heartbeat has not expired."""
        asked = [self._client.execute("EXISTS", self._prefix + keys.node(node)) for node in nodes]
        return {node for node, found in zip(nodes, await _all(*asked), strict=True) if found}

    async def aclose(self) -> None:
        """Close all connections."""
        for connection in self._connections.values():
            await connection.aclose()
        await super().aclose()

    async def _all_clients(self) -> Sequence[RedisClient]:
        await self._cluster.update_slots()
        return [self._cluster.client_of(server) for server in self._cluster.servers]

    async def _commit_on(
        self,
        server: ServerAddress,
        batch: Sequence[Commit],
        groups: list[list[int]],
        outcomes: dict[int, Outcome],
    ) -> int:
        """Make the commits of each group of numbers on one server and store their outcomes; return 0."""
        for numbers in groups:
            part = [batch[at] for at in numbers]
            command = pack_batch(commit_header(self._prefix, self._key_of(part[0])), part)
            made = await self._cluster.watch(execute_batch(self._connection_to(server), command, part))
            outcomes.update(zip(numbers, made, strict=True))
        return 0

    def _connection_to(self, server: ServerAddress) -> RedisConnection:
        if server not in self._connections:
            self._connections[server] = self._cluster.client_of(server).connection()
        return self._connections[server]

    def _key_of(self, commit: Commit) -> str:
        key = commit.appends[0].log if commit.appends else commit.messages[0].inbox
        return self._prefix + key


async def _all(*replies: Awaitable[_T]) -> list[_T]:
    """Wait for all, so that no command is still under way; then raise the first exception."""
    found = await asyncio.gather(*replies, return_exceptions=True)
    for each in found:
        if isinstance(each, BaseException):
            raise each
    return found  # type: ignore[return-value]  # no exception is among them

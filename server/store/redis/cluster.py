"""The store on a Redis Cluster: every command goes to the server that has its key.

A batch is divided by slots, since a cluster makes no promise across them; none is needed, because all logs of
a commit are of one room and share its hash tag. There is one clock for all: that of the server which has the
first slot.
"""

import asyncio
from bisect import bisect
from collections.abc import Awaitable, Sequence
from typing import Any, TypeVar

from server.store import keys
from server.store.port import Commit, Committed, Outcome, StoreAway, StoreRefused, StoreTrouble
from server.store.redis.client import Link, Place, slot_of
from server.store.redis.connection import Wire
from server.store.redis.errors import KeysMoved
from server.store.redis.store import PREFIX, TIMEOUT_S, RedisStore, check, fields, opening_of_a_commit, packed

_T = TypeVar("_T")


class ClusterLink(Link):
    """Everything that is needed to reach the servers of a cluster, of which the address names one."""

    def __init__(self, url: str, timeout: float) -> None:
        super().__init__(url, timeout)
        self._links: dict[Place, Link] = {}
        self._slots: list[tuple[int, Place]] = []  # by the last slot of each range
        self._lost = True

    async def find_way(self) -> None:
        """Learn which server has which slots, if that is not known or was wrong. Raises StoreTrouble."""
        if not self._lost:
            return
        trouble: StoreTrouble = StoreAway(f"The cluster at {self.address} cannot be reached.")
        for ask in (super().ask, *(link.ask for link in self._links.values())):
            try:
                self._learn(await ask("CLUSTER", "SLOTS"))
            except StoreTrouble as fault:
                trouble = fault
            else:
                self._lost = False
                return
        raise trouble

    def place_of(self, key: str | None = None) -> Place:
        """Return the server that has a key; without one, that which has the first slot."""
        slot = 0 if key is None else slot_of(key)
        at = bisect(self._slots, slot - 1, key=lambda each: each[0])
        if at == len(self._slots):
            raise StoreAway(f"The cluster at {self.address} has nobody for slot {slot}.")
        return self._slots[at][1]

    def link_to(self, place: Place) -> Link:
        """Return the link to one server."""
        if place not in self._links:
            self._links[place] = self.beside(place)
        return self._links[place]

    @property
    def places(self) -> list[Place]:
        """The servers that have slots."""
        return list(dict.fromkeys(place for _, place in self._slots))

    def wire(self) -> Wire:
        """Make a connection to any server: what is published at one comes to all."""
        return self.link_to(self._slots[0][1]).wire() if self._slots else super().wire()

    async def ask(self, *words: str | bytes | int) -> Any:
        """Run a command that may run twice on the server that has its first key."""
        at = 3 if words[0] == "EVAL" else 1
        await self.find_way()
        place = self.place_of(str(words[at]) if at < len(words) else None)
        return await self.watched(self.link_to(place).ask(*words))

    async def watched(self, answer: Awaitable[_T]) -> _T:
        """Wait for a server's answer; look for the way anew after one that was not to be had."""
        try:
            return await answer
        except KeysMoved as fault:
            self._lost = True
            raise StoreAway(str(fault)) from fault
        except StoreAway:
            self._lost = True
            raise

    async def aclose(self) -> None:
        """Close all connections that `ask` used."""
        for link in self._links.values():
            await link.aclose()
        await super().aclose()

    def _learn(self, ranges: list[list[Any]]) -> None:
        slots = []
        for _, last, (host, port, *_), *_ in ranges:
            # A server that does not know its own name is the one that was asked.
            place = Place(host.decode() if host else self._target.host, int(port))
            slots.append((int(last), place))
        if not slots:
            raise StoreRefused(
                f"The cluster at {self.address} has given its slots to nobody: create it first."
            )
        self._slots = sorted(slots)


async def open_store(url: str, prefix: str = PREFIX) -> RedisStore:
    """Open the store at an address, be it a single server or one of a cluster."""
    store = await RedisStore.open(url, prefix)
    if not store.is_of_cluster:
        return store
    await store.aclose()
    return await RedisClusterStore.open(url, prefix)


class RedisClusterStore(RedisStore):
    """Like `RedisStore`, with a connection for commits to each server that has slots."""

    def __init__(self, link: ClusterLink, prefix: str) -> None:
        super().__init__(link, prefix)
        self._cluster = link
        self._wires: dict[Place, Wire] = {}

    @classmethod
    async def open(cls, url: str, prefix: str = PREFIX, timeout: float = TIMEOUT_S) -> "RedisClusterStore":  # noqa: ASYNC109
        """Connect and make sure that all servers of the cluster can do what is needed."""
        link = ClusterLink(url, timeout)
        store = cls(link, prefix)
        try:
            await link.find_way()
            abouts = [fields(await store._wire_to(place).call("INFO")) for place in link.places]
            for place, about in zip(link.places, abouts, strict=True):
                check(about, f"{place.host}:{place.port}")
            store.durable = all(about.get("aof_enabled") == "1" for about in abouts)
        except BaseException:
            await store.aclose()
            raise
        return store

    async def commit(self, batch: Sequence[Commit]) -> list[Outcome]:
        """Make independent commits, those of one slot in order, each all or nothing."""
        async with self._one_at_a_time:
            await self._cluster.find_way()
            slots: dict[int, list[int]] = {}
            for at, commit in enumerate(batch):
                slots.setdefault(slot_of(self._key_of(commit)), []).append(at)
            by_place: dict[Place, list[list[int]]] = {}
            for numbers in slots.values():
                place = self._cluster.place_of(self._key_of(batch[numbers[0]]))
                by_place.setdefault(place, []).append(numbers)
            outcomes: dict[int, Outcome] = {}
            at_ms, *_ = await _all(
                self.now_ms(),
                *(self._commit_at(place, batch, groups, outcomes) for place, groups in by_place.items()),
            )
        made = Committed(at_ms)
        return [made if isinstance(outcomes[at], Committed) else outcomes[at] for at in range(len(batch))]

    async def alive(self, nodes: Sequence[str]) -> set[str]:
        """Return those of the nodes whose sign of life has not run out."""
        signs = [self._link.ask("EXISTS", self._prefix + keys.node(node)) for node in nodes]
        return {node for node, sign in zip(nodes, await _all(*signs), strict=True) if sign}

    async def aclose(self) -> None:
        """Let go of all connections."""
        for wire in self._wires.values():
            await wire.aclose()
        await super().aclose()

    async def _commit_at(
        self, place: Place, batch: Sequence[Commit], groups: list[list[int]], outcomes: dict[int, Outcome]
    ) -> int:
        for numbers in groups:
            part = [batch[at] for at in numbers]
            command = packed(opening_of_a_commit(self._prefix, self._key_of(part[0])), part)
            made = await self._cluster.watched(self._run(self._wire_to(place), command, part))
            outcomes.update(zip(numbers, made, strict=True))
        return 0

    def _wire_to(self, place: Place) -> Wire:
        if place not in self._wires:
            self._wires[place] = self._cluster.link_to(place).wire()
        return self._wires[place]

    def _key_of(self, commit: Commit) -> str:
        place = commit.appends[0].log if commit.appends else commit.notices[0].inbox
        return self._prefix + place


async def _all(*answers: Awaitable[_T]) -> list[_T]:
    """Wait for all, so that nothing is left under way; raise the first trouble."""
    found = await asyncio.gather(*answers, return_exceptions=True)
    for each in found:
        if isinstance(each, BaseException):
            raise each
    return found  # type: ignore[return-value]  # no exception is among them

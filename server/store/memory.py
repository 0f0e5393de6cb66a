"""Store in memory, for tests and trials: the contract of the Redis store, without durability."""

import asyncio
from collections.abc import Callable, Sequence

from server.store.port import (
    Append,
    Commit,
    Committed,
    Conflict,
    Keep,
    Outcome,
    RankedMember,
)


class MemoryStore:
    """Store in dictionaries, which several nodes of one process may share.

    Every method that uses logs or leaderboards first removes those that have expired.
    """

    def __init__(self, clock_ms: Callable[[], int]) -> None:
        self._clock_ms = clock_ms
        self._format: int | None = None  # None until a node has claimed the store
        self._logs: dict[str, list[bytes]] = {}
        self._leaderboards: dict[str, dict[str, RankedMember]] = {}  # leaderboard -> member -> row
        self._schedules: dict[str, dict[str, int]] = {}  # schedule -> item -> time in ms
        self._alive_until: dict[str, int] = {}  # node -> time in ms, which may be past
        self._expires: dict[str, int] = {}  # log or leaderboard -> time in ms; keys without one stay
        self._subscribers: dict[str, list[MemorySubscriber]] = {}  # inbox -> open subscribers

    async def claim_format(self, number: int) -> int:
        """Record the format of the data if the store is empty, and return the format that the store has."""
        self._remove_expired()
        if self._format is None:
            alive = await self.alive(list(self._alive_until))
            if alive or self._logs or self._leaderboards or any(self._schedules.values()):
                return 1
            self._format = number
        return self._format

    async def commit(self, batch: Sequence[Commit]) -> list[Outcome]:
        """Make independent commits in order, each all or nothing."""
        self._remove_expired()
        made = Committed(self._clock_ms())
        stale: set[str] = set()
        outcomes: list[Outcome] = []
        for commit in batch:
            conflict = self._first_conflict(commit.appends, stale)
            if conflict is None:
                self._make(commit)
            else:
                stale.update(append.log for append in commit.appends)
            outcomes.append(conflict or made)
        return outcomes

    def _first_conflict(self, appends: tuple[Append, ...], stale: set[str]) -> Conflict | None:
        for append in appends:
            length = len(self._logs.get(append.log, ()))
            if length != append.expected or append.log in stale:
                return Conflict(append.log, length)
        return None

    def _make(self, commit: Commit) -> None:
        for append in commit.appends:
            if append.entries:
                self._logs.setdefault(append.log, []).extend(append.entries)
            if append.ttl_s is not None and append.log in self._logs:
                self._expires[append.log] = self._clock_ms() + 1000 * append.ttl_s
        for message in commit.messages:
            self._deliver(message.inbox, message.payload)

    async def read(self, log: str, start: int = 0) -> list[bytes]:
        """Return the entries of a log from an index on."""
        self._remove_expired()
        return self._logs.get(log, [])[start:]

    async def length(self, log: str) -> int:
        """Return the number of entries of a log."""
        self._remove_expired()
        return len(self._logs.get(log, ()))

    async def now_ms(self) -> int:
        """Return the time of the given clock."""
        return self._clock_ms()

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
        self._remove_expired()
        self._expires[leaderboard] = self._clock_ms() + 1000 * ttl_s
        rows = self._leaderboards.setdefault(leaderboard, {})
        old = rows.get(member)
        if old is not None and not (value < old.value if keep == "lowest" else value > old.value):
            return False
        rows[member] = RankedMember(member, value, detail)
        self._leaderboards[leaderboard] = {
            row.member: row for row in await self.top(leaderboard, max_rows, keep)
        }
        return member in self._leaderboards[leaderboard]

    async def top(self, leaderboard: str, count: int, keep: Keep) -> list[RankedMember]:
        """Return the best rows of a leaderboard, best first, equal values in order of member."""
        self._remove_expired()
        sign = 1 if keep == "lowest" else -1
        rows = self._leaderboards.get(leaderboard, {}).values()
        return sorted(rows, key=lambda row: (sign * row.value, row.member.encode()))[:count]

    async def schedule(self, schedule: str, item: str, at_ms: int) -> None:
        """Add an item to a schedule, or move it to another time."""
        self._remove_expired()
        self._schedules.setdefault(schedule, {})[item] = at_ms

    async def due(self, schedule: str, now_ms: int, limit: int) -> list[str]:
        """Return the items whose time has come, earliest first."""
        self._remove_expired()
        items = self._schedules.get(schedule, {}).items()
        due = sorted((at_ms, item.encode()) for item, at_ms in items if at_ms <= now_ms)
        return [item.decode() for _, item in due[:limit]]

    async def unschedule(self, schedule: str, item: str, if_at_most_ms: int) -> bool:
        """Remove an item unless it was moved to a later time."""
        self._remove_expired()
        items = self._schedules.get(schedule, {})
        if item not in items or items[item] > if_at_most_ms:
            return False
        del items[item]
        return True

    async def heartbeat(self, node: str, ttl_ms: int) -> None:
        """Report that a node is alive, for this long."""
        self._alive_until[node] = self._clock_ms() + ttl_ms

    async def alive(self, nodes: Sequence[str]) -> set[str]:
        """Return those of the nodes whose last heartbeat has not expired."""
        now = self._clock_ms()
        return {node for node in nodes if self._alive_until.get(node, now) > now}

    def subscribe(
        self, inbox: str, on_message: Callable[[bytes], None], on_gap: Callable[[], None]
    ) -> "MemorySubscriber":
        """Subscribe to an inbox."""
        subscribers = self._subscribers.setdefault(inbox, [])
        subscriber = MemorySubscriber(on_message, on_gap, subscribers)
        subscribers.append(subscriber)
        return subscriber

    def break_subscriptions(self) -> None:
        """Affect every subscriber as a broken connection would."""
        loop = asyncio.get_running_loop()
        for subscribers in self._subscribers.values():
            for subscriber in subscribers:
                loop.call_soon(subscriber.report_gap)

    async def aclose(self) -> None:
        """Do nothing: there is no connection to close, and another node may share the store."""

    def _deliver(self, inbox: str, payload: bytes) -> None:
        # Never inside the caller's own call: a real inbox is read in a later turn of the loop.
        for subscriber in self._subscribers.get(inbox, ()):
            asyncio.get_running_loop().call_soon(subscriber.receive, payload)

    def _remove_expired(self) -> None:
        if not self._expires:
            return
        now = self._clock_ms()
        for key in [key for key, at_ms in self._expires.items() if at_ms <= now]:
            del self._expires[key]
            self._logs.pop(key, None)
            self._leaderboards.pop(key, None)


class MemorySubscriber:
    """Subscription to one inbox of a `MemoryStore`; messages arrive unless a test breaks it."""

    def __init__(
        self,
        on_message: Callable[[bytes], None],
        on_gap: Callable[[], None],
        registered: list["MemorySubscriber"],
    ) -> None:
        self._on_message = on_message
        self._on_gap = on_gap
        self._registered = registered  # the store's list of this inbox; contains this one while it is open
        self._open = True

    async def subscribed(self) -> None:
        """Return at once: creating the subscriber subscribes it."""

    def probe_age_s(self) -> float:
        """Return zero."""
        return 0.0

    def receive(self, payload: bytes) -> None:
        """Pass a message on, unless the subscriber has been closed."""
        if self._open:
            self._on_message(payload)

    def report_gap(self) -> None:
        """Report that messages may have been lost, unless the subscriber has been closed."""
        if self._open:
            self._on_gap()

    async def aclose(self) -> None:
        """End the subscription."""
        self._open = False
        if self in self._registered:
            self._registered.remove(self)

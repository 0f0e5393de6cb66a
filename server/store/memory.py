"""A store that lasts as long as the process, for tests and trials; the same contract as the real one."""

import asyncio
from collections.abc import Callable, Sequence

from server.store.port import (
    Append,
    Commit,
    Committed,
    Conflict,
    Keep,
    Outcome,
    Ranked,
)


class MemoryStore:
    """Keep everything in dictionaries; several nodes of one process may share it."""

    def __init__(self, clock_ms: Callable[[], int]) -> None:
        self._clock_ms = clock_ms
        self._logs: dict[str, list[bytes]] = {}
        self._boards: dict[str, dict[str, Ranked]] = {}
        self._agendas: dict[str, dict[str, int]] = {}
        self._alive_until: dict[str, int] = {}
        self._expires: dict[str, int] = {}
        self._listeners: dict[str, list[MemoryListener]] = {}

    async def commit(self, batch: Sequence[Commit]) -> list[Outcome]:
        """Make independent commits in order, each all or nothing."""
        self._forget_expired()
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
            if append.keep_s is not None and append.log in self._logs:
                self._expires[append.log] = self._clock_ms() + 1000 * append.keep_s
        for notice in commit.notices:
            self._deliver(notice.inbox, notice.payload)

    async def read(self, log: str, start: int = 0) -> list[bytes]:
        """Return the entries of a log from an index on."""
        self._forget_expired()
        return self._logs.get(log, [])[start:]

    async def length(self, log: str) -> int:
        """Return how many entries a log has."""
        self._forget_expired()
        return len(self._logs.get(log, ()))

    async def now_ms(self) -> int:
        """Return the time of the clock that was given."""
        return self._clock_ms()

    async def post(
        self, board: str, member: str, value: int, keep: Keep, detail: bytes, *, most: int, keep_s: int
    ) -> bool:
        """Offer a value to a leaderboard and return whether it is the member's new best there."""
        self._forget_expired()
        self._expires[board] = self._clock_ms() + 1000 * keep_s
        lines = self._boards.setdefault(board, {})
        old = lines.get(member)
        if old is not None and not (value < old.value if keep == "lowest" else value > old.value):
            return False
        lines[member] = Ranked(member, value, detail)
        self._boards[board] = {line.member: line for line in await self.top(board, most, keep)}
        return member in self._boards[board]

    async def top(self, board: str, count: int, keep: Keep) -> list[Ranked]:
        """Return the best of a leaderboard, best first, equal values in order of member."""
        self._forget_expired()
        sign = 1 if keep == "lowest" else -1
        lines = self._boards.get(board, {}).values()
        return sorted(lines, key=lambda line: (sign * line.value, line.member.encode()))[:count]

    async def schedule(self, agenda: str, item: str, at_ms: int) -> None:
        """Put an item on an agenda, or move it to another time."""
        self._forget_expired()
        self._agendas.setdefault(agenda, {})[item] = at_ms

    async def due(self, agenda: str, now_ms: int, limit: int) -> list[str]:
        """Return the items whose time has come, earliest first."""
        self._forget_expired()
        items = self._agendas.get(agenda, {}).items()
        ripe = sorted((at_ms, item.encode()) for item, at_ms in items if at_ms <= now_ms)
        return [item.decode() for _, item in ripe[:limit]]

    async def unschedule(self, agenda: str, item: str, if_at_most_ms: int) -> bool:
        """Take an item off unless it was moved to a later time."""
        self._forget_expired()
        items = self._agendas.get(agenda, {})
        if item not in items or items[item] > if_at_most_ms:
            return False
        del items[item]
        return True

    async def beat(self, node: str, ttl_ms: int) -> None:
        """Show that a node lives, for so long."""
        self._alive_until[node] = self._clock_ms() + ttl_ms

    async def alive(self, nodes: Sequence[str]) -> set[str]:
        """Return those of the nodes whose sign of life has not run out."""
        now = self._clock_ms()
        return {node for node in nodes if self._alive_until.get(node, now) > now}

    def listen(
        self, inbox: str, on_message: Callable[[bytes], None], on_gap: Callable[[], None]
    ) -> "MemoryListener":
        """Listen to an inbox from now on."""
        listeners = self._listeners.setdefault(inbox, [])
        listener = MemoryListener(on_message, on_gap, listeners)
        listeners.append(listener)
        return listener

    def interrupt(self) -> None:
        """Do to every listener what a broken connection would do to it."""
        loop = asyncio.get_running_loop()
        for listeners in self._listeners.values():
            for listener in listeners:
                loop.call_soon(listener.resume)

    async def aclose(self) -> None:
        """Do nothing: there is no connection to let go of, and another node may share the store."""

    def _deliver(self, inbox: str, payload: bytes) -> None:
        # Never inside the caller's own call: a real inbox is read on a later turn of the loop.
        for listener in self._listeners.get(inbox, ()):
            asyncio.get_running_loop().call_soon(listener.receive, payload)

    def _forget_expired(self) -> None:
        if not self._expires:
            return
        now = self._clock_ms()
        for key in [key for key, at_ms in self._expires.items() if at_ms <= now]:
            del self._expires[key]
            self._logs.pop(key, None)
            self._boards.pop(key, None)


class MemoryListener:
    """One inbox of a `MemoryStore`; nothing ever comes between the two, so it is never silent."""

    def __init__(
        self,
        on_message: Callable[[bytes], None],
        on_gap: Callable[[], None],
        registered: list["MemoryListener"],
    ) -> None:
        self._on_message = on_message
        self._on_gap = on_gap
        self._registered = registered
        self._open = True

    async def opened(self) -> None:
        """Return at once: the inbox was opened by making it."""

    def silence(self) -> float:
        """Return no seconds."""
        return 0.0

    def receive(self, payload: bytes) -> None:
        """Hand a message on, unless the listener was closed meanwhile."""
        if self._open:
            self._on_message(payload)

    def resume(self) -> None:
        """Tell that messages may have been lost, unless the listener was closed meanwhile."""
        if self._open:
            self._on_gap()

    async def aclose(self) -> None:
        """Stop listening."""
        self._open = False
        if self in self._registered:
            self._registered.remove(self)

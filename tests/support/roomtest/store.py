"""A memory store whose reads and commits a test can hold, and that can lose entries or fail."""

from collections.abc import Callable, Sequence

from racetest import Gate

from server.store.memory import MemoryStore
from server.store.port import Commit, Outcome


class GatedMemoryStore(MemoryStore):
    """The store in memory, with gates behind the answers of `read` and before `commit`.

    While `fault` is set, both raise it.
    """

    def __init__(self, clock_ms: Callable[[], int]) -> None:
        super().__init__(clock_ms)
        self.reads = Gate()
        self.commits = Gate()
        self.fault: Exception | None = None
        self.read_logs: list[str] = []

    async def read(self, log: str, start: int = 0) -> list[bytes]:
        """Read, and give the answer once the gate lets it through."""
        self.read_logs.append(log)
        self._fail()
        entries = await super().read(log, start)
        await self.reads.pass_through(log)
        return entries

    async def commit(self, batch: Sequence[Commit]) -> list[Outcome]:
        """Commit once the gate lets all of it through."""
        for commit in batch:
            for append in commit.appends:
                await self.commits.pass_through(append.log)
        self._fail()
        return await super().commit(batch)

    def cut(self, log: str, count: int) -> None:
        """Lose the last entries of a log, as a fail-over to a replica that was behind does."""
        del self._logs[log][len(self._logs[log]) - count :]

    def put(self, log: str, *entries: bytes) -> None:
        """Append entries past the journal, as another node does."""
        self._logs.setdefault(log, []).extend(entries)

    def entries(self, log: str) -> list[bytes]:
        """Return what a log contains."""
        return list(self._logs.get(log, ()))

    def _fail(self) -> None:
        if self.fault is not None:
            raise self.fault

"""Detection of commits that depend on a refused one."""

from server.store.port import Commit, Conflict


class StaleLogs:
    """Logs of refused commits, each with the number of the first commit that could know of the refusal.

    A caller can submit a second commit to a log before the outcome of the first one is known. If the first is
    refused, the second was decided on entries that do not exist. Its expected length may still match, because
    another node has written as many entries, so it must not be sent. Within one batch the store does the
    same.
    """

    __slots__ = ("_until",)

    def __init__(self) -> None:
        self._until: dict[str, tuple[int, int]] = {}  # log -> (first commit that could know, length found)

    def __bool__(self) -> bool:
        return bool(self._until)

    def add(self, commit: Commit, conflict: Conflict, until: int) -> None:
        """Record a refusal that commits with a number below `until` cannot have known of."""
        for append in commit.appends:
            length = conflict.length if append.log == conflict.log else append.expected
            known, _ = self._until.get(append.log, (0, 0))
            self._until[append.log] = (max(until, known), length)

    def conflict_of(self, commit: Commit, number: int) -> Conflict | None:
        """Return the conflict of a commit that depends on a refused one, or None."""
        for append in commit.appends:
            until, length = self._until.get(append.log, (0, 0))
            if number < until:
                return Conflict(append.log, length)
        return None

    def discard_before(self, number: int) -> None:
        """Remove the logs that cannot affect any commit from this number on."""
        self._until = {log: mark for log, mark in self._until.items() if mark[0] > number}

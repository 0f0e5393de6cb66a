"""Commits that stand on one that was refused."""

from server.store.port import Commit, Conflict


class StaleLogs:
    """Remember, for each log of a refused commit, up to where the queue did not know of the refusal.

    Who submits a commit before hearing that an earlier one was refused has decided on a log that never came
    to be. Its length may be right by accident, when another node wrote as many entries meanwhile; so the
    commit must not even be tried. Within a batch the store sees to the same.
    """

    __slots__ = ("_until",)

    def __init__(self) -> None:
        self._until: dict[str, tuple[int, int]] = {}

    def __bool__(self) -> bool:
        return bool(self._until)

    def refused(self, commit: Commit, conflict: Conflict, until: int) -> None:
        """Note a refusal which commits with a number below `until` cannot have known."""
        for append in commit.appends:
            length = conflict.length if append.log == conflict.log else append.expected
            known, _ = self._until.get(append.log, (0, 0))
            self._until[append.log] = (max(until, known), length)

    def verdict(self, commit: Commit, number: int) -> Conflict | None:
        """Return the refusal of a commit that cannot have known of an earlier one."""
        for append in commit.appends:
            until, length = self._until.get(append.log, (0, 0))
            if number < until:
                return Conflict(append.log, length)
        return None

    def forget_before(self, number: int) -> None:
        """Drop what no commit from this number on can be too early for."""
        self._until = {log: mark for log, mark in self._until.items() if mark[0] > number}

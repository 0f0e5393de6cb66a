"""Exceptions by which a check fails or is skipped."""


class CheckFailedError(Exception):
    """The program under test does not do what PROTOCOL.md says: what was expected, and what happened."""

    def __init__(self, expected: str, actual: str) -> None:
        self.expected, self.actual = expected, actual
        super().__init__(f"expected {expected}; got {actual}")


class CheckSkippedError(Exception):
    """A check is impossible with this program. The message says why."""

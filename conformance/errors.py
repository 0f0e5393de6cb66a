"""Outcomes of a check other than a pass."""


class UnmetError(Exception):
    """What PROTOCOL.md says did not happen: what was expected, and what came."""

    def __init__(self, expected: str, came: str) -> None:
        self.expected, self.came = expected, came
        super().__init__(f"expected {expected}; came {came}")


class SkippedError(Exception):
    """A check cannot be made with this server; the message says why."""

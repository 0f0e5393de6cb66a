"""Rate limit of a client's own messages: it stays below the limits of the server."""

from dataclasses import dataclass
from typing import Final

from protocol import limits

MARGIN: Final = 0.8
"""Share of the server's limits that a client uses: the clocks differ, and refusals cost more."""


@dataclass(slots=True)
class RateLimit:
    """A token bucket like the server's. Times are seconds of any monotonic clock."""

    tokens: float = limits.MESSAGE_BURST * MARGIN
    at: float = 0.0

    def wait(self, now: float) -> float:
        """Take the token of one message; return the seconds to wait before it is sent."""
        rate = limits.MESSAGES_PER_SECOND * MARGIN
        self.tokens = min(limits.MESSAGE_BURST * MARGIN, self.tokens + max(0.0, now - self.at) * rate)
        self.at = now
        self.tokens -= 1
        return max(0.0, -self.tokens / rate)

    def charge(self, tokens: float) -> None:
        """Take the tokens that the server takes beyond that of the message, for example for a refusal.

        If they exceed the level, wait for a second: the level was not the server's.
        """
        second = limits.MESSAGES_PER_SECOND * MARGIN
        self.tokens = max(self.tokens - tokens, min(self.tokens, 0.0) - second)

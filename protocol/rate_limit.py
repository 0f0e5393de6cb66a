"""Rate limit of a client that stays below the limits of the server."""

from dataclasses import dataclass
from typing import Final

from protocol import limits

MARGIN: Final = 0.8
"""Share of the server's allowance that is used, because clocks differ and refusals cost more."""


@dataclass(slots=True)
class RateLimit:
    """Token bucket like the server's. Times are seconds of a monotonic clock."""

    tokens: float = limits.MESSAGE_BURST * MARGIN
    at: float = 0.0  # time of the last message

    def wait(self, now: float) -> float:
        """Take the tokens of one message, and return the seconds to wait before it is sent."""
        rate = limits.MESSAGES_PER_SECOND * MARGIN
        self.tokens = min(limits.MESSAGE_BURST * MARGIN, self.tokens + max(0.0, now - self.at) * rate)
        self.at = now
        self.tokens -= 1
        return max(0.0, -self.tokens / rate)

    def charge(self, tokens: float) -> None:
        """Take what the server charges beyond the message itself, for example for a refusal.

        If there are fewer tokens than that, the estimate was wrong: one second of waiting is added.
        """
        second = limits.MESSAGES_PER_SECOND * MARGIN
        self.tokens = max(self.tokens - tokens, min(self.tokens, 0.0) - second)

"""How fast a client may talk: it keeps below the server's limits by itself."""

from dataclasses import dataclass
from typing import Final

from protocol import limits

MARGIN: Final = 0.8
"""Part of the server's allowance that we use: its clock and ours differ, and refusals cost it more."""


@dataclass(slots=True)
class Pace:
    """A token bucket like the server's; times are seconds on any clock that only goes forward."""

    tokens: float = limits.MESSAGE_BURST * MARGIN
    at: float = 0.0

    def wait(self, now: float) -> float:
        """Take leave to send one message, and return the seconds to wait before it."""
        rate = limits.MESSAGES_PER_SECOND * MARGIN
        self.tokens = min(limits.MESSAGE_BURST * MARGIN, self.tokens + max(0.0, now - self.at) * rate)
        self.at = now
        self.tokens -= 1
        return max(0.0, -self.tokens / rate)

    def charge(self, tokens: float) -> None:
        """Count what the server charges beyond the message itself, as for a refusal.

        Charging more than there is costs a second's wait: what we believed to be left was wrong.
        """
        second = limits.MESSAGES_PER_SECOND * MARGIN
        self.tokens = max(self.tokens - tokens, min(self.tokens, 0.0) - second)

"""Delay before reconnecting: exponential with full jitter, so that clients do not return all at once."""

from typing import Final

BASE_SECONDS: Final = 0.2
CAP_SECONDS: Final = 5.0


def delay(attempt: int, chance: float) -> float:
    """Return the seconds to wait before attempt 0, 1, 2...; `chance` is a random number from 0 to 1."""
    doublings = min(attempt, 16)  # far beyond the cap, and small enough after a night offline
    return chance * min(CAP_SECONDS, BASE_SECONDS * 2.0**doublings)

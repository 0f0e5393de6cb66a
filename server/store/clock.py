"""The store's clock, told from the local monotonic one."""

import math

DRIFT = 0.0005
"""How much two clocks may drift apart: the most by which time daemons speed a clock up or down."""


class StoreClock:
    """An estimate of how far the store's clock is ahead, kept from the answers that came fastest.

    An answer that took long says little, because nobody knows when on the way the clock was read. The
    estimate is replaced only by one that is at least as sharp, or that contradicts it: then the store's
    clock was set.
    """

    __slots__ = ("_ahead_ms", "_at_s", "_unsure_ms")

    def __init__(self) -> None:
        self._ahead_ms = math.nan  # which no moment can be made of
        self._unsure_ms = math.inf
        self._at_s = 0.0

    def observe(self, sent_s: float, received_s: float, store_ms: int) -> None:
        """Learn from an answer: when it was asked for and came, locally, and what the store's clock said."""
        # The store tells whole milliseconds, so its time lies within the one that it told.
        ahead = store_ms + 0.5 - 500 * (sent_s + received_s)
        unsure = 500 * (received_s - sent_s) + 0.5
        known = self._unsure_ms + 1000 * DRIFT * (received_s - self._at_s)
        if unsure <= known or abs(ahead - self._ahead_ms) > unsure + known:
            self._ahead_ms = ahead
            self._unsure_ms = unsure
            self._at_s = received_s

    def at_ms(self, local_s: float) -> int:
        """Return the store's time at a moment of the local monotonic clock.

        Raises `ValueError` when nothing was observed yet.
        """
        try:
            return int(1000 * local_s + self._ahead_ms)
        except ValueError:
            raise ValueError("the store's clock has not been read yet") from None

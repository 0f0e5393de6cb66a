"""The store's clock, derived from the local monotonic clock."""

import math

DRIFT = 0.0005
"""Greatest relative drift between two clocks: the most by which time daemons speed a clock up or down."""


class StoreClock:
    """Estimate of the offset between the store's clock and the local one, from the fastest answers.

    A slow answer says little, because the moment at which the store read its clock is unknown. A new reading
    replaces the estimate only if it is at least as precise, or if it contradicts the estimate, which means
    that the store's clock has been set.
    """

    __slots__ = ("_error_ms", "_observed_s", "_offset_ms")

    def __init__(self) -> None:
        self._offset_ms = math.nan  # store time minus local time; NaN until the first observation
        self._error_ms = math.inf  # how far the offset could be off when it was observed
        self._observed_s = 0.0  # local time of that observation; the error grows with drift from there

    def observe(self, sent_s: float, received_s: float, store_ms: int) -> None:
        """Take a reading into account: local times of question and answer, and the store's time."""
        # The store truncates to whole milliseconds, so its time lies within the one that it returned.
        offset = store_ms + 0.5 - 500 * (sent_s + received_s)
        error = 500 * (received_s - sent_s) + 0.5
        known = self._error_ms + 1000 * DRIFT * (received_s - self._observed_s)
        if error <= known or abs(offset - self._offset_ms) > error + known:
            self._offset_ms = offset
            self._error_ms = error
            self._observed_s = received_s

    def at_ms(self, local_s: float) -> int:
        """Return the store's time at a moment of the local monotonic clock.

        Raises `ValueError` before the first observation.
        """
        try:
            return int(1000 * local_s + self._offset_ms)
        except ValueError:
            raise ValueError("the store's clock has not been read yet") from None

"""The store's clock and the clock that all nodes share, derived from the local monotonic clock."""

import math

DRIFT = 0.0005
"""Greatest relative drift between two clocks: the most by which time daemons speed a clock up or down."""

JUMP_MS = 100.0
"""Above this difference, a clock was set or a machine slept; a smaller difference is drift."""


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

    @property
    def offset_ms(self) -> float:
        """Store time minus local time; NaN before the first observation."""
        return self._offset_ms

    @property
    def error_ms(self) -> float:
        """Greatest error of the offset when it was observed."""
        return self._error_ms

    def at_ms(self, local_s: float) -> int:
        """Return the store's time at a moment of the local monotonic clock.

        Raises `ValueError` before the first observation.
        """
        try:
            return int(1000 * local_s + self._offset_ms)
        except ValueError:
            raise ValueError("the store's clock has not been read yet") from None


class SharedClock:
    """Clock that all nodes of a store share, and that never follows a clock that is set.

    It advances with the local monotonic clock. To agree with the other nodes, it also follows the store's
    clock plus a correction, which the nodes agree on through the store (`server.store.clock_agreement`). A
    difference of at most `JUMP_MS` is drift, and this clock follows it. A larger difference means that a
    clock was set or that a machine slept: then this clock does not follow, and `jumped` is true until the
    nodes have agreed on another correction.
    """

    __slots__ = ("_offset_ms", "_store", "correction_ms")

    def __init__(self) -> None:
        self.correction_ms = 0  # shared time minus the store's time
        self._store = StoreClock()
        self._offset_ms = math.nan  # shared time minus local time; NaN until the first observation

    def observe(self, sent_s: float, received_s: float, store_ms: int) -> None:
        """Take a reading of the store's clock into account: see `StoreClock.observe`."""
        self._store.observe(sent_s, received_s, store_ms)
        self._follow()

    def at_ms(self, local_s: float) -> int:
        """Return the shared time at a moment of the local monotonic clock.

        Raises `ValueError` before the first observation.
        """
        try:
            return int(1000 * local_s + self._offset_ms)
        except ValueError:
            raise ValueError("the store's clock has not been read yet") from None

    @property
    def jumped(self) -> bool:
        """Whether the store's clock with the correction no longer agrees with this clock."""
        return abs(self._difference_ms) > JUMP_MS + self._store.error_ms

    @property
    def wanted_correction_ms(self) -> int:
        """The correction with which the store's clock agrees with this clock."""
        return round(self.correction_ms - self._difference_ms)

    def correct(self, correction_ms: int) -> None:
        """Take over a correction that the nodes agreed on; the clock itself does not jump."""
        self.correction_ms = correction_ms
        self._follow()

    def adopt(self) -> None:
        """Jump to the store's clock with the correction: this node's clock was the wrong one."""
        self._offset_ms = self._store.offset_ms + self.correction_ms

    @property
    def _difference_ms(self) -> float:
        return self._store.offset_ms + self.correction_ms - self._offset_ms

    def _follow(self) -> None:
        if math.isnan(self._offset_ms) or not self.jumped:
            self.adopt()

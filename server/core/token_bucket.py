"""How much of something somebody may have in a time: a token bucket, with the time as an argument."""


class Bucket:
    """A bucket of `burst` tokens that refills at `rate` tokens a second.

    It can be overdrawn by another `burst`, so that somebody who is a little too fast is told, and somebody
    who goes on regardless is `exhausted`.
    """

    __slots__ = ("_at", "_burst", "_level", "_rate")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._level = burst
        self._at = now

    def take(self, now: float, tokens: float = 1.0) -> bool:
        """Take tokens at `now` seconds; return whether there were enough."""
        # Comparisons instead of min() and max(): every message comes here, and they are half the price.
        level = self._level + (now - self._at) * self._rate
        if level > self._burst:  # noqa: PLR1730
            level = self._burst
        level -= tokens
        self._at = now
        self._level = level if level > -self._burst else -self._burst
        return level >= 0.0

    def holds(self, now: float, tokens: float) -> bool:
        """Return whether there are so many tokens at `now`, at most `burst`."""
        return self._level + (now - self._at) * self._rate >= tokens

    def is_full(self, now: float) -> bool:
        """Return whether the bucket is as full at `now` as it gets."""
        return self.holds(now, self._burst)

    @property
    def exhausted(self) -> bool:
        """Whether the bucket is overdrawn as far as it goes."""
        return self._level <= -self._burst


class Quota:
    """A bucket for each of many, say addresses; full buckets are forgotten.

    Asking in vain costs nothing, so that whoever asks again and again gets the next token all the same.
    """

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._buckets: dict[str, Bucket] = {}
        self._tidied = 0.0

    def take(self, who: str, now: float) -> bool:
        """Take one token of somebody's bucket; return whether there was one."""
        full_again = self._burst / self._rate
        if now - self._tidied > full_again:
            self._tidied = now
            self._buckets = {
                each: bucket for each, bucket in self._buckets.items() if not bucket.is_full(now)
            }
        bucket = self._buckets.get(who)
        if bucket is None:
            bucket = self._buckets[who] = Bucket(self._rate, self._burst, now)
        return bucket.holds(now, 1.0) and bucket.take(now)

    def give_back(self, who: str, now: float) -> None:
        """Put a token back that was taken for nothing."""
        bucket = self._buckets.get(who)
        if bucket is not None:
            bucket.take(now, -1.0)

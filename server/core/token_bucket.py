"""Token buckets, which limit a rate; the time is an argument."""


class Bucket:
    """A bucket of `burst` tokens that refills at `rate` tokens a second.

    It can be overdrawn by another `burst`: a client that is a little too fast gets refusals, and one that
    continues at that rate is `exhausted`.
    """

    __slots__ = ("_at", "_burst", "_level", "_rate")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._level = burst
        self._at = now

    def take(self, now: float, tokens: float = 1.0) -> bool:
        """Take tokens at `now` seconds, even if there are too few; return whether there were enough."""
        # Comparisons cost half as much as min() and max(), and every message passes here.
        level = self._level + (now - self._at) * self._rate
        if level > self._burst:  # noqa: PLR1730
            level = self._burst
        level -= tokens
        self._at = now
        self._level = level if level > -self._burst else -self._burst
        return level >= 0.0

    def holds(self, now: float, tokens: float) -> bool:
        """Return whether the bucket has this many tokens at `now`; `tokens` is at most `burst`."""
        return self._level + (now - self._at) * self._rate >= tokens

    def is_full(self, now: float) -> bool:
        """Return whether the bucket has all its tokens at `now`."""
        return self.holds(now, self._burst)

    @property
    def exhausted(self) -> bool:
        """Whether the bucket is overdrawn by `burst`."""
        return self._level <= -self._burst


class Quota:
    """A bucket for each key, for example for each address; full buckets are discarded.

    A refused `take` takes nothing, so that retries do not delay the next token.
    """

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._buckets: dict[str, Bucket] = {}
        self._discarded_at = 0.0

    def take(self, key: str, now: float) -> bool:
        """Take one token from the bucket of a key; return whether there was one."""
        refill_s = self._burst / self._rate
        if now - self._discarded_at > refill_s:
            self._discarded_at = now
            self._buckets = {
                each: bucket for each, bucket in self._buckets.items() if not bucket.is_full(now)
            }
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(self._rate, self._burst, now)
        return bucket.holds(now, 1.0) and bucket.take(now)

    def give_back(self, key: str, now: float) -> None:
        """Put back a token whose request was not carried out."""
        bucket = self._buckets.get(key)
        if bucket is not None:
            bucket.take(now, -1.0)

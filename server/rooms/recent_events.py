"""The last committed events of a room, for members who return, and the numbers of lost events."""

from collections import deque
from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from server.core import events as ev

REPLAYED_EVENTS: Final = 500
"""Most events that are replayed to a member who returns; a member who missed more gets a snapshot."""


class RecentEvents:
    """The last committed events, in order. `length` in its methods is that of the whole log."""

    __slots__ = ("_events", "_lost")

    def __init__(self) -> None:
        self._events: deque[ev.Event] = deque(maxlen=REPLAYED_EVENTS)
        self._lost: list[range] = []  # numbers of lost events: they may be used again for others

    def __len__(self) -> int:
        return len(self._events)

    def append(self, event: ev.Event) -> None:
        """Add the next committed event."""
        self._events.append(event)

    def last(self, count: int) -> list[ev.Event]:
        """Return the last `count` events."""
        return list(self._events)[len(self._events) - count :]

    def after(self, seq: int, length: int) -> list[ev.Event] | None:
        """Return the events after number `seq`, or None if they cannot be replayed.

        They cannot if there are too many, or if `seq` is the number of an event that the store has lost: the
        number may have been used again, so it does not tell which of the two the member received.
        """
        missed = length - seq
        if not 0 <= missed <= len(self._events) or any(seq in lost for lost in self._lost):
            return None
        return self.last(missed)

    def roll_back(self, length: int, log: Sequence[ev.Event]) -> int:
        """Continue from a log that lacks some of the events; return how many are lost.

        Those from the first difference on are lost, even if others are in their places.
        """
        first = min(length - len(self._events), len(log))
        pairs = zip(self._events, log[first:], strict=False)
        kept = first + sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        self._lost.append(range(kept + 1, length + 1))
        self._events = deque(log, maxlen=REPLAYED_EVENTS)
        return length - kept

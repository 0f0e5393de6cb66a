"""Agreement of the nodes on the correction of the store's clock, after a clock was set or a machine slept.

The corrections are a log in the store. If the store's clock plus the last correction differs from a node's
clock, the node appends the correction that makes them equal. If the store's clock was set, all nodes differ
by the same amount, and the first new correction is right for all. If one node's machine slept, only that node
differs. Its correction is wrong for the others, so they append another one, and the node that slept adopts
it.
"""

from collections.abc import Callable
from typing import Final

import msgspec
from msgspec import Struct

from server.store import keys
from server.store.clock import SharedClock
from server.store.port import Append, Commit, Committed, Store

OVERRULED_S: Final = 30.0
"""How long after its own correction a node takes over a different one of another node."""


class ClockCorrection(Struct, frozen=True, array_like=True):
    """An entry of the log: from `clock_ms` on, the shared clock is the store's clock plus `correction_ms`."""

    clock_ms: int
    correction_ms: int


_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder(ClockCorrection)


class ClockAgreement:
    """One node's part in the agreement."""

    def __init__(self, store: Store, clock: SharedClock, monotonic: Callable[[], float]) -> None:
        self._store = store
        self._clock = clock
        self._monotonic = monotonic
        self._known = 0  # corrections that this node has read or made
        self._proposed_s: float | None = None  # local time of this node's last correction

    async def read(self) -> None:
        """Take over the last correction, when the node starts. Raises StoreError."""
        entries = await self._store.read(keys.clock_log())
        self._known = len(entries)
        if entries:
            self._clock.correct(_DECODER.decode(entries[-1]).correction_ms)

    async def agree(self) -> None:
        """Read the corrections of other nodes, and append one if this node's clock disagrees with the last.

        Raises StoreError.
        """
        clock, now = self._clock, self._monotonic()
        entries = await self._store.read(keys.clock_log(), self._known)
        if entries:
            self._known += len(entries)
            clock.correct(_DECODER.decode(entries[-1]).correction_ms)
            if clock.jumped and self._proposed_s is not None and now - self._proposed_s < OVERRULED_S:
                clock.adopt()
        if clock.jumped:
            await self._propose(now)

    async def _propose(self, now: float) -> None:
        clock = self._clock
        wanted = clock.wanted_correction_ms
        entry = _ENCODER.encode(ClockCorrection(clock.at_ms(now), wanted))
        (outcome,) = await self._store.commit([Commit((Append(keys.clock_log(), self._known, (entry,)),))])
        if isinstance(outcome, Committed):
            self._known += 1
            self._proposed_s = now
            clock.correct(wanted)


async def has_jumped(store: Store, start_ms: int, end_ms: int) -> bool:
    """Return whether the nodes agreed on a correction between two shared times. Raises StoreError."""
    entries = await store.read(keys.clock_log())
    return any(start_ms <= _DECODER.decode(entry).clock_ms <= end_ms for entry in entries)

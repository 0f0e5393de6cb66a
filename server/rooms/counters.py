"""Counters of the rooms on a node, for the metrics."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class RoomCounters:
    """Counters of one node since its start; `rooms` is how many are loaded now."""

    rooms: int = 0
    rooms_opened: int = 0
    races_started: int = 0
    races_ended: int = 0
    actions: dict[str, int] = field(
        default_factory=lambda: {"accepted": 0, "refused": 0, "repeated": 0, "conflict": 0}
    )
    resumes: dict[str, int] = field(default_factory=lambda: {"events": 0, "snapshot": 0})
    gaps_repaired: int = 0
    rollbacks: int = 0

"""Scenarios of the benchmark, and their targets."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Scenario:
    """A load: racers, their rooms, and their rate in moves per second of each, or 0 for closed loop."""

    name: str
    racers: int
    rate: float
    room_size: int = 4
    nodes: int = 1
    with_peer: bool = True
    sampled_rooms: int = 20
    target: float | None = None
    """Most CPU time per move, as a multiple of the peer's."""


PEER: Final = (
    Scenario("200 racers, closed loop", 200, 0, target=1.0, sampled_rooms=0),
    Scenario("1,000 racers, closed loop", 1_000, 0, target=1.0, sampled_rooms=0),
    Scenario("1,000 racers, 5 moves/s", 1_000, 5, target=0.8),
    Scenario("3,000 racers, 1 move/s", 3_000, 1, target=0.6),
)
LARGE: Final = (
    Scenario("15,000 racers, 1 move/s", 15_000, 1, with_peer=False),
    Scenario(
        "one room of 1,000 on two nodes, 1 move/s", 1_000, 1, 1_000, 2, with_peer=False, sampled_rooms=1
    ),
    Scenario("1,000 in rooms of four on two nodes, 1 move/s", 1_000, 1, nodes=2, with_peer=False),
)
SMOKE: Final = (Scenario("8 racers, closed loop", 8, 0, with_peer=False, sampled_rooms=2),)
"""Shows in seconds that everything runs; its figures mean nothing."""

SETS: Final = {
    "peer": PEER,
    "large": LARGE,
    "all": (*PEER, *LARGE),
    "quick": PEER[:1],
    "smoke": SMOKE,
}

ECHO_TARGET: Final = 2.5
"""Most CPU time per move, as a multiple of that of an echo through the same transport."""

MEMORY_TARGET: Final = 0.4
"""Most memory per racer, as a multiple of the peer's."""

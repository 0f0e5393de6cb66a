"""A racer of any server, as the driver sees it."""

from abc import ABC, abstractmethod
from collections import deque
from typing import Final

from bench.load.meter import Meter, now
from bench.load.wire import Socket

CODE: Final = "SS1-S1-AAAAABD"
MOVE: Final = (0, 4, 1)
"""A legal first move of that deal; it and its undo take turns, so that a race never ends."""


class Racer(Socket, ABC):
    """One connection with one game. Actions are numbered from 1; odd ones move, even ones undo."""

    def __init__(self, meter: Meter, path: str, subprotocol: str = "") -> None:
        super().__init__(path, subprotocol)
        self.meter = meter
        self.number = 0
        self.again = False  # closed loop: act when acknowledged
        self._due: deque[float] = deque()

    @abstractmethod
    def action(self, number: int) -> bytes:
        """Return the frame of an action."""

    def act(self, due: float) -> None:
        """Send the next action, which was to be sent at `due`."""
        self.number += 1
        self._due.append(due)
        self.send(self.action(self.number))

    def acknowledged(self) -> None:
        """The oldest action under way was acknowledged."""
        meter = self.meter
        meter.acknowledged += 1
        time = now()
        meter.latencies.append(time - self._due.popleft())
        if self.again:
            self.act(time)

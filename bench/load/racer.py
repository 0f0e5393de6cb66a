"""A racer of any server, as the driver sees it."""

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Mapping
from typing import Final

from bench.load.meter import Meter
from bench.load.wire import Socket

CODE: Final = "SS1-S1-AAAAABD"
MOVE: Final = (0, 4, 1)
"""A legal first move of that deal; it and its undo take turns, so that a race never ends."""

_PAUSE_S: Final = 0.1
"""Between a refusal and the next action in closed loop, as a client that waits a moment would have it."""


class Racer(Socket, ABC):
    """One connection with one game. Actions are numbered from 1; odd ones move, even ones undo.

    Servers answer the actions of a connection in their order. After a refusal nothing is sent until all that
    is under way was answered, since the rest of it is refused as well; then the racer goes on from the number
    that the server expects. What was due meanwhile is sent then and counts from when it was due.
    """

    def __init__(self, meter: Meter, path: str, subprotocol: str = "") -> None:
        super().__init__(path, subprotocol)
        self.meter = meter
        self.number = 0
        self.again = False  # closed loop: act when answered
        self.rivals: Mapping[str, Racer] | None = None  # whose moves are looked for in the standings
        self._due: deque[float] = deque()  # of what is under way
        self._held: deque[float] = deque()
        self._expected: int | None = None
        self._due_of_last = self._due_before_last = 0.0
        self._shown: Mapping[str, int] = {}

    @abstractmethod
    def action(self, number: int) -> bytes:
        """Return the frame of an action."""

    def act(self, due: float) -> None:
        """Send the next action, which was to be sent at `due`."""
        if self.lost:
            return
        if self._expected is not None:
            self._held.append(due)
            return
        self.number += 1
        self._due.append(due)
        self.send(self.action(self.number))

    def acknowledged(self) -> None:
        """The oldest action under way was acknowledged."""
        meter = self.meter
        meter.acknowledged += 1
        time, due = meter.clock(), self._due.popleft()
        meter.latencies.append(time - due)
        self._due_before_last, self._due_of_last = self._due_of_last, due
        if self._expected is not None:
            self._go_on()
        if self.again:
            self.act(time)

    def refused(self, expected: int) -> None:
        """The oldest action under way was refused; with 0 expected there is no game to go on with."""
        self.meter.faults += 1
        self._due.popleft()
        self._expected = expected
        self._go_on()
        if self.again:
            asyncio.get_running_loop().call_later(_PAUSE_S, self._act_again)

    def sees(self, moves: Mapping[str, int]) -> None:
        """Note the age of every rival's action that standings, as numbers of moves, are the first to show."""
        if self.rivals is None:
            return
        time, before = self.meter.clock(), self._shown
        self._shown = moves
        for player, made in moves.items():
            rival = self.rivals.get(player)
            if rival is not None and before.get(player, made) != made:
                due = rival.due_of(made)
                if due is not None:
                    self.meter.ages.append(time - due)

    def due_of(self, moves: int) -> float | None:
        """Return when the action was due that left the racer with so many moves.

        Moves and undoes take turns, so it is the newest acknowledged one or a neighbour: the next, if its
        acknowledgement lies unread beside what shows it, or the one before. None after a refusal, when they
        may take turns no more.
        """
        if self._expected is not None:
            return None
        if (self.number - len(self._due)) % 2 == moves % 2:
            return self._due_of_last
        return self._due[0] if self._due else self._due_before_last

    def _go_on(self) -> None:
        if self._due or not self._expected:
            return
        self.number, self._expected = self._expected - 1, None
        held, self._held = self._held, deque()
        for due in held:
            self.act(due)

    def _act_again(self) -> None:
        if self.again:
            self.act(self.meter.clock())

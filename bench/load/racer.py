"""Base of the racers on any server: numbers, latencies, refusals."""

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Mapping
from typing import Final

from bench.load.meter import Meter
from bench.load.wire import Socket

CODE: Final = "SS1-S1-AAAAABD"
MOVE: Final = (0, 4, 1)
"""A legal first move of that deal; the move and its undo alternate, so that the race never ends."""

_PAUSE_S: Final = 0.1
"""Pause between a refusal and the next action in closed loop."""


class Racer(Socket, ABC):
    """One connection with one game. Actions are numbered from 1; odd ones move, even ones undo.

    Servers answer the actions of a connection in their order. After a refusal nothing is sent until all
    actions in flight are answered, since they are refused as well. Then the racer continues with the number
    that the server expects; actions that were due meanwhile are sent then, and count from when they were due.
    """

    def __init__(self, meter: Meter, path: str, subprotocol: str = "") -> None:
        super().__init__(path, subprotocol)
        self.meter = meter
        self.number = 0
        self.again = False  # closed loop: act when answered
        self.rivals: Mapping[str, Racer] | None = None  # racers whose moves are timed in the standings
        self._due: deque[float] = deque()  # of the actions in flight
        self._held: deque[float] = deque()  # of the actions that wait after a refusal
        self._expected: int | None = None  # number that the server expects after a refusal
        self._due_of_last = self._due_before_last = 0.0
        self._shown: Mapping[str, int] = {}  # moves of each rival in the last standings

    @abstractmethod
    def action(self, number: int) -> bytes:
        """Return the frame of an action."""

    def act(self, due: float) -> None:
        """Send the next action, which was due at `due`."""
        if self.lost:
            return
        if self._expected is not None:
            self._held.append(due)
            return
        self.number += 1
        self._due.append(due)
        self.send(self.action(self.number))

    def acknowledged(self) -> None:
        """Count the acknowledgement of the oldest action in flight."""
        meter = self.meter
        meter.acknowledged += 1
        time, due = meter.clock(), self._due.popleft()
        meter.latencies.append(time - due)
        self._due_before_last, self._due_of_last = self._due_of_last, due
        if self._expected is not None:
            self._continue()
        if self.again:
            self.act(time)

    def refused(self, expected: int) -> None:
        """Count the refusal of the oldest action in flight; if 0 is expected, there is no game any more."""
        self.meter.faults += 1
        self._due.popleft()
        self._expected = expected
        self._continue()
        if self.again:
            asyncio.get_running_loop().call_later(_PAUSE_S, self._act_again)

    def see_moves(self, moves: Mapping[str, int]) -> None:
        """Record the age of every rival's action that these numbers of moves are the first to show."""
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
        """Return when the action was due after which the racer had this number of moves.

        Moves and undos alternate, so it is the newest acknowledged action or a neighbour: the next one, if
        its acknowledgement has not been read yet, or the previous one. None after a refusal, because then
        they may not alternate.
        """
        if self._expected is not None:
            return None
        if (self.number - len(self._due)) % 2 == moves % 2:
            return self._due_of_last
        return self._due[0] if self._due else self._due_before_last

    def _continue(self) -> None:
        if self._due or not self._expected:
            return
        self.number, self._expected = self._expected - 1, None
        held, self._held = self._held, deque()
        for due in held:
            self.act(due)

    def _act_again(self) -> None:
        if self.again:
            self.act(self.meter.clock())

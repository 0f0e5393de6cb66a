"""The conformance run against a client: it connects to us, plays, and is treated badly.

The client is started by whoever tests it, joins any room, gets ready and makes moves, whichever; ten that the
rules allow are enough, and some more when the referee says that the next race has started. When it has been
told 4002 it is started once more.
"""

from collections.abc import Callable, Sequence
from typing import Final

from conformance.chapter import Step, carry_out
from conformance.of_client.examinee import Examinee
from conformance.of_client.fake_server import Listener
from conformance.of_client.first_connection import FirstVisit
from conformance.of_client.numbering import Numbering
from conformance.of_client.returning import Returning
from conformance.of_client.second_race import SecondRace
from conformance.report import Report
from conformance.wire import Door
from protocol.version import SUBPROTOCOLS

PATIENCE_S: Final = 120.0
"""Seconds that we wait for people."""


class Refereeing:
    """All that is done to one client, in order; `tell` gets what its author has to do."""

    def __init__(self, door: Door, listener: Listener, tell: Callable[[str], None]) -> None:
        self.stage = listener
        client = Examinee(listener)
        self._parts = (
            FirstVisit(client, door, tell),
            Numbering(client),
            SecondRace(client, tell),
            Returning(client, door, tell),
        )

    def steps(self) -> Sequence[Step]:
        """Return what to check; each part goes on from where the one before has led."""
        return tuple(step for part in self._parts for step in part.steps())


async def referee(
    tell: Callable[[str], None], port: int = 0, *, host: str = "localhost", patience: float = PATIENCE_S
) -> Report:
    """Listen, and check the client that comes; `tell` gets what its author has to do."""
    listener = Listener(patience)
    door = await Door.open(host, port, list(SUBPROTOCOLS), listener.arrivals.put)
    try:
        findings = await carry_out(Refereeing(door, listener, tell), 1)
    finally:
        await door.close()
    return Report("the client", findings)

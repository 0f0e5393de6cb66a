"""The conformance run against a client: it connects to us, plays, and is treated badly.

The client is started by whoever tests it, joins any room, gets ready and makes moves, whichever; ten that the
rules allow are enough, and some more when the referee says that the next race has started. When it has been
told 4002 it is started once more.
"""

from collections.abc import Callable, Sequence
from typing import Final

from conformance.checks import Check, run_checks
from conformance.of_client.action_numbers import ActionNumbers
from conformance.of_client.client_under_test import ClientUnderTest
from conformance.of_client.fake_server import FakeServer
from conformance.of_client.first_connection import FirstConnection
from conformance.of_client.reconnecting import Reconnecting
from conformance.of_client.second_race import SecondRace
from conformance.report import Report
from conformance.wire import Listener
from protocol.version import SUBPROTOCOLS

TIMEOUT_S: Final = 120.0
"""Seconds that we wait for people."""


class ClientChecks:
    """All that is done to one client, in order; `tell` gets what its author has to do."""

    def __init__(self, listener: Listener, server: FakeServer, instruct: Callable[[str], None]) -> None:
        self.server = server
        client = ClientUnderTest(server)
        self._parts = (
            FirstConnection(client, listener, instruct),
            ActionNumbers(client),
            SecondRace(client, instruct),
            Reconnecting(client, listener, instruct),
        )

    def checks(self) -> Sequence[Check]:
        """Return what to check; each part goes on from where the one before has led."""
        return tuple(check for part in self._parts for check in part.checks())


async def referee(
    instruct: Callable[[str], None], port: int = 0, *, host: str = "localhost", timeout_s: float = TIMEOUT_S
) -> Report:
    """Listen, and check the client that comes; `tell` gets what its author has to do."""
    server = FakeServer(timeout_s)
    listener = await Listener.open(host, port, list(SUBPROTOCOLS), server.arrivals.put)
    try:
        results = await run_checks(ClientChecks(listener, server, instruct), 1)
    finally:
        await listener.close()
    return Report("the client", results)

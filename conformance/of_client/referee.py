"""The referee: a fake server that checks the client that connects to it.

The author of the client starts it. It joins any room, gets ready and makes any moves: about twenty that the
rules allow, and some more when the referee says that the next race has started. After 4002 the author starts
it once more.
"""

from collections.abc import Callable, Sequence
from typing import Final

from conformance.checks import Check, run_checks
from conformance.of_client.action_numbers import ActionNumbers
from conformance.of_client.client_under_test import ClientUnderTest
from conformance.of_client.fake_server import FakeServer
from conformance.of_client.first_connection import FirstConnection
from conformance.of_client.heartbeats import Heartbeats
from conformance.of_client.late_joiner import LateJoiner
from conformance.of_client.reconnecting import Reconnecting
from conformance.of_client.second_race import SecondRace
from conformance.of_client.unusual_messages import UnusualMessages
from conformance.report import Report
from conformance.wire import Listener
from protocol.version import SUBPROTOCOLS

TIMEOUT_S: Final = 120.0
"""Longest wait in seconds for something that a person has to do."""


class ClientChecks:
    """All checks of a client, in order. `instruct` shows a line to its author."""

    def __init__(self, listener: Listener, server: FakeServer, instruct: Callable[[str], None]) -> None:
        self.server = server
        self._client = client = ClientUnderTest(server)
        self._parts = (
            FirstConnection(client, listener, instruct),
            ActionNumbers(client),
            UnusualMessages(client),
            SecondRace(client, instruct),
            LateJoiner(client, instruct),
            Heartbeats(client),
            Reconnecting(client, listener, instruct),
        )

    def checks(self) -> Sequence[Check]:
        """Return the checks of all groups in order."""
        return tuple(check for part in self._parts for check in part.checks())

    async def recover(self) -> None:
        """Bring the client back into a race after a failed check. Raises CheckFailedError."""
        await self._client.recover()


async def referee(
    instruct: Callable[[str], None], port: int = 0, *, host: str = "localhost", timeout_s: float = TIMEOUT_S
) -> Report:
    """Check the client that connects; return the report. `instruct` shows a line to its author."""
    server = FakeServer(timeout_s, instruct)
    listener = await Listener.open(host, port, list(SUBPROTOCOLS), server.arrivals.put)
    try:
        checks = ClientChecks(listener, server, instruct)
        results = await run_checks(checks, 1, checks)
    finally:
        await listener.close()
    return Report("the client", results)

"""Checks of how a client notices a dead connection."""

from collections.abc import Sequence
from typing import Final

from conformance.checks import Check
from conformance.errors import CheckFailedError
from conformance.of_client.client_under_test import ClientUnderTest
from conformance.wire import now

PONG_WITHIN_S: Final = 5.0
"""Seconds in which a WebSocket ping is answered."""

SILENCE_S: Final = 60.0
"""Seconds after which a client has given up a connection without any answer."""


class Heartbeats:
    """Checks of a client whose server pings, and then answers nothing."""

    def __init__(self, client: ClientUnderTest) -> None:
        self.client, self.server = client, client.server

    def checks(self) -> Sequence[Check]:
        """Return the checks in order."""
        about = "Heartbeats"
        return (
            Check("it answers WebSocket pings", about, self._pong, True),
            Check(
                "it drops a connection on which nothing is answered, and connects again",
                about,
                self._silent_server,
                True,
            ),
        )

    async def _pong(self) -> None:
        connection = self.client.connection
        if connection is None or not await connection.wait_until_read(PONG_WITHIN_S):
            raise CheckFailedError("a pong", f"nothing within {PONG_WITHIN_S:g} seconds")

    async def _silent_server(self) -> None:
        since = now()
        self.server.stop_reading()
        await self.client.expect_return(since, SILENCE_S, timeout_s=SILENCE_S)
        await self.client.answer_join()
        await self.server.accept(await self.server.next_action("an action on the new connection"))

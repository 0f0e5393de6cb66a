"""Checks of the limit of messages."""

import asyncio
import json
from collections.abc import Sequence
from typing import Final

from conformance.checks import Check
from conformance.errors import CheckFailedError, CheckSkippedError
from conformance.of_server.scripted_client import ScriptedClient, ServerUnderTest, require
from conformance.wire import ConnectionClosedError
from protocol.close_codes import CloseCode

MOST: Final = 2000
"""Messages after which the operator must have lifted the limit."""


class RateLimits:
    """Checks of a client that sends too fast."""

    client: ScriptedClient

    def __init__(self, server: ServerUnderTest) -> None:
        self.server = server

    def checks(self) -> Sequence[Check]:
        """Return the checks in order."""
        return (
            Check(
                "too many messages get `rate_limited`, and later ones are answered again",
                "Limits",
                self._too_fast,
            ),
            Check("a client that goes on sending is closed with 4005", "Limits", self._closed),
        )

    async def _too_fast(self) -> None:
        self.client = await ScriptedClient.identified(self.server, "Ann")
        for _ in range(MOST):
            await self.client.send_raw('{"type":"ping"}')
            answer = await self.client.expect("pong|error")
            if answer["type"] == "error":
                require(answer, "`rate_limited`", code="rate_limited", temporary=True)
                await asyncio.sleep(1)
                await self.client.request("ping", "pong")
                return
        raise CheckSkippedError(f"{MOST} messages in a row were not too fast for this server")

    async def _closed(self) -> None:
        client = await ScriptedClient.identified(self.server, "Ann")
        self.server.transcript.append(f"Ann > {MOST} pings")
        try:
            for number in range(MOST):
                await client.connection.send(json.dumps({"type": "ping", "ref": number}))
            while json.loads(await client.connection.receive()).get("ref") != MOST - 1:
                pass
        except ConnectionClosedError as closed:
            if closed.code != CloseCode.RATE_LIMITED:
                raise CheckFailedError(f"the close code {CloseCode.RATE_LIMITED:d}", str(closed)) from None
            return
        raise CheckSkippedError(f"{MOST} messages in a row were not too fast for this server")

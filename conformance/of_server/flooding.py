"""A chapter about too many messages."""

import asyncio
import json
from collections.abc import Sequence
from typing import Final

from conformance.chapter import Step
from conformance.errors import SkippedError, UnmetError
from conformance.of_server.visitor import Stage, Visitor, require
from conformance.wire import HungUpError
from protocol.close_codes import CloseCode

MOST: Final = 2000
"""Messages after which we believe that the operator has lifted the limit."""


class Flooding:
    """Somebody who talks much too fast."""

    visitor: Visitor

    def __init__(self, stage: Stage) -> None:
        self.stage = stage

    def steps(self) -> Sequence[Step]:
        """Return what to check."""
        return (
            Step(
                "too many messages are answered `rate_limited`, which passes by itself",
                "Limits",
                self._too_fast,
            ),
            Step("who goes on like that is closed with 4005", "Limits", self._closed),
        )

    async def _too_fast(self) -> None:
        self.visitor = await Visitor.greeted(self.stage, "Ann")
        for _ in range(MOST):
            await self.visitor.send_raw('{"type":"ping"}')
            answer = await self.visitor.hear("pong|error")
            if answer["type"] == "error":
                require(answer, "`rate_limited`", code="rate_limited", temporary=True)
                await asyncio.sleep(1)
                await self.visitor.ask("ping", "pong")
                return
        raise SkippedError(f"{MOST} messages in a row were not too fast for this server")

    async def _closed(self) -> None:
        flooder = await Visitor.greeted(self.stage, "Ann")
        self.stage.said.append(f"Ann > {MOST} pings")
        try:
            for number in range(MOST):
                await flooder.caller.send(json.dumps({"type": "ping", "ref": number}))
            while json.loads(await flooder.caller.receive()).get("ref") != MOST - 1:
                pass
        except HungUpError as gone:
            if gone.code != CloseCode.RATE_LIMITED:
                raise UnmetError(f"the close code {CloseCode.RATE_LIMITED:d}", str(gone)) from None
            return
        raise SkippedError(f"{MOST} messages in a row were not too fast for this server")

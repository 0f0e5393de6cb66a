"""The whole conformance run against a server."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from conformance.chapter import Chapter, carry_out
from conformance.of_server.broken_input import BrokenInput
from conformance.of_server.flooding import Flooding
from conformance.of_server.handshake import Connecting
from conformance.of_server.hello import Greeting, Silence
from conformance.of_server.race import Racing
from conformance.of_server.race_numbers import RaceNumbers
from conformance.of_server.resuming import Resuming
from conformance.of_server.rooms import Rooms
from conformance.of_server.visitor import Stage, Verify, no_verifier
from conformance.of_server.waiting import Waiting
from conformance.report import Report

CHAPTERS: Final[tuple[Callable[[Stage], Chapter], ...]] = (
    Connecting,
    BrokenInput,
    Greeting,
    Silence,
    Rooms,
    Racing,
    RaceNumbers,
    Resuming,
    Flooding,
)
LONG: Final[tuple[Callable[[Stage], Chapter], ...]] = (*CHAPTERS, Waiting)
"""With those that take minutes."""


async def check_server(
    url: str, chapters: Sequence[Callable[[Stage], Chapter]] = CHAPTERS, verify: Verify = no_verifier
) -> Report:
    """Check a server, all chapters at once: they share nothing but the server."""
    work = (carry_out(chapter(Stage(url, verify)), at) for at, chapter in enumerate(chapters, 1))
    found = await asyncio.gather(*work)
    return Report(url, [finding for findings in found for finding in findings])

"""The whole conformance run against a server."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from client_cli.conformance.broken_input import BrokenInput
from client_cli.conformance.chapter import Chapter, carry_out
from client_cli.conformance.connecting import Connecting
from client_cli.conformance.flooding import Flooding
from client_cli.conformance.greeting import Greeting, Silence
from client_cli.conformance.race_numbers import RaceNumbers
from client_cli.conformance.racing import Racing
from client_cli.conformance.report import Report
from client_cli.conformance.resuming import Resuming
from client_cli.conformance.rooms import Rooms
from client_cli.conformance.visitor import Stage
from client_cli.conformance.waiting import Waiting

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


async def check_server(url: str, chapters: Sequence[Callable[[Stage], Chapter]] = CHAPTERS) -> Report:
    """Check a server, all chapters at once: they share nothing but the server."""
    work = (carry_out(chapter(Stage(url)), at) for at, chapter in enumerate(chapters, 1))
    found = await asyncio.gather(*work)
    return Report(url, [finding for findings in found for finding in findings])

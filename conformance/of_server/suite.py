"""All groups of checks of a server."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from conformance.checks import CheckGroup, run_checks
from conformance.of_server.absent_racers import AbsentRacers
from conformance.of_server.bad_input import BadInput
from conformance.of_server.handshake import Handshake
from conformance.of_server.hello import Hello, HelloTimeout
from conformance.of_server.race import Race
from conformance.of_server.race_numbers import RaceNumbers
from conformance.of_server.rate_limits import RateLimits
from conformance.of_server.resuming import Resuming
from conformance.of_server.rooms import Rooms
from conformance.of_server.scripted_client import ServerUnderTest, Verify, no_verifier
from conformance.report import Report

CHECK_GROUPS: Final[tuple[Callable[[ServerUnderTest], CheckGroup], ...]] = (
    Handshake,
    BadInput,
    Hello,
    HelloTimeout,
    Rooms,
    Race,
    RaceNumbers,
    Resuming,
    RateLimits,
)
ALL_CHECK_GROUPS: Final[tuple[Callable[[ServerUnderTest], CheckGroup], ...]] = (*CHECK_GROUPS, AbsentRacers)
"""All groups, including those that take minutes."""


async def check_server(
    url: str,
    groups: Sequence[Callable[[ServerUnderTest], CheckGroup]] = CHECK_GROUPS,
    verify: Verify = no_verifier,
) -> Report:
    """Run the groups against a server, all at once: they share nothing else. Return the report."""
    work = (run_checks(group(ServerUnderTest(url, verify)), at) for at, group in enumerate(groups, 1))
    found = await asyncio.gather(*work)
    return Report(url, [result for results in found for result in results])

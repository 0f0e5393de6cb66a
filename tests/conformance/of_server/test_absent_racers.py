"""The checks of absent and idle racers, at servers that wait for a shorter time."""

from functools import partial

import pytest
from racetest import StartNode, url_of

from conformance.of_server.absent_racers import AbsentRacers
from conformance.of_server.suite import check_server
from conformance.report import Outcome
from server.core.rules import Rules

ABSENT = "a race does not wait for a racer who is disconnected for a minute"
IDLE = "a race does not wait for a racer who is idle for five minutes"


@pytest.mark.parametrize(
    ("rules", "failed"),
    [
        (Rules(absent_ms=1_000, idle_ms=2_400, forfeit_undo_ms=50), []),
        (Rules(absent_ms=300, idle_ms=2_400, forfeit_undo_ms=50), [ABSENT]),
        (Rules(absent_ms=1_000, idle_ms=1_200, forfeit_undo_ms=50), [IDLE]),
        (Rules(absent_ms=60_000, idle_ms=60_000, forfeit_undo_ms=50), [ABSENT, IDLE]),
    ],
    ids=["as in PROTOCOL.md", "too short when absent", "too short when idle", "too long"],
)
async def test_a_server_that_waits_too_long_or_too_short_fails(
    node: StartNode, rules: Rules, failed: list[str]
) -> None:
    """One racer must not delay the others, and must not lose the game by a short absence."""
    url = url_of(await node(rules=rules))
    report = await check_server(url, [partial(AbsentRacers, gone_s=1.0, idle_s=2.4, late_s=1.0)])
    assert [each.title for each in report.results if each.outcome is not Outcome.PASS] == failed

"""Whom a race waits for, and how long: the checks that take minutes, here at servers that wait less."""

from functools import partial

import pytest
from racetest import StartNode, url_of

from conformance.of_server.absent_racers import AbsentRacers
from conformance.of_server.suite import check_server
from conformance.report import Outcome
from server.core.rules import Rules

GONE = "a racer who is gone for a minute holds nobody"
IDLE = "a racer who does nothing for five minutes holds nobody"


@pytest.mark.parametrize(
    ("rules", "failed"),
    [
        (Rules(absent_ms=1_000, idle_ms=2_400, forfeit_undo_ms=50), []),
        (Rules(absent_ms=300, idle_ms=2_400, forfeit_undo_ms=50), [GONE]),
        (Rules(absent_ms=1_000, idle_ms=1_200, forfeit_undo_ms=50), [IDLE]),
        (Rules(absent_ms=60_000, idle_ms=60_000, forfeit_undo_ms=50), [GONE, IDLE]),
    ],
    ids=["as it is told", "leaves the gone too early", "leaves the idle too early", "waits for everybody"],
)
async def test_a_server_that_waits_too_long_or_not_long_enough_is_found(
    node: StartNode, rules: Rules, failed: list[str]
) -> None:
    """Somebody else must not hold the others, nor lose the game by a short absence."""
    url = url_of(await node(rules=rules))
    report = await check_server(url, [partial(AbsentRacers, gone_s=1.0, idle_s=2.4, late_s=1.0)])
    assert [each.title for each in report.results if each.outcome is not Outcome.PASS] == failed

"""Servers and the limit of messages."""

from racetest import StartNode

from conformance.of_server.rate_limits import RateLimits
from conformance.of_server.suite import check_server
from conformance.report import Outcome


async def test_a_server_without_limits_does_not_fail(node: StartNode) -> None:
    """Operators can set other limits."""
    host, port = (await node()).address
    report = await check_server(f"ws://{host}:{port}", [RateLimits])
    assert [each.outcome for each in report.results] == [Outcome.SKIP] * 2
    assert report.passed

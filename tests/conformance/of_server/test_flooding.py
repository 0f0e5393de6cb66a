"""Servers and too many messages."""

from racetest import StartNode

from conformance.of_server.flooding import Flooding
from conformance.of_server.suite import check_server
from conformance.report import Verdict


async def test_a_server_without_limits_is_not_blamed(node: StartNode) -> None:
    """Operators may choose other numbers."""
    host, port = (await node()).address
    report = await check_server(f"ws://{host}:{port}", [Flooding])
    assert [each.verdict for each in report.findings] == [Verdict.SKIP] * 2
    assert report.passed

"""Servers with faults in the handshake."""

from collections.abc import Sequence

import pytest
import websockets
from websockets.http11 import Request, Response

from conformance.checks import Check
from conformance.of_server.handshake import FOREIGN_ORIGIN, Handshake, origin_of
from conformance.of_server.hello import HelloTimeout
from conformance.of_server.suite import check_server
from conformance.report import Outcome

FOREIGN = "a page of another origin is refused with HTTP 403"
OWN = "a page of the server's own origin is accepted"


@pytest.mark.parametrize(
    ("stranger", "own", "outcomes"),
    [
        (403, None, [Outcome.PASS, Outcome.PASS]),
        (403, 403, [Outcome.PASS, Outcome.FAIL]),
        (404, None, [Outcome.FAIL, Outcome.PASS]),
        (None, None, [Outcome.SKIP, Outcome.PASS]),
    ],
    ids=["as in PROTOCOL.md", "accepts none", "another status", "accepts all"],
)
async def test_which_origins_a_server_accepts_is_checked(
    stranger: int | None, own: int | None, outcomes: list[Outcome]
) -> None:
    """An operator may accept every origin, but the report says so, because few want it."""

    async def nothing(_: websockets.ServerConnection) -> None:
        pass

    def looked_at(connection: websockets.ServerConnection, request: Request) -> Response | None:
        status = stranger if request.headers["Origin"] == FOREIGN_ORIGIN else own
        return None if status is None else connection.respond(status, "")

    async with websockets.serve(nothing, "localhost", 0, process_request=looked_at) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        results = (await check_server(f"ws://localhost:{port}/ws", [Pages])).results
    assert [(each.title, each.outcome) for each in results] == list(
        zip((FOREIGN, OWN), outcomes, strict=True)
    )


class Pages(Handshake):
    """The checks of pages alone."""

    def checks(self) -> Sequence[Check]:
        """Return the checks in order."""
        return [check for check in super().checks() if check.title in (FOREIGN, OWN)]


@pytest.mark.parametrize(
    ("url", "page"),
    [
        ("ws://localhost:7466/ws", "http://localhost:7466"),
        ("ws://Example.org/ws", "http://example.org"),
        ("ws://example.org:80/ws", "http://example.org"),
        ("wss://example.org:443/ws", "https://example.org"),
        ("wss://example.org:80/ws", "https://example.org:80"),
        ("ws://[::1]:7466/ws", "http://[::1]:7466"),
    ],
)
def test_the_origin_of_a_host_is_that_of_browsers(url: str, page: str) -> None:
    """In lower case, without a default port."""
    assert origin_of(url) == page


async def test_without_a_server_each_group_fails_once() -> None:
    """The other checks are skipped."""
    report = await check_server("ws://localhost:1", [Handshake, HelloTimeout])
    assert [each.outcome for each in report.results if each.number in ("1.1", "2.1")] == [Outcome.FAIL] * 2
    assert "Cannot connect to ws://localhost:1" in report.results[0].actual
    assert {each.outcome for each in report.results[1:-1]} == {Outcome.SKIP}

"""Servers that do not conform in the handshake."""

from collections.abc import Sequence

import pytest
import websockets
from websockets.http11 import Request, Response

from conformance.checks import Check
from conformance.of_server.handshake import FOREIGN_ORIGIN, Handshake, origin_of
from conformance.of_server.hello import HelloTimeout
from conformance.of_server.suite import check_server
from conformance.report import Outcome

STRANGER = "a page of another host is refused with HTTP 403"
OWN = "a page of the server's own host is let in"


@pytest.mark.parametrize(
    ("stranger", "own", "outcomes"),
    [
        (403, None, [Outcome.PASS, Outcome.PASS]),
        (403, 403, [Outcome.PASS, Outcome.FAIL]),
        (404, None, [Outcome.FAIL, Outcome.PASS]),
        (None, None, [Outcome.SKIP, Outcome.PASS]),
    ],
    ids=["as it is told", "lets in none", "says something else", "lets in all"],
)
async def test_whose_pages_a_server_lets_in_is_found_out(
    stranger: int | None, own: int | None, outcomes: list[Outcome]
) -> None:
    """That all may come is for an operator to say, but the report tells of it: most do not mean it."""

    async def nothing(_: websockets.ServerConnection) -> None:
        pass

    def looked_at(connection: websockets.ServerConnection, request: Request) -> Response | None:
        status = stranger if request.headers["Origin"] == FOREIGN_ORIGIN else own
        return None if status is None else connection.respond(status, "")

    async with websockets.serve(nothing, "localhost", 0, process_request=looked_at) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        results = (await check_server(f"ws://localhost:{port}/ws", [Pages])).results
    assert [(each.title, each.outcome) for each in results] == list(
        zip((STRANGER, OWN), outcomes, strict=True)
    )


class Pages(Handshake):
    """The checks of pages alone."""

    def checks(self) -> Sequence[Check]:
        """Return what to check."""
        return [check for check in super().checks() if check.title in (STRANGER, OWN)]


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
def test_a_page_of_a_host_names_it_as_browsers_do(url: str, page: str) -> None:
    """In small letters, without the port where it is the usual one."""
    assert origin_of(url) == page


async def test_nobody_listens() -> None:
    """Each chapter then says so once, and tries nothing else."""
    report = await check_server("ws://localhost:1", [Handshake, HelloTimeout])
    assert [each.outcome for each in report.results if each.number in ("1.1", "2.1")] == [Outcome.FAIL] * 2
    assert "Nobody answers at ws://localhost:1" in report.results[0].actual
    assert {each.outcome for each in report.results[1:-1]} == {Outcome.SKIP}

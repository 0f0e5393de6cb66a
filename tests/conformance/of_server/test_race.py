"""Servers with faults in a race."""

from collections.abc import Awaitable, Callable
from typing import Any

from client_cli.core.verify import read, verify
from conformance.of_server.race import Race
from conformance.of_server.suite import check_server
from conformance.report import Outcome


async def test_faults_are_found_by_their_checks(tampered: Callable[..., Awaitable[str]]) -> None:
    """A server with a wrong rule, a wrong player in a forfeit, and a changed record."""

    def change(message: dict[str, Any]) -> dict[str, Any]:
        match message:
            case {"type": "refused", "code": "no_such_column"}:
                return message | {"code": "rank_mismatch"}
            case {"type": "racer_forfeited"}:
                return message | {"player": "somebody"}
            case {"type": "record", "record": record}:
                record["racers"][0]["actions"][-1]["at_ms"] -= 1
        return message

    report = await check_server(await tampered(change), [Race], lambda record: verify(read(record)).faults)
    assert [each.title for each in report.results if each.outcome is Outcome.FAIL] == [
        "each rule of the game refuses with its code, and the number stays free",
        "every member receives a forfeit; it ends the game and can be undone",
        "the record replays to its results",
    ]


async def test_different_deals_fail_and_the_later_checks_are_skipped(
    tampered: Callable[..., Awaitable[str]],
) -> None:
    """A race on different deals is worthless."""
    started = []

    def change(message: dict[str, Any]) -> dict[str, Any]:
        if message["type"] == "race_started":
            started.append(message)
            if len(started) == 2:
                return message | {"columns": message["columns"][::-1]}
        return message

    report = await check_server(await tampered(change), [Race], lambda record: verify(read(record)).faults)
    outcomes = [each.outcome for each in report.results]
    assert outcomes == [Outcome.PASS] * 3 + [Outcome.FAIL] + [Outcome.SKIP] * (len(outcomes) - 4)
    assert report.results[3].title == "every member gets the same deal, the one of the game code"

"""Servers that do not conform in a race."""

from collections.abc import Awaitable, Callable
from typing import Any

from client_cli.core.verify import read, verify
from conformance.of_server.race import Race
from conformance.of_server.suite import check_server
from conformance.report import Outcome


async def test_faults_are_found_by_their_checks(tampered: Callable[..., Awaitable[str]]) -> None:
    """A server with a wrong rule, a wrong name for who gave up, and a record that somebody has improved."""

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
        "each rule of the game refuses with its code, and the number is free again",
        "a forfeit is told to everybody, ends the game, and can be taken back",
        "the record replays to its results",
    ]


async def test_different_deals_are_found_and_end_the_chapter(tampered: Callable[..., Awaitable[str]]) -> None:
    """The worst that a race can have."""
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
    assert report.results[3].title == "everybody gets the same deal, and that of the code"

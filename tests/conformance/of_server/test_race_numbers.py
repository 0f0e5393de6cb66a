"""Servers that mix up races."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from conformance.of_server.race_numbers import RaceNumbers
from conformance.of_server.suite import check_server
from conformance.report import Outcome

Message = dict[str, Any]

TO_COME = "an action of a later race gets `wrong_race` and changes nothing"
SECOND = "in the next race actions are numbered from 1 again"
ACCEPTED = "an action that was accepted in an earlier race gets the same answer again"
NOT_ACCEPTED = "another action of an earlier race gets `wrong_race` and changes nothing"

IN_ORDER = "errors and refusals of actions of another race come in the order of the actions"


class Mixed:
    """Changes messages between a server and its clients. `races` is the number of started races."""

    def __init__(self, fault: str) -> None:
        self.fault = fault
        self.races = 0
        self.sent: list[Message] = []

    def received(self, message: Message) -> Message:
        """Change a message of the server."""
        if message["type"] == "race_started":
            self.races = message["race"]
        match self.fault, message:
            case "names_the_first_race", {"type": "accepted", "race": 2}:
                return message | {"race": 1}
            case "has_no_code_for_it", {"code": "wrong_race"}:
                return message | {"code": "not_racing"}
            case "forgets_answers", {"type": "accepted", "race": 1} if self.races == 2:
                forgotten = {"code": "wrong_race", "expected": 0, "text": "Gone."}
                return {"type": "refused", "race": 1, "n": message["n"], **forgotten}
            case "errors_without_numbers", {"type": "error", "n": int()}:
                return {name: value for name, value in message.items() if name != "n"}
            case "carries_it_out", {"type": "accepted" | "refused"} if "race" in self.swapped(message["n"]):
                return message | self.swapped(message["n"])
        return message

    def asked(self, message: Message) -> Message:
        """Change a message of a client."""
        if self.fault == "carries_it_out" and self.races == 2 and message.get("race") == 1:
            self.sent.append(message)
            return message | {"race": 2}
        return message

    def swapped(self, n: int) -> Message:
        """Return the race of the client's action `n`."""
        return next(({"race": 1} for each in self.sent if each["n"] == n), {})


@pytest.mark.parametrize(
    ("fault", "failed"),
    [
        ("names_the_first_race", [SECOND]),
        ("has_no_code_for_it", [TO_COME, SECOND]),
        ("forgets_answers", [ACCEPTED]),
        ("carries_it_out", [ACCEPTED, NOT_ACCEPTED, IN_ORDER]),
        ("errors_without_numbers", [IN_ORDER]),
    ],
)
async def test_a_fault_is_found_by_its_checks(
    tampered: Callable[..., Awaitable[str]], fault: str, failed: list[str]
) -> None:
    """A server that takes every action for one of the running race, and others with wrong codes."""
    mixed = Mixed(fault)
    url = await tampered(mixed.received, asked=mixed.asked)
    report = await check_server(url, [RaceNumbers])
    assert [each.title for each in report.results if each.outcome is Outcome.FAIL] == failed


async def test_our_server_passes(tampered: Callable[..., Awaitable[str]]) -> None:
    """No check fails or is skipped."""
    mixed = Mixed("")
    report = await check_server(await tampered(mixed.received), [RaceNumbers])
    assert {each.outcome for each in report.results} == {Outcome.PASS}, report.lines()

"""Groups of checks."""

from collections.abc import Sequence

import pytest

from conformance.checks import Check, run_checks
from conformance.errors import CheckFailedError, CheckSkippedError
from conformance.report import CheckResult, Outcome
from conformance.wire import CannotConnectError, ConnectionClosedError, HandshakeRefusedError


class Server:
    def __init__(self) -> None:
        self.transcript: list[str] = ["before"]
        self.disconnected = 0

    async def disconnect(self) -> None:
        self.disconnected += 1


class Group:
    """Checks that add a line to the transcript and then raise the given exception, or pass."""

    def __init__(self, *faults: Exception | None, required: bool = False) -> None:
        self.server = Server()
        self.faults, self.required = faults, required
        self.recovered = 0
        self.recovery_fault: Exception | None = None

    def checks(self) -> Sequence[Check]:
        return [
            Check(f"check {at}", "S", self.run(fault), self.required) for at, fault in enumerate(self.faults)
        ]

    def run(self, fault: Exception | None):  # type: ignore[no-untyped-def]
        async def run() -> None:
            self.server.transcript.append(f"before {fault}")
            if fault is not None:
                raise fault

        return run

    async def recover(self) -> None:
        self.recovered += 1
        if self.recovery_fault is not None:
            raise self.recovery_fault


async def test_a_failed_check_does_not_stop_the_others() -> None:
    """The connections are closed once, at the end."""
    group = Group(CheckFailedError("a", "b"), None)
    assert await run_checks(group, 3) == [
        CheckResult("3.1", "check 0", "S", Outcome.FAIL, "a", "b", ["before expected a; got b"]),
        CheckResult("3.2", "check 1", "S", Outcome.PASS),
    ]
    assert group.server.disconnected == 1


@pytest.mark.parametrize("fault", [CheckFailedError("a", "b"), CheckSkippedError("no")])
async def test_after_a_failed_required_check_the_others_are_skipped(fault: Exception) -> None:
    """The first one that failed is the reason."""
    group = Group(None, fault, None, None, required=True)
    results = await run_checks(group, 1)
    assert [each.outcome for each in results[2:]] == [Outcome.SKIP] * 2
    assert [each.actual for each in results[2:]] == ["1.2 has to pass first"] * 2
    assert len(group.server.transcript) == 3


async def test_after_a_recovery_the_later_checks_run() -> None:
    """Each failed required check is recovered from, except the last: nothing comes after it."""
    group = Group(CheckFailedError("a", "b"), None, CheckFailedError("c", "d"), None, required=True)
    results = await run_checks(group, 1, group)
    assert [each.outcome for each in results] == [Outcome.FAIL, Outcome.PASS, Outcome.FAIL, Outcome.PASS]
    assert group.recovered == 2
    last = Group(CheckFailedError("a", "b"), required=True)
    await run_checks(last, 1, last)
    assert last.recovered == 0


@pytest.mark.parametrize("fault", [CheckFailedError("a client", "none"), ConnectionClosedError(1000, "")])
async def test_after_a_recovery_that_failed_the_later_checks_are_skipped(fault: Exception) -> None:
    group = Group(CheckFailedError("a", "b"), None, None, required=True)
    group.recovery_fault = fault
    results = await run_checks(group, 1, group)
    assert [each.outcome for each in results[1:]] == [Outcome.SKIP] * 2
    assert {each.actual for each in results[1:]} == {f"1.1 failed, and the run could not go on: {fault}"}
    assert group.recovered == 1


@pytest.mark.parametrize(
    "fault", [ConnectionClosedError(1011, "oh"), CannotConnectError("nobody"), HandshakeRefusedError(503)]
)
async def test_a_lost_connection_is_a_failure(fault: Exception) -> None:
    [result] = await run_checks(Group(fault), 1)
    assert (result.outcome, result.expected, result.actual) == (Outcome.FAIL, "a connection", str(fault))


async def test_a_skipped_check_has_its_reason() -> None:
    [result] = await run_checks(Group(CheckSkippedError("one language only")), 1)
    assert result == CheckResult("1.1", "check 0", "S", Outcome.SKIP, actual="one language only")

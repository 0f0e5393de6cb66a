"""Checks, grouped and run in order: each passes, fails or is skipped."""

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple, Protocol

from conformance.errors import CheckFailedError, CheckSkippedError
from conformance.report import CheckResult, Outcome
from conformance.wire import CannotConnectError, ConnectionClosedError, HandshakeRefusedError


class Check(NamedTuple):
    """One check. Its title says what it proves, `section` names the section of PROTOCOL.md.

    Later checks of the group need what a `required` check brings about.
    """

    title: str
    section: str
    run: Callable[[], Awaitable[None]]
    required: bool = False


class Server(Protocol):
    """The server of a conversation: the one under test, or the fake one for a client under test.

    `transcript` has one line for each message.
    """

    transcript: list[str]

    async def disconnect(self) -> None:
        """Close every connection."""


class CheckGroup(Protocol):
    """Checks that share a server and run in order, each from the state that the last one left."""

    @property
    def server(self) -> Server:
        """The server of the conversation."""

    def checks(self) -> Sequence[Check]:
        """Return the checks in order."""


class Recovering(Protocol):
    """A group that can bring about by other means what a failed required check was to bring about."""

    async def recover(self) -> None:
        """Reach a state from which later checks can run. Raises CheckFailedError if that is impossible."""


async def run_checks(
    group: CheckGroup, number: int, recovering: Recovering | None = None
) -> list[CheckResult]:
    """Run the checks of a group and return their results.

    After a failed required check the later ones run only if `recovering` succeeds, and are skipped otherwise.
    """
    results: list[CheckResult] = []
    reason = ""  # why the remaining checks cannot run
    checks = group.checks()
    for position, check in enumerate(checks, 1):
        result = await _run(group.server, check, f"{number}.{position}", reason)
        results.append(result)
        blocked = check.required and result.outcome is not Outcome.PASS and not reason
        if blocked and position < len(checks):
            reason = await _unrecovered(result, recovering)
    await group.server.disconnect()
    return results


async def _unrecovered(result: CheckResult, recovering: Recovering | None) -> str:
    """Recover from a failed required check; return why the later checks cannot run, or an empty string."""
    if recovering is None:
        return f"{result.number} has to pass first"
    try:
        await recovering.recover()
    except (CheckFailedError, ConnectionClosedError) as failure:
        return f"{result.number} failed, and the run could not go on: {failure}"
    return ""


async def _run(server: Server, check: Check, number: str, reason: str) -> CheckResult:
    def result(outcome: Outcome, expected: str = "", actual: str = "") -> CheckResult:
        transcript = server.transcript[start:] if outcome is Outcome.FAIL else []
        return CheckResult(number, check.title, check.section, outcome, expected, actual, transcript)

    start = len(server.transcript)
    if reason:
        return result(Outcome.SKIP, actual=reason)
    try:
        await check.run()
    except CheckSkippedError as skipped:
        return result(Outcome.SKIP, actual=str(skipped))
    except CheckFailedError as failure:
        return result(Outcome.FAIL, failure.expected, failure.actual)
    except (ConnectionClosedError, CannotConnectError, HandshakeRefusedError) as fault:
        return result(Outcome.FAIL, "a connection", str(fault))
    return result(Outcome.PASS)

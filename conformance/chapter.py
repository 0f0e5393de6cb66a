"""How a conformance run goes: chapters of steps, each of which passes, fails or cannot be tried."""

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple, Protocol

from conformance.errors import SkippedError, UnmetError
from conformance.report import Finding, Verdict
from conformance.wire import HungUpError, NoServerError, RefusedError


class Step(NamedTuple):
    """One check. What it proves is its title; `section` of PROTOCOL.md says so.

    The steps behind a `gate` need what it brings about, and are not tried if it fails.
    """

    title: str
    section: str
    run: Callable[[], Awaitable[None]]
    gate: bool = False


class Stage(Protocol):
    """Where a chapter plays: what was said there, one line a message, and the way out."""

    said: list[str]

    async def leave(self) -> None:
        """Close every connection."""


class Chapter(Protocol):
    """Steps on one stage, in order; later ones go on from where those before have led."""

    @property
    def stage(self) -> Stage:
        """The program under test."""

    def steps(self) -> Sequence[Step]:
        """Return what to check."""


async def carry_out(chapter: Chapter, number: int) -> list[Finding]:
    """Check everything in a chapter."""
    findings: list[Finding] = []
    closed = ""
    for at, step in enumerate(chapter.steps(), 1):
        finding = await _try(chapter.stage, step, f"{number}.{at}", closed)
        if step.gate and finding.verdict is not Verdict.PASS:
            closed = closed or f"{finding.number} has to pass first"
        findings.append(finding)
    await chapter.stage.leave()
    return findings


async def _try(stage: Stage, step: Step, number: str, closed: str) -> Finding:
    def found(verdict: Verdict, expected: str = "", came: str = "") -> Finding:
        said = stage.said[start:] if verdict is Verdict.FAIL else []
        return Finding(number, step.title, step.section, verdict, expected, came, said)

    start = len(stage.said)
    if closed:
        return found(Verdict.SKIP, came=closed)
    try:
        await step.run()
    except SkippedError as why:
        return found(Verdict.SKIP, came=str(why))
    except UnmetError as unmet:
        return found(Verdict.FAIL, unmet.expected, unmet.came)
    except (HungUpError, NoServerError, RefusedError) as fault:
        return found(Verdict.FAIL, "a connection", str(fault))
    return found(Verdict.PASS)

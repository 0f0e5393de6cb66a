"""Report of a conformance run, for people and for programs."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, Final

SHOWN_MESSAGES: Final = 12
"""Most messages that are shown of the transcript of a failed check: the last ones."""

_SHOWN_CHARACTERS: Final = 300
"""Most characters of one message in a report."""


class Outcome(StrEnum):
    """Outcome of a check."""

    PASS = "PASS"  # noqa: S105
    FAIL = "FAIL"
    SKIP = "SKIP"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """Result of one check: its number, its title, and the section of PROTOCOL.md that it is about.

    `expected` and `actual` are empty after PASS; after SKIP, `actual` is the reason. `transcript` has one
    line for each message of a failed check.
    """

    number: str
    title: str
    section: str
    outcome: Outcome
    expected: str = ""
    actual: str = ""
    transcript: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Report:
    """Results of all checks of one program."""

    subject: str
    results: list[CheckResult]

    @property
    def passed(self) -> bool:
        """Whether no check failed. A skipped check counts as neither."""
        return all(result.outcome is not Outcome.FAIL for result in self.results)

    def summary(self) -> str:
        """Return the summary in one line."""
        count = {outcome: [each.outcome for each in self.results].count(outcome) for outcome in Outcome}
        skipped = f", {count[Outcome.SKIP]} skipped" if count[Outcome.SKIP] else ""
        verb = "conforms" if self.passed else "does not conform"
        return f"{self.subject} {verb}: {count[Outcome.PASS]} passed, {count[Outcome.FAIL]} failed{skipped}"

    def lines(self) -> list[str]:
        """Return the report for people: one line for each check, and details of those that did not pass."""
        details = [line for result in self.results for line in _lines(result)]
        return [*details, "", self.summary()]

    def json(self) -> str:
        """Return the report for programs."""
        shown: dict[str, Any] = {
            "subject": self.subject,
            "passed": self.passed,
            "checks": [asdict(result) for result in self.results],
        }
        return json.dumps(shown, indent=1, ensure_ascii=False)


def shorten(text: str) -> str:
    """Return a message as a report shows it: only the beginning of a long one."""
    if len(text) <= _SHOWN_CHARACTERS:
        return text
    return f"{text[:_SHOWN_CHARACTERS]}… ({len(text)} characters)"


def _lines(result: CheckResult) -> Iterable[str]:
    yield f"{result.outcome}  {result.number:>4}  {result.title}"
    if result.outcome is Outcome.SKIP:
        yield f"            {result.actual}"
    if result.outcome is Outcome.FAIL:
        yield f"            expected: {result.expected}"
        yield f"            got:      {result.actual}"
        yield f"            see:      PROTOCOL.md, {result.section}"
        hidden = len(result.transcript) - SHOWN_MESSAGES
        if hidden > 0:
            yield f"              ... {hidden} messages before"
        for line in result.transcript[-SHOWN_MESSAGES:]:
            yield f"              {line}"

"""What a conformance run found, as people and as programs read it."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, Final

SHOWN: Final = 12
"""How many of the messages of a check are shown where it failed: the last ones."""

_LONG: Final = 300
"""Characters of one message in a report."""


class Verdict(StrEnum):
    """How a check ended."""

    PASS = "PASS"  # noqa: S105
    FAIL = "FAIL"
    SKIP = "SKIP"


@dataclass(frozen=True, slots=True)
class Finding:
    """One check: its number, the section of PROTOCOL.md that it is about, and what became of it.

    `said` is the conversation, one line a message. `expected` and `came` are there unless it passed; after
    SKIP, `came` says why nothing could be checked.
    """

    number: str
    title: str
    section: str
    verdict: Verdict
    expected: str = ""
    came: str = ""
    said: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Report:
    """All findings about one program."""

    about: str
    findings: list[Finding]

    @property
    def passed(self) -> bool:
        """Whether nothing failed; what was skipped does not count."""
        return all(each.verdict is not Verdict.FAIL for each in self.findings)

    def summary(self) -> str:
        """Say it in one line."""
        count = {verdict: [each.verdict for each in self.findings].count(verdict) for verdict in Verdict}
        skipped = f", {count[Verdict.SKIP]} not tried" if count[Verdict.SKIP] else ""
        word = "conforms" if self.passed else "does not conform"
        return f"{self.about} {word}: {count[Verdict.PASS]} passed, {count[Verdict.FAIL]} failed{skipped}"

    def lines(self) -> list[str]:
        """Return the report for people: a line for each check, and more where something is amiss."""
        told = [line for each in self.findings for line in _lines(each)]
        return [*told, "", self.summary()]

    def json(self) -> str:
        """Return the report for programs."""
        shown: dict[str, Any] = {
            "about": self.about,
            "passed": self.passed,
            "checks": [asdict(each) for each in self.findings],
        }
        return json.dumps(shown, indent=1, ensure_ascii=False)


def shorten(text: str) -> str:
    """Return a message as a report shows it: not whole if it is long."""
    return text if len(text) <= _LONG else f"{text[:_LONG]}… ({len(text)} characters)"


def _lines(finding: Finding) -> Iterable[str]:
    yield f"{finding.verdict}  {finding.number:>4}  {finding.title}"
    if finding.verdict is Verdict.SKIP:
        yield f"            {finding.came}"
    if finding.verdict is Verdict.FAIL:
        yield f"            expected: {finding.expected}"
        yield f"            came:     {finding.came}"
        yield f"            see:      PROTOCOL.md, {finding.section}"
        hidden = len(finding.said) - SHOWN
        if hidden > 0:
            yield f"              ... {hidden} messages before"
        for line in finding.said[-SHOWN:]:
            yield f"              {line}"

"""Report of a conformance run."""

import json

from conformance.report import SHOWN_MESSAGES, CheckResult, Outcome, Report, shorten

PASSED = CheckResult("1.1", "it connects", "Connecting", Outcome.PASS)
FAILED = CheckResult("1.2", "it sends `hello`", "Hello", Outcome.FAIL, "`hello`", "nothing", ["client < {}"])
SKIPPED = CheckResult("1.3", "it plays", "Race", Outcome.SKIP, actual="1.2 has to pass first")


def test_a_failure_shows_what_was_expected_what_happened_and_the_section() -> None:
    assert Report("the client", [PASSED, FAILED, SKIPPED]).lines() == [
        "PASS   1.1  it connects",
        "FAIL   1.2  it sends `hello`",
        "            expected: `hello`",
        "            got:      nothing",
        "            see:      PROTOCOL.md, Hello",
        "              client < {}",
        "SKIP   1.3  it plays",
        "            1.2 has to pass first",
        "",
        "the client does not conform: 1 passed, 1 failed, 1 skipped",
    ]


def test_a_skipped_check_is_not_a_failure() -> None:
    report = Report("ws://host", [PASSED, SKIPPED])
    assert report.passed
    assert report.summary() == "ws://host conforms: 1 passed, 0 failed, 1 skipped"


def test_the_beginning_of_a_long_transcript_is_left_out() -> None:
    transcript = [f"line {at}" for at in range(SHOWN_MESSAGES + 3)]
    failed = CheckResult("1.1", "it sends `hello`", "Hello", Outcome.FAIL, "a", "b", transcript)
    assert Report("it", [failed]).lines()[4:6] == [
        "              ... 3 messages before",
        "              line 3",
    ]


def test_the_end_of_a_long_message_is_left_out() -> None:
    assert shorten("x" * 300) == "x" * 300
    assert shorten("x" * 301) == "x" * 300 + "… (301 characters)"


def test_the_report_for_programs_has_every_field() -> None:
    shown = json.loads(Report("it", [FAILED]).json())
    assert (shown["subject"], shown["passed"]) == ("it", False)
    assert shown["checks"] == [
        {
            "number": "1.2",
            "title": "it sends `hello`",
            "section": "Hello",
            "outcome": "FAIL",
            "expected": "`hello`",
            "actual": "nothing",
            "transcript": ["client < {}"],
        }
    ]

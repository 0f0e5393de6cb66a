"""What a conformance run says."""

import json

from conformance.report import SHOWN, Finding, Report, Verdict, shorten

PASSED = Finding("1.1", "it connects", "Connecting", Verdict.PASS)
FAILED = Finding("1.2", "it greets", "Hello", Verdict.FAIL, "`hello`", "nothing", ["client < {}"])
SKIPPED = Finding("1.3", "it plays", "Race", Verdict.SKIP, came="1.2 has to pass first")


def test_a_failure_tells_what_was_expected_what_came_and_where_it_is_written() -> None:
    assert Report("the client", [PASSED, FAILED, SKIPPED]).lines() == [
        "PASS   1.1  it connects",
        "FAIL   1.2  it greets",
        "            expected: `hello`",
        "            came:     nothing",
        "            see:      PROTOCOL.md, Hello",
        "              client < {}",
        "SKIP   1.3  it plays",
        "            1.2 has to pass first",
        "",
        "the client does not conform: 1 passed, 1 failed, 1 not tried",
    ]


def test_only_failures_count() -> None:
    report = Report("ws://host", [PASSED, SKIPPED])
    assert report.passed
    assert report.summary() == "ws://host conforms: 1 passed, 0 failed, 1 not tried"


def test_long_conversations_are_cut_at_their_beginning() -> None:
    said = [f"line {at}" for at in range(SHOWN + 3)]
    failed = Finding("1.1", "it greets", "Hello", Verdict.FAIL, "a", "b", said)
    assert Report("it", [failed]).lines()[4:6] == [
        "              ... 3 messages before",
        "              line 3",
    ]


def test_long_messages_are_cut_at_their_end() -> None:
    assert shorten("x" * 300) == "x" * 300
    assert shorten("x" * 301) == "x" * 300 + "… (301 characters)"


def test_programs_get_all_of_it() -> None:
    told = json.loads(Report("it", [FAILED]).json())
    assert (told["about"], told["passed"]) == ("it", False)
    assert told["checks"] == [
        {
            "number": "1.2",
            "title": "it greets",
            "section": "Hello",
            "verdict": "FAIL",
            "expected": "`hello`",
            "came": "nothing",
            "said": ["client < {}"],
        }
    ]
